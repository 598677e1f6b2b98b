#pragma once

#include "api/workloads.h"
#include "cluster/snapshot.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace previct {

/// The owner of pods: a controller, or the pod itself if it has no controller. Its texts are parts of the texts of the
/// cluster's symbols.
struct PodOwner {
  std::string_view ns;
  std::string_view kind;  ///< of the controller: `Deployment` (recognized by the template's hash), `StatefulSet`,
                          ///< `Job` …; `Pod` without one
  std::string_view name;

  friend auto operator<(const PodOwner& a, const PodOwner& b) -> bool {
    return std::tie(a.ns, a.kind, a.name) < std::tie(b.ns, b.kind, b.name);
  }
  friend auto operator==(const PodOwner&, const PodOwner&) -> bool = default;
};
[[nodiscard]] auto owner_of_pod(const Snapshot& cluster, const Pod& pod) -> PodOwner;

/// The text for an owner: `Deployment ml/web`, `Pod ml/eval`.
[[nodiscard]] auto describe_owner(const PodOwner& owner) -> std::string;

/// The number of pods of this owner that are on nodes and not being deleted.
[[nodiscard]] auto running_pods(const Snapshot& cluster, const PodOwner& owner) -> std::size_t;

/// A phrase for pods in a sentence: `ml/eval` for one pod, `2 of 5 pods of Deployment ml/web`, or `4 pods`.
[[nodiscard]] auto describe_pods(const Snapshot& cluster, const std::vector<PodId>& pods) -> std::string;

/// Returns true if the pod exists only with its node: a pod of a DaemonSet, or a static pod.
[[nodiscard]] auto belongs_to_node(const Pod& pod, const Snapshot& cluster) -> bool;

/// Returns true for a static pod, which the API shows as a mirror. If the mirror is deleted, the kubelet does not stop
/// the pod, and creates the mirror again. Source: kubernetes pkg/kubelet/kubelet.go tryReconcileMirrorPods, v1.35.
[[nodiscard]] auto is_static(const Pod& pod, const Snapshot& cluster) -> bool;

/// Returns the number at the end of the name of a StatefulSet's pod, 3 for `web-3`; -1 if there is none.
[[nodiscard]] auto ordinal_of(std::string_view pod_name) -> std::int64_t;

/// Returns true if the Job creates no pod: it is suspended, has ended or is about to, or is being deleted.
/// Source: kubernetes pkg/controller/job/job_controller.go syncJob, manageJob, jobSuspended, v1.35.
[[nodiscard]] auto creates_no_pods(const Job& job, const Symbols& symbols) -> bool;
/// The controller that manages the Job instead of that of Kubernetes; none: that one does.
/// Source: kubernetes pkg/controller/job/job_controller.go managedByExternalController, v1.35.
[[nodiscard]] auto other_controller_of(const Job& job, const Symbols& symbols) -> Symbol;
/// The failed pods that a Job accepts if it does not say.
constexpr std::int64_t kDefaultBackoffLimit = 6;
/// The same of a Job with a limit for each index.
constexpr std::int64_t kNoBackoffLimit = 2147483647;
/// What a Job does when a disruption ends one of its pods: a preemption, a taint, or an eviction.
struct JobDisruption {
  std::string_view action = "Count";  ///< of the first rule of its pod failure policy that matches
  bool assumes_exit_codes = false;    ///< rules with exit codes come before it: they are assumed not to match
  /// The action, if it differs, of a rule before it that matches exit code 143 or 137, with which a container ends that
  /// SIGTERM or SIGKILL stops. The program may handle SIGTERM and end with another one. Empty: none.
  std::string_view by_exit_code;
  std::size_t exit_code_rule = 0;  ///< its index in podFailurePolicy.rules
};
/// Source: kubernetes pkg/controller/job/pod_failure_policy.go matchPodFailurePolicy, v1.35.
[[nodiscard]] auto on_disruption(const Job& job, const Symbols& symbols) -> JobDisruption;
/// Indexes of a Job, as intervals: the first and the last index of each. No two of them overlap.
using JobIndexes = std::vector<std::pair<std::int64_t, std::int64_t>>;
/// Reads `1,3-5`.
[[nodiscard]] auto indexes_in(std::string_view text) -> JobIndexes;
/// Returns true if a rule of the Job's successPolicy matches when these indexes have succeeded: it deletes its other
/// pods then. Source: kubernetes pkg/controller/job/success_policy.go matchSuccessPolicy, v1.35.
[[nodiscard]] auto meets_success_policy(const Job& job, const JobIndexes& succeeded, const Symbols& symbols) -> bool;
/// The indexes of the Job that have failed, as its status says.
[[nodiscard]] auto failed_indexes(const Job& job, const Symbols& symbols) -> std::int64_t;
/// Returns true if the index of the pod fails for good when a disruption ends the pod: the Job creates no other pod for
/// it. Source: kubernetes pkg/controller/job/indexed_job_utils.go isIndexFailed, getIndexFailureCount, v1.35.
[[nodiscard]] auto fails_index(const Job& job, const Pod& pod, const Symbols& symbols, std::string_view action) -> bool;
/// The pods and indexes of a Job that have failed.
struct JobFailures {
  std::int64_t pods = 0;
  std::int64_t indexes = 0;
};
/// Why the Job fails after these failures, the last one by a disruption; empty: it does not.
/// Source: kubernetes pkg/controller/job/job_controller.go syncJob, getFailJobMessage; pkg/apis/batch/v1/defaults.go,
/// v1.35.
[[nodiscard]] auto failure_of(const Job& job, JobFailures failed, std::string_view action) -> std::string;
/// Returns true if the StatefulSet should have a pod with this ordinal. It deletes those beyond its replicas, which the
/// API server sets: an object without them was written by hand.
/// Source: kubernetes pkg/controller/statefulset/stateful_set_utils.go podInOrdinalRange, v1.35.
[[nodiscard]] auto wants_ordinal(const StatefulSet& set, std::int64_t ordinal) -> bool;
/// Returns true if the API server creates no objects in the namespace, because it is being deleted.
/// Source: kubernetes: apiserver pkg/admission/plugin/namespace/lifecycle, v1.35.
[[nodiscard]] auto is_terminating(const Snapshot& cluster, Symbol ns) -> bool;

struct JobFailure {
  std::string why;      ///< empty: it does not fail
  bool certain = true;  ///< false: exit codes of containers decide it
};
/// Why the Job of these pods fails when disruptions end so many of them; none: it does not, or they have no Job in the
/// input. It deletes its other pods then. Source: kubernetes pkg/controller/job/job_controller.go syncJob, v1.35.
[[nodiscard]] auto job_failure_after(const Snapshot& cluster, const std::vector<PodId>& pods, std::size_t disrupted)
    -> JobFailure;

/// Does the owner of a pod create another one when this pod is deleted?
enum class NewPod : std::uint8_t { no, yes, unknown };
/// As far as the objects of the input show. Replicas are not counted.
[[nodiscard]] auto new_pod_after(const Snapshot& cluster, const Pod& pod) -> NewPod;

}  // namespace previct
