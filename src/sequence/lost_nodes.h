#pragma once

#include "cluster/changed_cluster.h"
#include "cluster/snapshot.h"
#include "engine/engine.h"

#include <span>
#include <vector>

namespace previct::sequence {

/// Returns the pods that are lost with these nodes (Settings::lost): of each StatefulSet, lower ordinals first.
[[nodiscard]] auto pods_lost_with(std::span<const NodeId> nodes, const Snapshot& cluster) -> std::vector<PodId>;

/// Removes the nodes, which invalidates the ids of others: see ChangedCluster::remove_nodes(). If only they and their
/// pods showed the release of kube-scheduler, the question names it from then on.
///
/// Errors: those of kube::running_release().
[[nodiscard]] auto lose(std::span<const NodeId> nodes, const Snapshot& cluster, ChangedCluster& changed,
                        Question& question) -> Result<void>;

}  // namespace previct::sequence
