#pragma once

#include "cluster/changed_cluster.h"
#include "cluster/snapshot.h"

#include <span>
#include <string>
#include <vector>

namespace previct::sequence {

/// What kubectl drain does on some nodes.
struct Drain {
  std::vector<PodId> evicted;      ///< by namespace and name (Settings::drained)
  std::vector<std::string> flags;  ///< that it needs: without them, it evicts no pod
};

/// Returns which pods kubectl drain evicts from these nodes: neither pods of DaemonSets nor static pods.
/// Source: kubernetes v1.35.4 staging/src/k8s.io/kubectl/pkg/drain/filters.go daemonSetFilter, mirrorPodFilter,
/// localStorageFilter, unreplicatedFilter.
[[nodiscard]] auto drain_of(std::span<const NodeId> nodes, const Snapshot& cluster) -> Drain;

/// Makes the nodes unschedulable, as kubectl drain does first.
void cordon(std::span<const NodeId> nodes, ChangedCluster& changed);

}  // namespace previct::sequence
