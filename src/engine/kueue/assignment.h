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
    not_provided,   ///< the flavor lacks a resource of its group
    no_topology,    ///< the pods need a topology, and the flavor has none
    no_level,       ///< its topology lacks a requested level
    only_topology,  ///< the flavor has a topology, and the pods ask for none
    not_nominated,  ///< in the same cycle, other flavors were nominated
    no_placement    ///< the pods do not fit into the topology
  };
  Kind kind{};
  Symbol flavor{};
  Symbol resource{};
  const Taint* taint = nullptr;
  Amount assumed{};  ///< for earlier pod sets
  Amount request{};  ///< for this pod set
  /// For over_capacity: the maximum possible; for short_of: what is missing now.
  Amount limit{};
  std::optional<NoPlacement> placement{};

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
  Mode mode{};  ///< that of `way`, unless the topology decides otherwise
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
  /// Where its pods run; or, if victims are missing, where they would run if no workload used anything. None: it needs
  /// no topology, or does not fit.
  std::optional<std::vector<PlacedPods>> placed{};
  Symbol topology_flavor{};                 ///< with `placed`
  std::optional<NoPlacement> never_fits{};  ///< its pods would not even fit if no workload used anything
};

/// Why a pod set cannot be given to the topology. Source: pkg/scheduler/flavorassigner/errors.go.
enum class TopologyError : std::uint8_t { no, no_information, no_flavor, several_flavors };

/// The flavors of a workload. Source: pkg/scheduler/flavorassigner/flavorassigner.go.
struct Assignment {
  std::vector<AssignedPodSet> sets{};  ///< up to the first that fails
  Requests usage{};
  std::size_t level = 0;          ///< how many levels up it borrows
  std::optional<Mode> decided{};  ///< by the topology, for the workload as a whole
  TopologyError error{};          ///< of the pod set `failed_set`
  std::size_t failed_set = 0;
  std::vector<Symbol> error_flavors{};        ///< of `several_flavors`, by name
  std::vector<TopologyUse> topology_usage{};  ///< what `placed` takes

  [[nodiscard]] auto mode() const -> Mode;
  /// The pairs that lack quota, and all requests.
  [[nodiscard]] auto needs(const FlavorResources& names) const -> std::vector<FlavorResource>;
  [[nodiscard]] auto requests(const FlavorResources& names) const -> Requests;
  [[nodiscard]] auto tried() const -> std::vector<Controller::Tried>;
  /// Returns true if a flavor remains to be tried in the next cycle.
  [[nodiscard]] auto has_untried() const -> bool;
};

/// Assigns flavors. `counts`: reduced pod counts, for each pod set; empty: those of the spec.
/// `nominated`: only the flavors of this assignment of the same cycle; null: all.
[[nodiscard]] auto assign(Trial& trial, WorkloadId workload, QueueId queue, const std::vector<std::int64_t>& counts,
                          const Assignment* nominated = nullptr) -> Assignment;

/// Returns true if the pods of a pod set get a topology assignment: they ask for it, or the ClusterQueue has only
/// flavors with a topology.
[[nodiscard]] auto asks_for_topology(const PodSet& set) -> bool;
[[nodiscard]] auto needs_topology(const Inventory& inventory, WorkloadId workload, QueueId queue) -> bool;

/// Returns the admission check that decides in which cluster, or on which new nodes, pods on the flavor run: one of
/// MultiKueue, or of provisioning; null: none does.
[[nodiscard]] auto check_that_places(const Inventory& inventory, const QueueInfo& queue, Symbol flavor)
    -> const AdmissionCheck*;

/// Returns the pods that still need a topology assignment.
[[nodiscard]] auto placement_requests(const Inventory& inventory, WorkloadId workload, QueueId queue,
                                      Assignment& assignment) -> PlacementRequests;
/// Notes in the assignment where its pods run.
void set_placements(const Inventory& inventory, WorkloadId workload, const Placements& placements,
                    Assignment& assignment);

}  // namespace previct::kueue
