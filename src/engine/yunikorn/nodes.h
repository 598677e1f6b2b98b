#pragma once

#include "engine/yunikorn/partition_context.h"
#include "engine/yunikorn/predicates.h"

namespace previct::yunikorn {

/// The result of trying the nodes for a pod that may run on any.
struct NodeSearch {
  NodeId fits;        ///< first node, in the scheduler's order, that fits and passes the filters; none if there is none
  NodeId to_reserve;  ///< otherwise: the node to reserve, suitable or not; none if no node could ever hold the pod
  Predicates::Refusal not_reserved;                       ///< why that node is not reserved
  std::vector<std::pair<NodeId, kube::Reason>> unsuited;  ///< nodes with enough free resources that fail a filter
  OverMax over_max;  ///< the queue that does not accept the pod, if a node fits and passes the filters
};

/// Tries schedulable nodes in the order of the partition's nodesortpolicy; ties are broken by name.
/// Source: apache/yunikorn-core 1.9 pkg/scheduler/objects/application.go tryNodes, nodesorting.go, node_collection.go.
[[nodiscard]] auto search_nodes(const PartitionContext& core, const Allocation& ask, Predicates& predicates)
    -> NodeSearch;

/// Returns the first node for a pod that replaces another one, which is only removed afterwards; nothing is reserved.
[[nodiscard]] auto first_that_fits(const PartitionContext& core, const Allocation& ask, Predicates& predicates)
    -> NodeId;

}  // namespace previct::yunikorn
