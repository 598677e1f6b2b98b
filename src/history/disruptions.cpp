#include "history/disruptions.h"

#include "api/event_reasons.h"
#include "base/contains.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <tuple>
#include <unordered_map>

namespace previct::history {
namespace {

/// The text before and after `word`; nullopt if the text does not contain it.
auto split(std::string_view text, std::string_view word)
    -> std::optional<std::pair<std::string_view, std::string_view>> {
  const std::size_t at = text.find(word);
  if (at == std::string_view::npos) return std::nullopt;
  return std::pair{text.substr(0, at), text.substr(at + word.size())};
}

auto take_prefix(std::string_view& text, std::string_view prefix) -> bool {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

auto take_suffix(std::string_view& text, std::string_view suffix) -> bool {
  if (!text.ends_with(suffix)) return false;
  text.remove_suffix(suffix.size());
  return true;
}

/// Parses exactly `ns/name`.
auto key_of(std::string_view text, std::string_view kind) -> std::optional<Named> {
  const auto parts = split(text, "/");
  if (!parts || parts->first.empty() || parts->second.empty() || text.find(' ') != std::string_view::npos)
    return std::nullopt;
  return Named{std::string(kind), std::string(parts->first), std::string(parts->second), {}, {}};
}

/// The content of a note about one pod.
struct TraceContent {
  std::optional<Named> victim = {};  // only KAI's notes contain it
  Cause cause = Cause::preemption;
  std::optional<Named> by = {};
  std::string node = {};
  bool in_memory = false;
  std::string detail = {};
};

auto told_by_kube(std::string_view note) -> std::optional<TraceContent> {
  TraceContent told;
  told.in_memory = take_suffix(note, " (in kube-scheduler memory).");
  if (!take_prefix(note, "Preempted by ") && !take_prefix(note, "by ")) return std::nullopt;
  const auto parts = split(note, " on node ");
  if (!parts || parts->second.empty()) return std::nullopt;
  told.node = parts->second;
  if (parts->first == "a pod") return told;
  if ((told.by = key_of(parts->first, "pod"))) return told;
  const auto kind_and_uid = split(parts->first, " ");
  if (!kind_and_uid || kind_and_uid->second.empty()) return std::nullopt;
  told.by = Named{std::string(kind_and_uid->first), {}, {}, std::string(kind_and_uid->second), {}};
  return told;
}

// Until 0.7, the sentence begins otherwise. Source: kai-scheduler/KAI-Scheduler pkg/scheduler/api/unschedule_info.go
// GetGangEvictionMessage.
auto is_about_stale_gang(std::string_view note) -> bool {
  constexpr std::string_view kMinimum = "the minimum required number of pods";
  return (take_prefix(note, "Workload doesn't meet ") || take_prefix(note, "Workload doesn't have ")) &&
         note.starts_with(kMinimum);
}

auto told_by_kai(std::string_view note) -> std::optional<TraceContent> {
  TraceContent told;
  if (is_about_stale_gang(note)) {
    const auto parts = split(note, ", evicting remaining pod: ");
    if (!parts || !(told.victim = key_of(parts->second, "pod"))) return std::nullopt;
    told.cause = Cause::kai_stale_gang;
    return told;
  }
  if (!take_prefix(note, "Pod ")) return std::nullopt;
  const auto parts = split(note, " was preempted ");
  if (!parts || !(told.victim = key_of(parts->first, "pod"))) return std::nullopt;
  std::string_view rest = parts->second;
  if (rest.starts_with("and rescheduled due to bin packing")) {
    told.cause = Cause::kai_consolidation;
    return told;
  }
  told.cause = rest.starts_with("by workload ") ? Cause::kai_reclaim : Cause::kai_preemption;
  if (!take_prefix(rest, "by higher priority workload ") && !take_prefix(rest, "by workload ")) return std::nullopt;
  // The sentence of a reclaim ends with a period; the queues follow.
  if (const auto sentence = split(rest, ". ")) rest = sentence->first;
  take_suffix(rest, ".");
  told.by = key_of(rest.substr(0, rest.find_first_of(" \n")), "podgroup");
  return told;
}

// Adds what the annotations of KAI's events contain. Source: pkg/scheduler/cache/status_updater Evicted,
// utils/action.go.
void add_annotations(const ClusterEvent& event, const Snapshot& cluster, TraceContent& told) {
  const auto annotation = [&](std::string_view key) -> std::string_view {
    const Symbol symbol = cluster.symbol(key);
    const Symbol value = symbol ? event.meta.annotations.get(symbol) : Symbol{};
    return value ? cluster.text(value) : std::string_view();
  };
  constexpr std::array<std::pair<std::string_view, Cause>, 4> kActions = {
      {{"reclaim", Cause::kai_reclaim},
       {"preempt", Cause::kai_preemption},
       {"consolidation", Cause::kai_consolidation},
       {"stalegangeviction", Cause::kai_stale_gang}}};
  for (const auto& [action, cause] : kActions) {
    if (annotation("evictor-action-type") == action) told.cause = cause;
  }
  const std::string_view ns = annotation("evictor-pod-group-namespace");
  const std::string_view name = annotation("evictor-pod-group-name");
  if (!told.by && !ns.empty() && !name.empty()) told.by = Named{"podgroup", std::string(ns), std::string(name), {}, {}};
}

// `koord-scheduler: preempting to accommodate higher priority pods, preemptor: ml/train, triggerPod: ml/train-1`
auto told_by_koordinator(std::string_view message) -> std::optional<TraceContent> {
  auto parts = split(message, ", preemptor: ");
  if (!parts) return std::nullopt;
  const std::string_view rest = parts->second;
  auto keys = split(rest, ", triggerPod: ");
  if (!keys) keys = split(rest, ", triggerpod: ");
  if (!keys) return std::nullopt;
  TraceContent told{.cause = Cause::koordinator};
  // A pod without a job is its own preemptor.
  told.by = key_of(keys->first, keys->first == keys->second ? "pod" : "job");
  return told;
}

auto told_by_yunikorn(std::string_view note) -> std::optional<TraceContent> {
  if (!take_prefix(note, "Preempted by ")) return std::nullopt;
  TraceContent told;
  if (take_prefix(note, "Quota change enforcement process in ")) {
    told.cause = Cause::yunikorn_quota;
    told.by = Named{"queue", {}, std::string(note), {}, {}};
    return told;
  }
  const auto uid_and_rest = split(note, " from application ");
  if (!uid_and_rest) return std::nullopt;
  told.cause = Cause::yunikorn;
  told.by = Named{"pod", {}, {}, std::string(uid_and_rest->first), {}};
  return told;
}

// `Preempted to accommodate a workload (UID: U, JobUID: J) due to R; preemptor path: P; preemptee path: Q`
auto told_by_kueue(std::string_view note) -> std::optional<TraceContent> {
  if (!take_prefix(note, "Preempted to accommodate a workload (UID: ")) return std::nullopt;
  const auto uid = split(note, ", JobUID: ");
  const auto job = uid ? split(uid->second, ") due to ") : std::nullopt;
  if (!job) return std::nullopt;
  TraceContent told{.cause = Cause::kueue};
  told.by = Named{"workload", {}, {}, uid->first == "UNKNOWN" ? std::string() : std::string(uid->first), {}};
  const auto reason = split(job->second, "; preemptor path: ");
  told.detail = reason ? reason->first : job->second;
  const auto paths = reason ? split(reason->second, "; preemptee path: ") : std::nullopt;
  if (paths)
    told.detail += fmt::format(", from {} for {}", paths->second.substr(0, paths->second.find(';')), paths->first);
  return told;
}

auto cause_of_condition(std::string_view reason) -> std::optional<Cause> {
  constexpr std::array<std::pair<std::string_view, Cause>, 5> kReasons = {
      {{"PreemptionByScheduler", Cause::unnamed_scheduler},
       {"DeletionByTaintManager", Cause::taint},
       {"EvictionByEvictionAPI", Cause::eviction_api},
       {"DeletionByPodGC", Cause::pod_gc},
       {"TerminationByKubelet", Cause::kubelet}}};
  for (const auto& [name, cause] : kReasons) {
    if (name == reason) return cause;
  }
  return std::nullopt;
}

/// Reasons that the kubelet sets on a pod that it ends, and its message in the pod's condition.
/// Source: pkg/kubelet/eviction/eviction_manager.go, preemption/preemption.go, nodeshutdown/nodeshutdown_manager.go.
struct OfKubelet {
  std::string_view reason;
  std::string_view words;
  Cause cause;
};
constexpr std::array kOfKubelet = {OfKubelet{"Preempting", "accommodate a critical pod", Cause::kubelet_critical},
                                   OfKubelet{"Terminated", "node shutdown", Cause::kubelet_shutdown},
                                   OfKubelet{"Evicted", "", Cause::kubelet_eviction}};

auto cause_of_kubelet(std::string_view message) -> Cause {
  if (message.empty()) return Cause::kubelet;
  for (const OfKubelet& each : kOfKubelet) {
    if (message.find(each.words) != std::string_view::npos) return each.cause;
  }
  return Cause::kubelet;
}

/// Programs that evict pods through the API, and note it with an event.
struct Evictor {
  std::string_view component;  ///< a part of its name
  std::string_view words;      ///< how its note begins
  Cause cause;
};
constexpr std::array kEvictors = {
    Evictor{"karpenter", "Evicted pod", Cause::karpenter},
    Evictor{"karpenter", "Deleting the pod to accommodate the terminationTime", Cause::karpenter},
    Evictor{"cluster-autoscaler", "deleting pod for node scale down", Cause::cluster_autoscaler},
    Evictor{"vpa-updater", "Pod was evicted by VPA Updater", Cause::vertical_pod_autoscaler},
    Evictor{"descheduler", "pod eviction from ", Cause::descheduler},
    Evictor{"descheduler", "pod evicted from ", Cause::descheduler}};

auto told_by_evictor(std::string_view reason, std::string_view note, std::string_view component)
    -> std::optional<TraceContent> {
  for (const Evictor& each : kEvictors) {
    if (!note.starts_with(each.words)) continue;
    TraceContent told{.cause = each.cause};
    if (each.cause == Cause::descheduler && reason != event_reasons::not_set) told.detail = reason;
    if (const auto why = split(note, "Evicted pod: ")) told.detail = why->second;
    return told;
  }
  if (reason != event_reasons::evicted) return std::nullopt;
  for (const Evictor& each : kEvictors) {
    if (component.find(each.component) != std::string_view::npos) return TraceContent{.cause = each.cause};
  }
  // Other programs use the kubelet's reason, too.
  const bool by_kubelet = component.empty() || component == "kubelet";
  return TraceContent{.cause = by_kubelet ? Cause::kubelet_eviction : Cause::eviction_api};
}

class Collector {
 public:
  explicit Collector(const Snapshot& cluster) : cluster_(cluster) {
    for (const PodId id : cluster.pods().ids()) {
      if (const Symbol uid = cluster.pod(id).meta.uid) by_uid_.emplace(uid.index, id);
    }
  }

  auto run() -> std::vector<Disruption> {
    for (const ClusterEvent& event : cluster_.objects().events) take(event);
    for (const PodId id : cluster_.pods().ids()) {
      take_condition(id);
      take_reason(id);
    }
    for (const kueue::Workload& each : cluster_.objects().kueue_workloads) take_workload(each);
    std::vector<Disruption> all;
    for (auto& [key, found] : found_) all.push_back(finished(std::move(found)));
    for (Disruption& disruption : all) {
      infer_preemptor(disruption);
      if (disruption.cause == Cause::kubelet_critical) propose_critical_pods(disruption);
    }
    std::stable_sort(all.begin(), all.end(), [](const Disruption& a, const Disruption& b) {
      return std::tie(a.at, a.pod.ns, a.pod.name, a.pod.uid) < std::tie(b.at, b.pod.ns, b.pod.name, b.pod.uid);
    });
    return all;
  }

 private:
  struct Trace {
    TraceContent told;
    Sign sign;
    Instant latest;  // latest possible time of the decision
  };
  struct Found {
    Named pod;
    std::vector<Trace> traces;
  };

  [[nodiscard]] auto text(Symbol symbol) const -> std::string { return std::string(cluster_.text(symbol)); }

  [[nodiscard]] auto told_by(const ClusterEvent& event) const -> std::optional<TraceContent> {
    const std::string_view reason = cluster_.text(event.reason);
    const std::string_view kind = cluster_.text(event.regarding.kind);
    const std::string_view note = cluster_.text(event.note);
    if (kind == "PodGroup" && reason == event_reasons::evict) {
      std::optional<TraceContent> told = told_by_kai(note);
      if (told) add_annotations(event, cluster_, *told);
      return told;
    }
    if (kind == "Workload" && reason == event_reasons::preempted) return told_by_kueue(note);
    if (kind != "Pod") return std::nullopt;
    if (reason == event_reasons::preempted) return told_by_kube(note);
    if (reason == event_reasons::informational) return told_by_yunikorn(note);
    if (auto told = told_by_evictor(reason, note, cluster_.text(event.component()))) return told;
    if (reason == event_reasons::preempting) return TraceContent{.cause = Cause::kubelet_critical};
    if (reason == event_reasons::taint_manager_eviction && !note.starts_with("Cancelling"))
      return TraceContent{.cause = Cause::taint};
    return std::nullopt;
  }

  void take(const ClusterEvent& event) {
    std::optional<TraceContent> told = told_by(event);
    if (!told) return;
    const Instant at = event.at().value_or(Instant{});
    Named victim = told->victim ? *told->victim
                                : Named{told->cause == Cause::kueue ? "workload" : "pod",
                                        text(event.regarding.ns),
                                        text(event.regarding.name),
                                        text(event.regarding.uid),
                                        {}};
    join(victim, at);
    if (cluster_.text(event.related.kind) == "Pod" && told->cause == Cause::preemption) {
      told->by = Named{"pod", text(event.related.ns), text(event.related.name), text(event.related.uid), {}};
    }
    if (told->by) join(*told->by, at);
    add(std::move(victim), {std::move(*told), {text(event.note), "event", at, "message", event.meta.source, true}, at});
  }

  void take_condition(PodId id) {
    const Pod& pod = cluster_.pod(id);
    const Condition* target = pod.condition(cluster_.known().disruption_target);
    if (target == nullptr || target->status != cluster_.known().true_status) return;
    const std::optional<Cause> cause = cause_of_condition(cluster_.text(target->reason));
    if (!cause) return;
    const std::string_view message = cluster_.text(target->message);
    TraceContent told = told_by_condition(*cause, message);
    if (told.node.empty()) told.node = text(pod.spec.node_name);
    const Instant at = target->last_transition.value_or(Instant{});
    constexpr std::int64_t kUnknownPart = 999'999'999;  // nanoseconds: conditions are truncated to whole seconds
    const Instant latest = at == Instant{} ? at : at.plus_nanos(kUnknownPart);
    if (told.by) join(*told.by, latest);
    Sign sign{
        fmt::format("DisruptionTarget {}{}{}", cluster_.text(target->reason), message.empty() ? "" : ": ", message),
        "pod status",
        at,
        "status.conditions[type=DisruptionTarget]",
        pod.meta.source,
        !message.empty()};
    add({"pod", text(pod.meta.ns), text(pod.meta.name), text(pod.meta.uid), id},
        {std::move(told), std::move(sign), latest});
  }

  // The message of the condition shows which scheduler or kubelet wrote it, and sometimes the preemptor.
  [[nodiscard]] static auto told_by_condition(Cause cause, std::string_view message) -> TraceContent {
    if (cause == Cause::kubelet) return TraceContent{.cause = cause_of_kubelet(message)};
    if (cause != Cause::unnamed_scheduler) return TraceContent{.cause = cause};
    if (auto told = told_by_koordinator(message)) return *std::move(told);
    if (auto told = told_by_kai(message)) {
      told->victim.reset();
      return *std::move(told);
    }
    return TraceContent{.cause = cause};
  }

  // Kueue records on the workload why it was evicted, until it is admitted again.
  void take_workload(const kueue::Workload& workload) {
    const Named victim{"workload", text(workload.meta.ns), text(workload.meta.name), text(workload.meta.uid), {}};
    for (const Condition& each : workload.status.conditions) {
      if (each.status != cluster_.known().true_status) continue;
      const std::string_view type = cluster_.text(each.type);
      const std::string_view reason = cluster_.text(each.reason);
      if (type != "Preempted" && (type != "Evicted" || reason == "Preempted")) continue;
      TraceContent told{.cause = Cause::kueue_eviction, .detail = std::string(reason)};
      if (type == "Preempted") {
        told = told_by_kueue(cluster_.text(each.message)).value_or(TraceContent{.cause = Cause::kueue});
        told.detail = fmt::format("{}{}{}", reason, told.detail.empty() ? "" : ": ", told.detail);
      }
      if (told.by) join(*told.by, each.last_transition.value_or(Instant{}));
      const Instant at = each.last_transition.value_or(Instant{});
      constexpr std::int64_t kUnknownPart = 999'999'999;  // nanoseconds: conditions are truncated to whole seconds
      add(victim, {std::move(told),
                   {fmt::format("{} {}", type, reason), "workload status", at,
                    fmt::format("status.conditions[type={}]", type), workload.meta.source},
                   at == Instant{} ? at : at.plus_nanos(kUnknownPart)});
    }
  }

  // Pods that the kubelet ends remain as failed pods; the time is only in a condition, since 1.26.
  void take_reason(PodId id) {
    const Pod& pod = cluster_.pod(id);
    const std::string_view reason = cluster_.text(pod.status.reason);
    const auto* const found = std::find_if(kOfKubelet.begin(), kOfKubelet.end(),
                                           [&](const OfKubelet& each) { return each.reason == reason; });
    if (pod.status.phase != cluster_.known().failed || found == kOfKubelet.end()) return;
    add({"pod", text(pod.meta.ns), text(pod.meta.name), text(pod.meta.uid), id},
        {TraceContent{.cause = found->cause, .node = text(pod.spec.node_name)},
         Sign{fmt::format("reason {}", reason), "pod status", {}, "status.reason", pod.meta.source}, Instant{}});
  }

  // Finds the object in the input, and adds what the trace does not contain.
  void join(Named& named, Instant at) const {
    if (named.kind == "podgroup") return join_group(named);
    if (named.kind == "workload") return join_workload(named);
    if (named.kind != "pod") return;
    const Symbol uid = cluster_.symbol(named.uid);
    if (const auto known = uid ? by_uid_.find(uid.index) : by_uid_.end(); known != by_uid_.end()) {
      named.pod = known->second;
    } else if (const PodId id = cluster_.find_pod(named.ns, named.name)) {
      // With another uid, or if it is younger, it is another pod of the same name.
      const ObjectMeta& meta = cluster_.pod(id).meta;
      const bool other = !named.uid.empty() && meta.uid;
      if (!other && (!meta.created || at == Instant{} || *meta.created <= at)) named.pod = id;
    }
    if (!named.pod) return;
    const ObjectMeta& meta = cluster_.pod(named.pod).meta;
    named.ns = text(meta.ns);
    named.name = text(meta.name);
    if (meta.uid) named.uid = text(meta.uid);
  }

  // Some traces have only the uid of a group, others only the name.
  void join_group(Named& named) const {
    const auto find_in = [&](const auto& groups) {
      for (const auto& group : groups) {
        const bool by_uid = !named.uid.empty() && cluster_.text(group.meta.uid) == named.uid;
        const bool by_name = named.uid.empty() && cluster_.text(group.meta.ns) == named.ns &&
                             cluster_.text(group.meta.name) == named.name;
        if (!by_uid && !by_name) continue;
        named = {"podgroup", text(group.meta.ns), text(group.meta.name), text(group.meta.uid), {}};
        return;
      }
    };
    find_in(cluster_.objects().kai_pod_groups);
    find_in(cluster_.objects().pod_groups);
  }

  void join_workload(Named& named) const {
    for (const kueue::Workload& each : cluster_.objects().kueue_workloads) {
      const bool same = named.uid.empty() ? text(each.meta.ns) == named.ns && text(each.meta.name) == named.name
                                          : text(each.meta.uid) == named.uid;
      if (!same) continue;
      named.ns = text(each.meta.ns);
      named.name = text(each.meta.name);
      named.uid = text(each.meta.uid);
      return;
    }
  }

  void add(Named pod, Trace trace) {
    const std::string key = pod.uid.empty() ? fmt::format("{}/{}/{}", pod.kind, pod.ns, pod.name) : pod.uid;
    Found& found = found_[key];
    if (found.pod.name.empty()) found.pod = std::move(pod);
    found.traces.push_back(std::move(trace));
  }

  static auto finished(Found found) -> Disruption {
    std::vector<Trace>& traces = found.traces;
    std::stable_sort(traces.begin(), traces.end(), [](const Trace& a, const Trace& b) {
      return std::tie(a.sign.at, a.sign.what) < std::tie(b.sign.at, b.sign.what);
    });
    Disruption out;
    out.pod = std::move(found.pod);
    // A trace with a specific cause takes precedence over the condition, which is the same for every scheduler.
    const auto first = std::min_element(traces.begin(), traces.end(), [](const Trace& a, const Trace& b) {
      const auto rank = [](const Trace& t) {
        const Cause cause = t.told.cause;
        return cause == Cause::unnamed_scheduler || cause == Cause::kubelet || cause == Cause::eviction_api ? 1 : 0;
      };
      return rank(a) < rank(b);
    });
    out.cause = first->told.cause;
    out.at = Instant::never();
    for (Trace& trace : traces) {
      if (out.node.empty()) out.node = trace.told.node;
      if (trace.latest != Instant{}) out.at = std::min(out.at, trace.latest);
      out.in_memory = out.in_memory || trace.told.in_memory;
      if (out.detail.empty()) out.detail = trace.told.detail;
      if (trace.told.by && !out.by) {
        out.by = trace.told.by;
      } else if (trace.told.by && trace.told.by->text() != out.by->text()) {
        out.also_by.push_back({*trace.told.by, trace.told.node, trace.latest});
      }
      out.signs.push_back(std::move(trace.sign));
    }
    if (out.at.is_never()) out.at = Instant{};
    return out;
  }

  // If the event has expired or was never written, the preemptor is inferred from the node that it got.
  void infer_preemptor(Disruption& disruption) const {
    const bool unsaid = disruption.cause == Cause::unnamed_scheduler || disruption.cause == Cause::preemption;
    if (!unsaid || disruption.by || !disruption.pod.pod || disruption.node.empty()) return;
    const Symbol node = cluster_.symbol(disruption.node);
    const std::int32_t priority = cluster_.pod(disruption.pod.pod).spec.priority;
    std::vector<std::pair<PodId, Sign>> candidates;
    for (const PodId id : cluster_.pods().ids()) {
      const Pod& pod = cluster_.pod(id);
      const Condition* scheduled = pod.condition(cluster_.known().pod_scheduled);
      if (pod.spec.priority <= priority || there_since(pod) > disruption.at) continue;
      if (cluster_.pending(id) && pod.status.nominated_node_name == node) {
        candidates.emplace_back(
            id, Sign{fmt::format("the only pod of higher priority that is nominated to {}", disruption.node),
                     "pod status",
                     {},
                     "status.nominatedNodeName",
                     pod.meta.source});
      } else if (pod.spec.node_name == node && scheduled != nullptr && scheduled->last_transition &&
                 scheduled->last_transition->plus_seconds(1) > disruption.at) {
        candidates.emplace_back(
            id,
            Sign{fmt::format("the only older pod of higher priority that was bound to {} since", disruption.node),
                 "pod status", *scheduled->last_transition, "status.conditions[type=PodScheduled]", pod.meta.source});
      }
    }
    if (candidates.size() != 1) return;
    const ObjectMeta& meta = cluster_.pod(candidates.front().first).meta;
    disruption.by = Named{"pod", text(meta.ns), text(meta.name), text(meta.uid), candidates.front().first};
    disruption.by_inferred = true;
    disruption.signs.push_back(std::move(candidates.front().second));
  }

  // Returns when the pod was created, or when one of its conditions was written, whichever is earlier; Instant{}: not
  // given.
  [[nodiscard]] static auto there_since(const Pod& pod) -> Instant {
    Instant since = pod.meta.created.value_or(Instant{});
    for (const Condition& condition : pod.status.conditions) {
      if (condition.last_transition && since != Instant{}) since = std::min(since, *condition.last_transition);
    }
    return since;
  }

  // The kubelet does not name the pod that it admits: lists the critical pods of the node that arrived at about that
  // time. Source: pkg/kubelet/types/pod_update.go IsCriticalPod.
  void propose_critical_pods(Disruption& disruption) const {
    constexpr std::int64_t kSystemCritical = 2'000'000'000;
    constexpr std::int64_t kAbout = 10;  // seconds
    const Symbol node = cluster_.symbol(disruption.node);
    const Symbol mirror = cluster_.symbol("kubernetes.io/config.mirror");
    for (const PodId id : cluster_.pods().ids()) {
      const Pod& pod = cluster_.pod(id);
      if (!node || pod.spec.node_name != node || id == disruption.pod.pod) continue;
      const bool is_static = mirror && pod.meta.annotations.has(mirror);
      if (pod.spec.priority < kSystemCritical && !is_static) continue;
      const Condition* scheduled = pod.condition(cluster_.known().pod_scheduled);
      const Instant came = scheduled != nullptr && scheduled->last_transition ? *scheduled->last_transition
                                                                              : pod.meta.created.value_or(Instant{});
      const auto apart = [&](Instant at) { return std::abs(seconds_between(at, disruption.at)); };
      if (came == Instant{} || disruption.at == Instant{} || apart(came) > kAbout) continue;
      disruption.signs.push_back(
          {fmt::format("{} ({}) came to {} at that time and may be the critical pod", cluster_.key(id),
                       is_static ? "static" : fmt::format("priority {}", pod.spec.priority), disruption.node),
           "pod status", came, "status.conditions[type=PodScheduled]", pod.meta.source, true});
    }
  }

  const Snapshot& cluster_;
  std::unordered_map<std::uint32_t, PodId> by_uid_;
  std::map<std::string, Found> found_;  // key: uid, else name
};

}  // namespace

auto disruptions(const Snapshot& cluster) -> std::vector<Disruption> {
  return Collector(cluster).run();
}

auto Named::text() const -> std::string {
  if (!name.empty()) return ns.empty() ? name : fmt::format("{}/{}", ns, name);
  return uid.empty() ? fmt::format("an unknown {}", kind) : uid;
}

auto Named::with_kind() const -> std::string {
  return kind == "pod" || (name.empty() && uid.empty()) ? text() : fmt::format("{} {}", kind, text());
}

auto cause_id(Cause cause) -> std::string_view {
  switch (cause) {
    case Cause::preemption: return "kube.preemption";
    case Cause::kai_preemption: return "kai.preemption";
    case Cause::kai_reclaim: return "kai.reclaim";
    case Cause::kai_consolidation: return "kai.consolidation";
    case Cause::kai_stale_gang: return "kai.stale-gang";
    case Cause::yunikorn: return "yunikorn.preemption";
    case Cause::yunikorn_quota: return "yunikorn.quota-change";
    case Cause::koordinator: return "koordinator.preemption";
    case Cause::kueue: return "kueue.preemption";
    case Cause::kueue_eviction: return "kueue.eviction";
    case Cause::unnamed_scheduler: return "preemption";
    case Cause::taint: return "taint";
    case Cause::eviction_api: return "eviction-api";
    case Cause::karpenter: return "karpenter";
    case Cause::cluster_autoscaler: return "cluster-autoscaler";
    case Cause::descheduler: return "descheduler";
    case Cause::vertical_pod_autoscaler: return "vertical-pod-autoscaler";
    case Cause::pod_gc: return "pod-gc";
    case Cause::kubelet_eviction: return "kubelet.eviction";
    case Cause::kubelet_critical: return "kubelet.critical-pod";
    case Cause::kubelet_shutdown: return "kubelet.shutdown";
    case Cause::kubelet: return "kubelet";
  }
  return "";
}

auto cause_words(Cause cause) -> std::string_view {
  switch (cause) {
    case Cause::preemption:
    case Cause::unnamed_scheduler: return "preempted";
    case Cause::kai_preemption: return "preempted by KAI";
    case Cause::kai_reclaim: return "reclaimed by KAI";
    case Cause::kai_consolidation: return "moved by KAI's consolidation";
    case Cause::kai_stale_gang: return "evicted by KAI because its gang fell below its minimum";
    case Cause::yunikorn: return "preempted by YuniKorn";
    case Cause::yunikorn_quota: return "preempted by YuniKorn because the quota of its queue was lowered";
    case Cause::koordinator: return "preempted by Koordinator";
    case Cause::kueue: return "preempted by Kueue";
    case Cause::kueue_eviction: return "evicted by Kueue";
    case Cause::taint: return "deleted because of a NoExecute taint of its node";
    case Cause::eviction_api: return "evicted through the API (a drain, an autoscaler, a descheduler)";
    case Cause::karpenter: return "evicted by Karpenter, which drained its node";
    case Cause::cluster_autoscaler: return "evicted by Cluster Autoscaler, which removed its node";
    case Cause::descheduler: return "evicted by the descheduler";
    case Cause::vertical_pod_autoscaler: return "evicted by Vertical Pod Autoscaler, to change its requests";
    case Cause::pod_gc: return "deleted by the pod garbage collector, because its node was gone";
    case Cause::kubelet_eviction: return "evicted by the kubelet (node pressure, or a limit of local storage)";
    case Cause::kubelet_critical: return "preempted by its node's kubelet, which admitted a critical pod";
    case Cause::kubelet_shutdown: return "terminated by the kubelet, because its node was shut down";
    case Cause::kubelet: return "terminated by the kubelet (node pressure, a critical pod, a shutdown)";
  }
  return "";
}

auto is_preemption(Cause cause) -> bool {
  switch (cause) {
    case Cause::preemption:
    case Cause::kai_preemption:
    case Cause::kai_reclaim:
    case Cause::koordinator:
    case Cause::yunikorn:
    case Cause::yunikorn_quota:
    case Cause::kueue:
    case Cause::unnamed_scheduler: return true;
    case Cause::kai_consolidation:
    case Cause::kai_stale_gang:
    case Cause::kueue_eviction:
    case Cause::taint:
    case Cause::eviction_api:
    case Cause::karpenter:
    case Cause::cluster_autoscaler:
    case Cause::descheduler:
    case Cause::vertical_pod_autoscaler:
    case Cause::pod_gc:
    case Cause::kubelet_eviction:
    case Cause::kubelet_critical:
    case Cause::kubelet_shutdown:
    case Cause::kubelet: return false;
  }
  return false;
}

}  // namespace previct::history
