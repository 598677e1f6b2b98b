#pragma once

#include "cluster/snapshot.h"

#include <optional>
#include <string>
#include <vector>

namespace previct::history {

/// An object as a sign names it. Empty: not said.
struct Named {
  std::string kind = "pod";  ///< `pod`, `podgroup`, `application`, `queue`, `workload` (of Kueue)
  std::string ns;
  std::string name;
  std::string uid;
  PodId pod;  ///< in the input: the one of this uid, or where no uid is said the one of this name that is old enough

  /// `ns/name`, else the uid, else `an unknown pod`.
  [[nodiscard]] auto text() const -> std::string;
  /// The same, with its kind unless it is a pod.
  [[nodiscard]] auto with_kind() const -> std::string;
};

/// What took a pod away.
enum class Cause : std::uint8_t {
  preemption,         ///< by kube-scheduler, for another pod
  kai_preemption,     ///< by KAI, for another workload of its queue
  kai_reclaim,        ///< by KAI, for a workload of another queue
  kai_consolidation,  ///< by KAI, to move it elsewhere
  kai_stale_gang,     ///< by KAI, because its gang fell below its minimum
  yunikorn,           ///< by YuniKorn, for another pod
  yunikorn_quota,     ///< by YuniKorn, because its queue's quota was lowered
  koordinator,        ///< by Koordinator, for a job
  kueue,              ///< a workload, by Kueue, for another one
  kueue_eviction,     ///< a workload, by Kueue, for another reason
  unnamed_scheduler,  ///< by a scheduler that is not known: only the pod's condition says so
  taint,              ///< a NoExecute taint
  eviction_api,       ///< a drain, an autoscaler, a descheduler …
  pod_gc,             ///< its node is gone
  kubelet_eviction,   ///< by the kubelet: the node was short of something, or the pod used more storage than it may
  kubelet_critical,   ///< by the kubelet, to admit a critical pod
  kubelet_shutdown,   ///< by the kubelet, as its node was shut down
  kubelet             ///< by the kubelet, for a reason that it does not say
};
/// Stable, for programs.
[[nodiscard]] auto cause_id(Cause cause) -> std::string_view;
/// `evicted by the kubelet (…)`; of preemptions: `preempted`.
[[nodiscard]] auto cause_words(Cause cause) -> std::string_view;
[[nodiscard]] auto is_preemption(Cause cause) -> bool;

/// One trace in the input.
struct Sign {
  std::string what;   ///< `DisruptionTarget PreemptionByScheduler: …`, or the event's note as it is
  std::string from;   ///< `pod status`, `workload status`, `event`
  Instant at;         ///< Instant{}: not said
  std::string field;  ///< path as in api/locate.h
  Source source;
  bool quoted = false;  ///< `what` holds a sentence of the input, which may name anything
};

/// A pod that was taken away, by all signs of it.
struct Disruption {
  Named pod;
  Cause cause = Cause::unnamed_scheduler;
  std::optional<Named> by;  ///< of preemptions: for whom, as far as it is said
  bool by_inferred =
      false;  ///< nobody says it: the only pod of higher priority that is nominated, or was bound since, to the node
  /// Another one that chose the same victim, and when that was told.
  struct Also {
    Named by;
    std::string node{};
    Instant at{};
  };
  std::vector<Also> also_by;
  std::string node;  ///< empty: not said
  Instant
      at;  ///< the latest moment at which it can have been decided (conditions know whole seconds); Instant{}: unknown
  std::string detail{};     ///< what the signs say of the reason
  bool in_memory = false;   ///< it was on its way to a node only, and went back to the queue
  std::vector<Sign> signs;  ///< by time
};

/// What the events of kube-scheduler, KAI, YuniKorn, kubelets and the taint manager and the pods' conditions
/// DisruptionTarget and reasons tell of pods that were taken away; in the order of time, then of names.
///
/// Events are joined with pods by uid; KAI's name the pod only. A pod need not be in the input any more.
///
/// The signs of a preemption for a critical pod, which the kubelet does not name, show the pods that it may have been.
///
/// Source: kubernetes/kubernetes: pkg/scheduler/framework/preemption (PreemptPod; its wordings since 1.8: `by NS/NAME
/// on node N`, `Preempted by NS/NAME on node N`, `Preempted by a pod on node N` (1.26), `Preempted by pod UID on node
/// N` (1.28), groups instead of pods and `(in kube-scheduler memory).` from 1.36 on), pkg/controller/tainteviction,
/// pkg/kubelet/eviction, preemption, nodeshutdown; koordinator-sh/koordinator: pkg/scheduler/plugins/coscheduling
/// (preemptPod: `…, preemptor: NS/JOB, triggerPod: NS/POD`); kai-scheduler/KAI-Scheduler:
/// pkg/scheduler/api/unschedule_info.go, cache/status_updater Evicted; apache/yunikorn-core:
/// pkg/scheduler/objects/events/ask_events.go, published by apache/yunikorn-k8shim: pkg/cache/context.go PublishEvents
/// under the reason Informational; kubernetes-sigs/kueue v0.19.0: pkg/scheduler/preemption/preemption.go
/// preemptionMessage (conditions Preempted, Evicted and event Preempted of a Workload; until 0.18 without the paths).
[[nodiscard]] auto disruptions(const Snapshot& cluster) -> std::vector<Disruption>;

}  // namespace previct::history
