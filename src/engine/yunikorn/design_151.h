#pragma once

#include "engine/yunikorn/fraction.h"
#include "engine/yunikorn/partition_context.h"
#include "engine/yunikorn/required_node.h"

#include <optional>

/// The victim selection of the 1.5.1 design document "Preemption for DaemonSet Pods using Simple Preemptor".
///
/// No release ever had it: released schedulers choose victims as required_node.h says. Where the document
/// leaves a choice, the reading that is applied is marked [A1] … [A17], as in the specification.
/// Source: apache/yunikorn-site 1.5.1: docs/design/simple_preemptor.md; its steps have the numbers (1) to (6).
namespace previct::yunikorn {

enum class DesignClass : std::uint8_t { regular, driver, opted_out };
[[nodiscard]] auto class_word(DesignClass cls) -> std::string_view;

struct DesignCandidate {
  PodId pod;
  DesignClass cls = DesignClass::regular;
  std::int32_t priority = 0;
  Instant created;
  Resources size;
  Fraction deviation;     ///< of the type of the ask that deviates most, in either direction [A12]
  bool enough = false;    ///< this pod alone is enough
  bool within = false;    ///< its deviation does not exceed the percentage
  bool deleting = false;  ///< it is being deleted already; the document does not leave such pods out
};

/// What a strategy selects, and why it selects no pod.
struct DesignTrial {
  enum class Outcome : std::uint8_t {
    selected,
    none_enough,  ///< single: no candidate is enough alone
    none_within,  ///< single: those that are enough deviate too much
    too_many,     ///< multiple: more victims would be needed than are allowed
    not_together  ///< multiple: all candidates together are not enough
  };
  std::string strategy;
  std::vector<PodId> victims;
  Outcome outcome = Outcome::selected;
  PodId nearest{};               ///< of none_within: the candidate that deviates least
  Fraction nearest_deviation{};  ///< and by how much
  std::size_t needed = 0;        ///< of too_many: so many victims, in this order, would be enough
};

/// The trials of one reading, up to the first strategy that selects a pod.
struct DesignSelection {
  std::vector<DesignTrial> trials;
  [[nodiscard]] auto victims() const -> std::vector<PodId> {
    return trials.empty() ? std::vector<PodId>() : trials.back().victims;
  }
};

struct DesignDecision {
  DesignSettings settings;
  Rule rule = Rule::design_not_applicable;
  Resources ask;
  Symbol required_node;
  NodeId node;
  Resources free;
  std::optional<Instant> starts_after;  ///< at the earliest, where delay_assumed
  /// The age of the reservation is not known: the delay is over at this time at the latest, and is assumed to be over.
  std::optional<Instant> may_start_after;
  std::size_t allocations = 0;
  std::size_t daemon_set = 0;
  std::size_t already_gone = 0;
  bool filtered = false;  ///< were candidates looked for at all?
  std::vector<Fate> spared;
  std::vector<DesignCandidate> order;  ///< the candidates, in the order of step (4)
  DesignSelection selection;
  DesignSelection other_selection;  ///< by the reading that DesignSettings::order does not name [A17]
  std::string strategy;             ///< the one that selected the victims
  std::vector<PodId> victims;

  /// How many of the victims are being deleted already?
  [[nodiscard]] auto deleting_victims() const -> std::size_t;
  /// Do the two readings select different victims?
  [[nodiscard]] auto readings_differ() const -> bool;
};

[[nodiscard]] auto decide_design(const Snapshot& cluster, PodId ask, bool unique_app_ids,
                                 const Assumptions& assumptions, TypeNames& types, Moment& now) -> DesignDecision;

}  // namespace previct::yunikorn
