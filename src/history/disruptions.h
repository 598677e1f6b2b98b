#pragma once

#include "cluster/snapshot.h"

#include <optional>
#include <string>
#include <vector>

namespace previct::history {

/// An object as a trace identifies it. Empty fields: not given.
struct Named {
  std::string kind = "pod";  ///< `pod`, `podgroup`, `application`, `queue`, `workload` (of Kueue)
  std::string ns;
  std::string name;
  std::string uid;
  PodId pod;  ///< the pod in the input with this uid, or, without a uid, the pod with this name that is old enough

  /// `ns/name`; without a name the uid; without both `an unknown pod`.
  [[nodiscard]] auto text() const -> std::string;
  /// The same text, prefixed with the kind unless it is a pod.
  [[nodiscard]] auto with_kind() const -> std::string;
};

/// The cause of a pod's end.
enum class Cause : std::uint8_t {
  preemption,               ///< by kube-scheduler, for another pod
  kai_preemption,           ///< by KAI, for another workload of its queue
  kai_reclaim,              ///< by KAI, for a workload of another queue
  kai_consolidation,        ///< by KAI, to move it elsewhere
  kai_stale_gang,           ///< by KAI, because its gang fell below its minimum
  yunikorn,                 ///< by YuniKorn, for another pod
  yunikorn_quota,           ///< by YuniKorn, because the quota of its queue was reduced
  koordinator,              ///< by Koordinator, for a job
  kueue,                    ///< of a workload, by Kueue, for another workload
  kueue_eviction,           ///< of a workload, by Kueue, for another reason
  unnamed_scheduler,        ///< by an unknown scheduler: only the pod's condition shows it
  taint,                    ///< a NoExecute taint
  eviction_api,             ///< a drain, an autoscaler, a descheduler …
  karpenter,                ///< by Karpenter, which drained its node
  cluster_autoscaler,       ///< by Cluster Autoscaler, which removed its node
  descheduler,              ///< by the descheduler
  vertical_pod_autoscaler,  ///< by Vertical Pod Autoscaler, to apply a recommendation
  pod_gc,                   ///< its node does not exist any more
  kubelet_eviction,         ///< by the kubelet: a resource of the node ran short, or the pod exceeded its storage limit
  kubelet_critical,         ///< by the kubelet, to admit a critical pod
  kubelet_shutdown,         ///< by the kubelet, because its node was shut down
  kubelet                   ///< by the kubelet, for a reason that is not given
};
/// Stable id for programs.
[[nodiscard]] auto cause_id(Cause cause) -> std::string_view;
/// `evicted by the kubelet (…)`; for preemptions: `preempted`.
[[nodiscard]] auto cause_words(Cause cause) -> std::string_view;
[[nodiscard]] auto is_preemption(Cause cause) -> bool;

/// A trace of a disruption in the input.
struct Sign {
  std::string what;   ///< `DisruptionTarget PreemptionByScheduler: …`, or the unchanged note of the event
  std::string from;   ///< `pod status`, `workload status`, `event`
  Instant at;         ///< Instant{}: not given
  std::string field;  ///< path as in api/locate.h
  Source source;
  bool quoted = false;  ///< `what` contains a sentence of the input, which may contain any name
};

/// A pod that was evicted or preempted, with all of its traces.
struct Disruption {
  Named pod;
  Cause cause = Cause::unnamed_scheduler;
  std::optional<Named> by;  ///< for preemptions: the preemptor, as far as it is given
  bool by_inferred =
      false;  ///< no trace has it: the only pod of higher priority that is nominated, or was bound later, to the node
  /// Another preemptor that chose the same victim, and the time of that trace.
  struct Also {
    Named by;
    std::string node{};
    Instant at{};
  };
  std::vector<Also> also_by;
  std::string node;        ///< empty: not given
  Instant at;              ///< latest possible time of the decision (conditions have whole seconds); Instant{}: unknown
  std::string detail{};    ///< reason according to the traces
  bool in_memory = false;  ///< the pod was only waiting to be bound to a node, and was requeued
  std::vector<Sign> signs;  ///< ordered by time
};

/// Returns the pods that were evicted or preempted, according to the events of kube-scheduler, KAI, YuniKorn, kubelets,
/// the taint manager, the autoscalers and the descheduler, and to the DisruptionTarget conditions and the status
/// reasons of pods; ordered by time, then by name.
///
/// Events are matched with pods by uid; KAI's events only have the pod's name. A pod need not be in the input any more.
///
/// For a preemption for a critical pod, which the kubelet does not name, the traces list the pods that it may have
/// been.
///
/// Source: kubernetes/kubernetes: pkg/scheduler/framework/preemption (PreemptPod; its wording since 1.8: `by NS/NAME on
/// node N`, `Preempted by NS/NAME on node N`, `Preempted by a pod on node N` (1.26), `Preempted by pod UID on node N`
/// (1.28), groups instead of pods and `(in kube-scheduler memory).` from 1.36 on), pkg/controller/tainteviction,
/// pkg/kubelet/eviction, preemption, nodeshutdown; koordinator-sh/koordinator: pkg/scheduler/plugins/coscheduling
/// (preemptPod: `…, preemptor: NS/JOB, triggerPod: NS/POD`); kai-scheduler/KAI-Scheduler:
/// pkg/scheduler/api/unschedule_info.go, cache/status_updater Evicted; apache/yunikorn-core:
/// pkg/scheduler/objects/events/ask_events.go, published by apache/yunikorn-k8shim: pkg/cache/context.go PublishEvents
/// with the reason Informational; kubernetes-sigs/kueue v0.19.0: pkg/scheduler/preemption/preemption.go
/// preemptionMessage (conditions Preempted, Evicted and event Preempted of a Workload; without the paths up to 0.18);
/// kubernetes-sigs/karpenter: pkg/controllers/node/termination/terminator/events/events.go (EvictPod,
/// DisruptPodDelete); kubernetes/autoscaler: cluster-autoscaler/core/scaledown/actuation/drain.go (evictPod),
/// vertical-pod-autoscaler/pkg/updater (Evict); kubernetes-sigs/descheduler: pkg/descheduler/evictions/evictions.go
/// (the reason is the name of the strategy).
[[nodiscard]] auto disruptions(const Snapshot& cluster) -> std::vector<Disruption>;

}  // namespace previct::history
