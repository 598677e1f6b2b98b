#pragma once

#include "engine/yunikorn/world.h"

namespace previct::yunikorn {

/// The nodes of the cluster, tried for a pod that may run on any.
struct NodeSearch {
  NodeId fits;        ///< the first one with room, in the scheduler's order; none if there is none
  NodeId to_reserve;  ///< without room: the one that would be reserved; none if no node could ever hold the pod
};

/// Tries schedulable nodes in the order of the partition's nodesortpolicy, ties by name.
/// Source: apache/yunikorn-core 1.9 pkg/scheduler/objects/application.go tryNodes, nodesorting.go,
/// node_collection.go.
[[nodiscard]] auto search_nodes(const World& world, const Allocation& ask) -> NodeSearch;

}  // namespace previct::yunikorn
