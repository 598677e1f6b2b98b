#pragma once

#include "engine/yunikorn/fraction.h"
#include "engine/yunikorn/partition_context.h"
#include "engine/yunikorn/required_node.h"

#include <optional>

/// The victim selection of the 1.5.1 design document "Preemption for DaemonSet Pods using Simple Preemptor".
///
/// No release implements it: released schedulers choose victims as described in required_node.h. Where the document is
/// ambiguous, the interpretation in use is marked [A1] … [A17], as in the specification.
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
  Fraction deviation;     ///< largest deviation of any type of the ask, in either direction [A12]
  bool enough = false;    ///< this pod alone is enough
  bool within = false;    ///< its deviation does not exceed the percentage
  bool deleting = false;  ///< it is already being deleted; the document does not exclude such pods
};

/// The victims that a strategy selects, or the reason why it selects none.
struct DesignTrial {
  enum class Outcome : std::uint8_t {
    selected,
    none_enough,  ///< single: no candidate alone is enough
    none_within,  ///< single: candidates that are enough deviate too much
    too_many,     ///< multiple: more victims than allowed would be needed
    not_together  ///< multiple: all candidates together do not suffice
  };
  std::string strategy;
  std::vector<PodId> victims;
  Outcome outcome = Outcome::selected;
  PodId nearest{};               ///< for none_within: the candidate that deviates least
  Fraction nearest_deviation{};  ///< and its deviation
  std::size_t needed = 0;        ///< for too_many: this many victims, in this order, would be enough
};

/// The trials of one interpretation, up to the first strategy that selects a pod.
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
  std::optional<Instant> starts_after;  ///< earliest start; exact if the age of the reservation is known
  /// The age of the reservation is unknown: the delay ends at this time at the latest, and is assumed to have ended.
  std::optional<Instant> may_start_after;
  std::size_t allocations = 0;
  std::size_t daemon_set = 0;
  std::size_t already_gone = 0;
  bool filtered = false;  ///< whether candidates were looked for at all
  std::vector<Fate> spared;
  std::vector<DesignCandidate> order;  ///< the candidates, in the order of step (4)
  DesignSelection selection;
  DesignSelection other_selection;  ///< with the interpretation that DesignSettings::order does not name [A17]
  std::string strategy;             ///< strategy that selected the victims
  std::vector<PodId> victims;

  /// Returns how many of the victims are already being deleted.
  [[nodiscard]] auto deleting_victims() const -> std::size_t;
  /// Returns true if the two interpretations select different victims.
  [[nodiscard]] auto readings_differ() const -> bool;
};

[[nodiscard]] auto decide_design(const Snapshot& cluster, PodId ask, bool unique_app_ids,
                                 const Assumptions& assumptions, TypeNames& types, Moment& now) -> DesignDecision;

}  // namespace previct::yunikorn
