#pragma once

#include "engine/yunikorn/partition_context.h"
#include "engine/yunikorn/predicates.h"

namespace previct::yunikorn {

/// The nodes of the cluster, tried for a pod that may run on any.
struct NodeSearch {
  NodeId fits;  ///< the first one with room that suits, in the scheduler's order; none if there is none
  NodeId
      to_reserve;  ///< else: the one that would be reserved, suitable or not; none if no node could ever hold the pod
  Predicates::Refusal not_reserved;                       ///< why that one is not
  std::vector<std::pair<NodeId, kube::Reason>> unsuited;  ///< those with room that do not suit
};

/// Tries schedulable nodes in the order of the partition's nodesortpolicy, ties by name.
/// Source: apache/yunikorn-core 1.9 pkg/scheduler/objects/application.go tryNodes, nodesorting.go,
/// node_collection.go.
[[nodiscard]] auto search_nodes(const PartitionContext& core, const Allocation& ask, Predicates& predicates)
    -> NodeSearch;

/// The same for a pod that takes the place of another, which leaves only then; nothing is reserved.
[[nodiscard]] auto first_that_fits(const PartitionContext& core, const Allocation& ask, Predicates& predicates)
    -> NodeId;

}  // namespace previct::yunikorn
