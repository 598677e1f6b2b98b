#pragma once

#include "cluster/snapshot.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace previct {

/// The controllers that delete pods in an order of their own.
enum class DeletedBy : std::uint8_t {
  replica_set,  ///< or a ReplicationController
  job,          ///< without two pods of one index
};

/// Since when a pod is ready, if its conditions do not say, as in a simulation.
using ReadySince = std::function<std::optional<Instant>(PodId)>;

/// The pods that a controller deletes when it has too many: `count` of `active`, its pods that have not ended and are
/// not being deleted, in the order of `active`. `rank`: for a ReplicaSet, the number of active pods on the node of a
/// pod that belong to a ReplicaSet of the same Deployment. Of pods that only differ in their names, it takes the first
/// by name. None: the number of restarts decides, which is not read, or the pods are equal but differ in what they
/// request or where they run. Source: kubernetes pkg/controller/controller_utils.go ActivePodsWithRanks.Less,
/// ActivePods.Less, replicaset/replica_set.go getPodsToDelete, getPodsRankedByRelatedPodsOnSameNode,
/// job/job_controller.go activePodsForRemoval, v1.35 (LogarithmicScaleDown enabled).
[[nodiscard]] auto first_to_delete(DeletedBy by, const std::vector<PodId>& active, std::size_t count,
                                   const std::function<std::size_t(const Pod&)>& rank, Instant now,
                                   const Snapshot& cluster, const ReadySince& ready_since = {})
    -> std::optional<std::vector<PodId>>;

}  // namespace previct
