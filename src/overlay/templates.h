#pragma once

#include "api/objects.h"

#include <optional>
#include <string>

namespace previct {

/// Where the template of a workload's pods stands on the tape; none if the object is no workload, or has none.
[[nodiscard]] auto template_of(const FoundObject& found) -> std::optional<std::uint32_t>;

/// What became of an object that is laid over an input.
struct TemplatePods {
  bool of_workload = false;
  std::string remark{};  ///< why there are no pods, or that there would be more; empty: nothing to say
};

/// Adds the pod that a workload would make next (Deployment, StatefulSet, ReplicaSet, ReplicationController, Job,
/// CronJob): its template, named and owned as its controller does. Of pods that are placed together (a pod group, named
/// by the template) it adds all that the workload makes at once. A DaemonSet makes one pod for every node that its pods
/// may run on and that has none of them yet. One that is suspended or wants no replicas makes none.
///
/// Pods of a Deployment, StatefulSet or DaemonSet get the label that tells its templates apart, with a value that no
/// other pod has: the hash itself is not worked out. Source: kubernetes: pkg/controller/deployment/sync.go
/// getNewReplicaSet; stateful_set_utils.go setPodRevision; pkg/controller/daemon/daemon_controller.go; v1.36.
///
/// A StatefulSet makes the claims of its volumeClaimTemplates as well. Source: kubernetes:
/// pkg/controller/statefulset/stateful_set_utils.go updateStorage, getPersistentVolumeClaimName.
[[nodiscard]] auto add_pods_of_template(const FoundObject& found, FileId file, Objects& objects)
    -> Result<TemplatePods>;

}  // namespace previct
