#pragma once

#include "engine/kueue/preemption.h"

#include <optional>
#include <string>
#include <vector>

namespace previct::kueue {

/// How a resource of a flavor can be obtained. Source: pkg/scheduler/flavorassigner granularMode.
enum class ByWay : std::uint8_t { no_fit, no_candidates, preempt, reclaim, fit };

/// The same for a pod set, or a workload.
enum class Mode : std::uint8_t { no_fit, preempt, fit };
[[nodiscard]] auto mode_of(ByWay way) -> Mode;
[[nodiscard]] auto mode_name(Mode mode) -> std::string_view;

/// Why a flavor is not suitable.
struct WhyNot {
  enum class Kind : std::uint8_t {
    flavor_missing,
    taint,
    affinity,
    over_capacity,  ///< more than the maximum that is possible
    short_of,       ///< more than is free now
    undeclared,     ///< the ClusterQueue has no quota for the resource
    not_provided    ///< the flavor lacks a resource of its group
  };
  Kind kind{};
  Symbol flavor{};
  Symbol resource{};
  const Taint* taint = nullptr;
  Amount assumed{};  ///< for earlier pod sets
  Amount request{};  ///< for this pod set
  /// For over_capacity: the maximum possible; for short_of: what is missing now.
  Amount limit{};

  friend auto operator==(const WhyNot&, const WhyNot&) -> bool = default;
};

/// The severity of a flavor's failure, the mildest first. Source: pkg/scheduler/scheduler.go resolveNoFitReason.
enum class Severity : std::uint8_t { none, topology, quota_used, over_capacity, no_matching_flavor };

/// One flavor that was tried for a pod set.
struct Attempt {
  Symbol flavor;
  Mode mode = Mode::fit;
  ByWay way = ByWay::fit;  ///< whether victims were searched, and where they are
  std::size_t level = 0;
  std::vector<WhyNot> reasons{};  ///< without duplicates
  Severity severity{};

  friend auto operator==(const Attempt&, const Attempt&) -> bool = default;
};

struct ChosenFlavor {
  Symbol resource;
  Symbol flavor;
  ByWay way{};
  std::size_t level = 0;
  int tried = -1;  ///< index after which the next attempt continues; -1: at the first flavor
};

struct AssignedPodSet {
  std::size_t index = 0;  ///< in the workload's spec
  std::int64_t count = 0;
  Mode mode = Mode::fit;
  std::vector<ChosenFlavor> flavors{};  ///< by name of the resource
  std::vector<WhyNot> reasons{};
  std::vector<Attempt> attempts{};  ///< by name of the flavor
  std::vector<ResourceAmount> requests{};
};

/// The flavors of a workload. Source: pkg/scheduler/flavorassigner/flavorassigner.go.
struct Assignment {
  std::vector<AssignedPodSet> sets{};  ///< up to the first that fails
  Requests usage{};
  std::size_t level = 0;  ///< how many levels up it borrows

  [[nodiscard]] auto mode() const -> Mode;
  /// The pairs that lack quota, and all requests.
  [[nodiscard]] auto needs(const FlavorResources& names) const -> std::vector<FlavorResource>;
  [[nodiscard]] auto requests(const FlavorResources& names) const -> Requests;
  [[nodiscard]] auto tried() const -> std::vector<Controller::Tried>;
  /// Returns true if a flavor remains to be tried in the next cycle.
  [[nodiscard]] auto has_untried() const -> bool;
};

/// Assigns flavors. `counts`: reduced pod counts, for each pod set; empty: those of the spec.
[[nodiscard]] auto assign(Trial& trial, WorkloadId workload, QueueId queue, const std::vector<std::int64_t>& counts)
    -> Assignment;

}  // namespace previct::kueue
