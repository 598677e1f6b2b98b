#pragma once

#include "engine/yunikorn/partition_context.h"
#include "engine/yunikorn/required_node.h"

#include <optional>

/// The victim selection of the 1.5.1 design document "Preemption for DaemonSet pods using Simple Preemptor".
///
/// No release ever had it: released schedulers take victims as required_node.h says. Where the document
/// leaves a choice, the reading taken is marked [A1] … [A16], as in the specification.
namespace previct::yunikorn {

enum class DesignClass : std::uint8_t { regular, driver, opted_out };
[[nodiscard]] auto class_word(DesignClass cls) -> std::string_view;

struct DesignCandidate {
  PodId pod;
  DesignClass cls = DesignClass::regular;
  std::int32_t priority = 0;
  Instant created;
  Resources size;
};

struct DesignTrial {
  std::string strategy;
  std::vector<PodId> victims;
};

struct DesignDecision {
  Rule rule = Rule::design_not_applicable;
  Resources ask;
  Symbol required_node;
  NodeId node;
  Resources free;
  std::optional<Instant> starts_after;
  std::size_t allocations = 0;
  std::size_t daemon_set = 0;
  std::size_t already_gone = 0;
  bool filtered = false;  ///< were candidates looked for at all?
  std::vector<Fate> spared;
  std::vector<DesignCandidate> order;  ///< the candidates, first to go first
  std::vector<DesignTrial> trials;
  std::string strategy;  ///< the one that found somebody
  std::vector<PodId> victims;
};

[[nodiscard]] auto decide_design(const Snapshot& cluster, PodId ask, bool unique_app_ids,
                                 const Assumptions& assumptions, TypeNames& types, Moment& now) -> DesignDecision;

}  // namespace previct::yunikorn
