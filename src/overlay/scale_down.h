#pragma once

#include "cluster/snapshot.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace previct {

/// A kind of workload, and the kind of the objects that control its pods.
struct WorkloadOwner {
  std::string_view kind;   ///< `Deployment`
  std::string_view owner;  ///< `ReplicaSet`
};

/// Returns the pods of a workload that have not ended and are not being deleted.
[[nodiscard]] auto active_pods(const WorkloadOwner& workload, Symbol ns, std::string_view name, const Snapshot& cluster)
    -> std::vector<PodId>;

/// A workload of an overlay that has more pods than it wants.
struct ScaledDown {
  WorkloadOwner workload;
  Symbol ns;
  std::string name;
  std::int64_t wanted = 0;
};

/// Returns the pods that the workload deletes; `pods` are its active_pods(). None: it is not known which pods these
/// are. `now`: when it deletes them. Source: kubernetes pkg/controller: deployment/sync.go scale,
/// statefulset/stateful_set_control.go updateStatefulSet, job/job_controller.go manageJob, v1.35;
/// cluster/surplus_pods.h.
[[nodiscard]] auto deleted_by(const ScaledDown& of, const std::vector<PodId>& pods, Instant now,
                              const Snapshot& cluster) -> std::optional<std::vector<PodId>>;

/// Sets the replicas of the ReplicaSets of a Deployment, which delete the pods in a simulation. Returns false if the
/// input does not show what the Deployment would do.
[[nodiscard]] auto scale_replica_sets(const ScaledDown& of, Objects& objects) -> bool;

}  // namespace previct
