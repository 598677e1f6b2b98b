#pragma once

#include "cluster/changed_cluster.h"
#include "cluster/snapshot.h"

#include <span>
#include <vector>

namespace previct::sequence {

/// Returns the pods that are lost with these nodes (Settings::lost): of each StatefulSet, lower ordinals first.
[[nodiscard]] auto pods_lost_with(std::span<const NodeId> nodes, const Snapshot& cluster) -> std::vector<PodId>;

/// Removes the nodes, which invalidates the ids of others: see ChangedCluster::remove_nodes(). The release that they
/// show remains known.
void lose(std::span<const NodeId> nodes, const Snapshot& cluster, ChangedCluster& changed);

}  // namespace previct::sequence
