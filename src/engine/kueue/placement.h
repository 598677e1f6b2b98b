#pragma once

#include "engine/kueue/topology.h"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace previct::kueue {

/// The pods of one pod set that need a topology assignment.
struct PlacementRequest {
  std::size_t set = 0;  ///< index in the workload's spec
  const PodSet* object = nullptr;
  const PodSpec* spec = nullptr;  ///< as admitted: with defaults
  Symbol flavor;
  std::int64_t count = 0;
  Capacity one_pod{};    ///< including one of `pods`
  bool implied = false;  ///< the workload does not ask for it, but its ClusterQueue has only flavors with a topology
};
using PlacementRequests = std::vector<PlacementRequest>;

/// Why pods cannot be placed. Source of the texts: pkg/cache/scheduler/tas_flavor_snapshot.go.
struct NoPlacement {
  enum class Kind : std::uint8_t {
    too_few,          ///< only `fit` of `wanted` fit
    too_few_layers,   ///< the same for slices of several layers
    no_level,         ///< the topology has no such level
    no_slice_level,   ///< the same for slices
    no_layer_level,   ///< the same for slices within slices
    level_not_given,  ///< neither required nor preferred nor unconstrained
    no_domains,       ///< no node has the labels
    slice_size,       ///< slices without a size
    slices_above,     ///< slices are of a level above that of the pod set
    layer_order,      ///< slices within slices are not of a lower level
    layer_size        ///< the size of the outer slice is no multiple of that of the inner one
  };
  struct Layer {
    Symbol level;
    std::int64_t fit = 0;
    std::int64_t wanted = 0;
    friend auto operator==(const Layer&, const Layer&) -> bool = default;
  };
  Kind kind{};
  Symbol topology{};
  Symbol level{};  ///< of `too_few`: within one domain of it; none: within several
  Symbol other_level{};
  std::int64_t fit = 0;
  std::int64_t wanted = 0;
  bool in_slices = false;
  std::vector<Layer> layers{};
  std::size_t nodes = 0;                           ///< of the flavor
  std::size_t unready = 0;                         ///< further nodes, which are cordoned or not ready
  std::size_t selector = 0;                        ///< nodes that do not match the nodeSelector
  std::size_t affinity = 0;                        ///< nodes that do not match the node affinity
  std::map<std::string, std::size_t> taints{};     ///< nodes by taint, as Kubernetes prints it
  std::map<std::string, std::size_t> resources{};  ///< domains by the resource of which they lack enough for one pod

  friend auto operator==(const NoPlacement&, const NoPlacement&) -> bool = default;
};

/// The pods of a pod set in one domain of the lowest level.
struct PlacedPods {
  std::string domain;          ///< TopologyFlavor::Domain::id
  std::vector<Symbol> values;  ///< of all levels; of a node, too
  std::int64_t count = 0;

  friend auto operator==(const PlacedPods&, const PlacedPods&) -> bool = default;
};

/// Where the pods of each pod set would run, by index; or the first pod set that fits nowhere.
struct Placements {
  std::map<std::size_t, std::vector<PlacedPods>> sets{};
  std::optional<NoPlacement> failure{};
  std::size_t failed_set = 0;
  Symbol failed_flavor{};
};

/// Settings of the algorithm.
struct PlacementRules {
  bool mixed = true;                ///< TASProfileMixed: pods without constraints go to the fullest domains
  bool overlapping_flavors = true;  ///< TASHandleOverlappingFlavors
};

/// Places pod sets of a workload. `without_workloads`: as if no workload used anything.
/// Source: pkg/cache/scheduler/clusterqueue_snapshot.go FindTopologyAssignmentsForWorkload, tas_flavor_snapshot.go.
[[nodiscard]] auto place(const Topologies& topologies, const TopologyState& state, const PlacementRequests& requests,
                         bool without_workloads, const PlacementRules& rules, const Snapshot& cluster) -> Placements;

/// The slices that a request asks for, the outermost first.
[[nodiscard]] auto slices_of(const std::optional<TopologyRequest>& request) -> std::vector<SliceConstraint>;

/// Returns true if the flavor's topology has the levels that the request names.
[[nodiscard]] auto has_levels_of(const TopologyFlavor& flavor, const TopologyRequest& request) -> bool;

}  // namespace previct::kueue
