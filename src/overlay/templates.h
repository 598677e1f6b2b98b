#pragma once

#include "api/objects.h"
#include "engine/gap.h"
#include "overlay/scale_down.h"

#include <cstdint>
#include <optional>
#include <string>

namespace previct {

/// The position of a workload's pod template on the tape; nullopt if the object is no workload, or has no template.
[[nodiscard]] auto template_of(const FoundObject& found) -> std::optional<std::uint32_t>;

/// The result for an object of an overlay.
struct TemplatePods {
  bool of_workload = false;
  std::string remark{};          ///< why there are no pods, or that there would be more; empty: no remark
  std::optional<Gap> unknown{};  ///< what the workload does that is not simulated
  std::optional<ScaledDown> scaled_down{};
  bool rolls_out = false;  ///< a simulation replaces its pods
};

/// The pods that workloads add.
enum class NewPods : std::uint8_t {
  next,  ///< the one that is explained
  all    ///< all that are created at once, for a simulation
};

/// Gives a pod the labels and annotations of its workload that KAI's pod-grouper derives properties of the pod from:
/// the queue, and how many are placed together. For pods of other schedulers, does nothing. Source:
/// kai-scheduler/KAI-Scheduler pkg/podgrouper/podgrouper/plugins/defaultgrouper, job.
void carry_over(const ObjectMeta& workload, Pod& pod, Symbols& symbols);

/// Adds the pod that a workload would create next (Deployment, StatefulSet, ReplicaSet, ReplicationController, Job,
/// CronJob): from its template, with the name and owner that its controller sets. If pods are placed together (as a pod
/// group, named in the template), adds all pods that the workload creates at once. A DaemonSet creates one pod for
/// every eligible node that has none yet. A suspended workload, or one with no replicas, creates none, and neither does
/// one that has all its pods or more, or a Job that has ended. A changed template of a workload that has all its pods
/// adds the pod by which a Deployment exceeds its replicas, if its strategy has one, and is a gap; if a simulation can
/// follow the rollout (rollout.h), it adds no pod. Source: kubernetes:
/// pkg/controller/deployment/util/deployment_util.go NewRSNewReplicas, MaxSurge; v1.36.
///
/// Pods of a Deployment, StatefulSet or DaemonSet get the label that distinguishes its templates, with a value that no
/// other pod has: the actual hash is not computed. Source: kubernetes: pkg/controller/deployment/sync.go
/// getNewReplicaSet; stateful_set_utils.go setPodRevision; pkg/controller/daemon/daemon_controller.go; v1.36.
///
/// A StatefulSet also creates the claims of its volumeClaimTemplates. Source: kubernetes:
/// pkg/controller/statefulset/stateful_set_utils.go updateStorage, getPersistentVolumeClaimName.
[[nodiscard]] auto add_pods_of_template(const FoundObject& found, FileId file, NewPods pods, Objects& objects)
    -> Result<TemplatePods>;

}  // namespace previct
