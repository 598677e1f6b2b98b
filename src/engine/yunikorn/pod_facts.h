#pragma once

#include "cluster/snapshot.h"
#include "engine/yunikorn/resources.h"
#include "engine/yunikorn/running_release.h"

#include <optional>
#include <string>
#include <vector>

/// What YuniKorn's shim reads from a pod, before any queue is known.
/// Source for all of it: apache/yunikorn-k8shim 1.9 pkg/common/utils, pkg/common/resource.go, pkg/cache/task.go.
namespace previct::yunikorn {

/// Keys and values that the functions below compare with, looked up once. A symbol that the input does not contain is
/// none, and no object has it.
struct Keys {
  explicit Keys(const Snapshot& cluster, const Release& of = {});

  Release release;  ///< release whose rules apply

  Symbol yunikorn;  ///< the scheduler's name
  Symbol canonical_app_id, label_app_id, spark_app_id;
  Symbol canonical_queue, label_queue;
  Symbol allow_preemption, placeholder, old_placeholder, label_placeholder, task_group_name, task_groups;
  Symbol policy_parameters;
  Symbol user_info, user_name;
  Symbol parent_queue, namespace_quota, namespace_guaranteed, namespace_max_cpu, namespace_max_memory;
  Symbol namespace_max_apps;
  Symbol true_text, false_text;
  Symbol daemon_set;
  Symbol resize_pending, infeasible, proposed;
};

/// Returns true if the pod belongs to YuniKorn. Only the exact scheduler name counts; all other pods are foreign.
[[nodiscard]] inline auto is_ours(const Keys& keys, const Pod& pod) -> bool {
  return keys.yunikorn && pod.spec.scheduler_name == keys.yunikorn;
}

/// Returns the application that the pod names; empty if its id has to be generated.
[[nodiscard]] auto written_application(const Snapshot& cluster, const Keys& keys, const Pod& pod) -> std::string_view;

/// Returns the final id of the application, from what is written on the pod (may be empty): unique suffixes are
/// replaced by the pod's uid; generated ids are derived from the namespace. `unique`: the setting
/// admissionController.filtering.generateUniqueAppId.
[[nodiscard]] auto application_id(const Snapshot& cluster, const Pod& pod, std::string_view written, bool unique)
    -> std::string;

/// Returns the queue that the pod requests; empty if none.
[[nodiscard]] auto requested_queue(const Snapshot& cluster, const Keys& keys, const Pod& pod) -> std::string_view;

/// Returns true if the pod opts out of preemption: by its own annotation, or else by that of its class. Values other
/// than `true` and `false` are ignored.
[[nodiscard]] auto opted_out(const Snapshot& cluster, const Keys& keys, const Pod& pod) -> bool;

/// Returns true for a placeholder of a gang. Of the three spellings of the flag, the first one with a boolean value
/// counts.
[[nodiscard]] auto is_placeholder(const Snapshot& cluster, const Keys& keys, const Pod& pod) -> bool;

/// Returns the task group to which the pod belongs, or for which it is a placeholder; empty if none.
[[nodiscard]] auto task_group(const Snapshot& cluster, const Keys& keys, const Pod& pod) -> std::string_view;

/// Returns the total size of all placeholders of a gang, if the pod that creates the application requests a gang; unset
/// if it does not, or if the annotation cannot be read.
/// Source: apache/yunikorn-k8shim 1.9 pkg/cache/utils.go GetTaskGroupsFromAnnotation, pkg/common/resource.go
/// GetTGResource.
[[nodiscard]] auto gang_size(const Snapshot& cluster, const Keys& keys, const Pod& pod, TypeNames& types)
    -> MaybeResources;

/// Returns how many seconds the placeholders of the application may exist that the pod creates.
/// Source: apache/yunikorn-k8shim 1.9 pkg/cache/utils.go GetSchedulingPolicyParam; apache/yunikorn-core 1.9
/// pkg/common/utils.go ConvertSITimeout, pkg/scheduler/objects/application.go defaultPlaceholderTimeout.
[[nodiscard]] auto placeholder_timeout(const Snapshot& cluster, const Keys& keys, const Pod& pod) -> std::int64_t;

/// A missing claim because of which the shim does not pass the pod to the core.
struct UnusableClaim {
  std::string name;
  bool deleting = false;  ///< true: it is being deleted; false: it does not exist
  bool certain = true;    ///< false: the input may contain only some of the claims
};
/// Returns the first claim that keeps a pending pod from the core, certain ones first; generic ephemeral volumes are
/// ignored. Source: apache/yunikorn-k8shim 1.9 pkg/cache/task.go checkPodPVCs, pkg/cache/application.go scheduleTasks.
[[nodiscard]] auto unusable_claim(const Snapshot& cluster, const Pod& pod) -> std::optional<UnusableClaim>;

/// Returns the only node on which the pod may run: pods of a DaemonSet name it in their node affinity. None for other
/// pods.
[[nodiscard]] auto required_node(const Snapshot& cluster, const Keys& keys, const Pod& pod) -> Symbol;

/// Returns what the pod uses: `pods: 1`, its containers and overhead. Unlike in the sum of kube-scheduler
/// (cluster/pod_request.h), each container is rounded up separately, and what the kubelet has allocated also counts for
/// pending pods.
/// Source: apache/yunikorn-k8shim 1.9 pkg/common/resource.go GetPodResource.
[[nodiscard]] auto pod_size(const Keys& keys, const Pod& pod, TypeNames& types) -> Resources;

struct User {
  std::string name = "nobody";
  std::vector<std::string> groups;
  bool groups_noted = false;
};
/// Returns the user that submitted the pod: from the admission controller's annotation, else from a label; `nobody`
/// without either, or if the annotation cannot be read. A user without groups is in the group with the user's name.
/// Source: apache/yunikorn-k8shim 1.9 pkg/common/utils GetUserFromPod; apache/yunikorn-core 1.9 pkg/common/security
/// ConvertUGI, GetUserGroupNoResolve.
[[nodiscard]] auto user_of(const Snapshot& cluster, const Keys& keys, const Pod& pod) -> User;

}  // namespace previct::yunikorn
