#pragma once

#include "cluster/snapshot.h"
#include "engine/yunikorn/resources.h"
#include "engine/yunikorn/running_release.h"

#include <optional>
#include <string>
#include <vector>

/// What YuniKorn's shim reads from a pod, before any queue is known.
/// Source for all of it: apache/yunikorn-k8shim 1.9 pkg/common/utils, pkg/common/resource.go,
/// pkg/cache/task.go.
namespace previct::yunikorn {

/// Keys and values that the rules below compare with, looked up once. A symbol that no input holds is none,
/// and nothing has it.
struct Keys {
  explicit Keys(const Snapshot& cluster, const Release& of = {});

  Release release;  ///< whose rules these are

  Symbol yunikorn;  ///< the scheduler's name
  Symbol canonical_app_id, label_app_id, spark_app_id;
  Symbol canonical_queue, label_queue;
  Symbol allow_preemption, placeholder, old_placeholder, label_placeholder, task_group_name, task_groups;
  Symbol user_info, user_name;
  Symbol parent_queue, namespace_quota, namespace_guaranteed, namespace_max_cpu, namespace_max_memory;
  Symbol namespace_max_apps;
  Symbol true_text, false_text;
  Symbol daemon_set;
  Symbol resize_pending, infeasible, proposed;
};

/// Is the pod YuniKorn's? Only the exact name counts; all other pods are foreign.
[[nodiscard]] inline auto is_ours(const Keys& keys, const Pod& pod) -> bool {
  return keys.yunikorn && pod.spec.scheduler_name == keys.yunikorn;
}

/// The application the pod belongs to, as written on it; empty if one has to be generated.
[[nodiscard]] auto written_application(const Snapshot& cluster, const Keys& keys, const Pod& pod) -> std::string_view;

/// The application's final id, from what is written (may be empty): unique suffixes replaced by the pod's
/// uid, generated ids made from the namespace. `unique`: the setting
/// admissionController.filtering.generateUniqueAppId.
[[nodiscard]] auto application_id(const Snapshot& cluster, const Pod& pod, std::string_view written, bool unique)
    -> std::string;

/// The queue the pod asks for; empty if none.
[[nodiscard]] auto queue_wish(const Snapshot& cluster, const Keys& keys, const Pod& pod) -> std::string_view;

/// May the pod be preempted at all? The pod's own annotation, then its class's; anything but the exact texts
/// `true` and `false` is ignored.
[[nodiscard]] auto opted_out(const Snapshot& cluster, const Keys& keys, const Pod& pod) -> bool;

/// Holds a place for a pod of a gang. The first of the flag's three spellings that is a boolean counts.
[[nodiscard]] auto is_placeholder(const Snapshot& cluster, const Keys& keys, const Pod& pod) -> bool;

/// The group of its gang that the pod belongs to, or holds a place for; empty if none.
[[nodiscard]] auto task_group(const Snapshot& cluster, const Keys& keys, const Pod& pod) -> std::string_view;

/// What all places of a gang take, if the pod that makes the application asks for one; unset if it does not, or if what
/// it says cannot be read.
/// Source: apache/yunikorn-k8shim 1.9 pkg/cache/utils.go GetTaskGroupsFromAnnotation, pkg/common/resource.go
/// GetTGResource.
[[nodiscard]] auto gang_size(const Snapshot& cluster, const Keys& keys, const Pod& pod, TypeNames& types)
    -> MaybeResources;

/// A claim of a pod without which the shim does not ask the core for the pod.
struct UnsoundClaim {
  std::string name;
  bool deleting = false;  ///< it is being deleted; else it does not exist
  bool certain = true;    ///< false: the input may hold no more than a part of the claims
};
/// The first claim that keeps a pending pod from the core, certain ones first; generic ephemeral volumes are not looked
/// at. Source: apache/yunikorn-k8shim 1.9 pkg/cache/task.go checkPodPVCs, pkg/cache/application.go scheduleTasks.
[[nodiscard]] auto unsound_claim(const Snapshot& cluster, const Pod& pod) -> std::optional<UnsoundClaim>;

/// The only node the pod may run on: pods of a DaemonSet name it in their node affinity. None for others.
[[nodiscard]] auto required_node(const Snapshot& cluster, const Keys& keys, const Pod& pod) -> Symbol;

/// What the pod takes: `pods: 1`, its containers and overhead. Unlike the kube scheduler's sum (cluster/
/// pod_request.h), each container is rounded up by itself, and what the kubelet has allocated counts for
/// pending pods as well.
/// Source: apache/yunikorn-k8shim 1.9 pkg/common/resource.go GetPodResource.
[[nodiscard]] auto pod_size(const Keys& keys, const Pod& pod, TypeNames& types) -> Resources;

struct User {
  std::string name = "nobody";
  std::vector<std::string> groups;
  bool groups_noted = false;
};
/// Who submitted the pod: as the admission controller has noted it, else as a label says; `nobody` without either, or
/// if the note cannot be read. Without groups, a user is in the one of its own name. Source: apache/yunikorn-k8shim 1.9
/// pkg/common/utils GetUserFromPod; apache/yunikorn-core 1.9 pkg/common/security ConvertUGI, GetUserGroupNoResolve.
[[nodiscard]] auto user_of(const Snapshot& cluster, const Keys& keys, const Pod& pod) -> User;

}  // namespace previct::yunikorn
