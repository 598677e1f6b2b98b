#include "api/upstream.h"
#include "base/split_mix64.h"
#include "sequence/kube_simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace previct::sequence {
// NOLINTBEGIN(misc-no-recursion): a job gives up once
namespace {

// Delays before a call that got no answer is retried. Source: client-go retry.DefaultBackoff.
constexpr std::array<Time, 3> kRetries = {10 * kMillisecond, 50 * kMillisecond, 250 * kMillisecond};

// From this release on, the scheduler retries bindings.
constexpr int kFirstThatRetriesBindings = 37;

// Returns true if the scheduler retries such a call when the API server is unavailable. It retries updates of claims
// only if they conflict. Source: kubernetes v1.37 pkg/scheduler/util/utils.go PatchPodStatus, BindPod, DeletePod,
// Retriable; framework/plugins/dynamicresources/dynamicresources.go bindClaim.
auto is_retried(Call::Verb verb, int minor) -> bool {
  switch (verb) {
    case Call::Verb::mark:
    case Call::Verb::clear:
    case Call::Verb::status: return true;
    case Call::Verb::bind: return minor >= kFirstThatRetriesBindings;
    case Call::Verb::remove:
    case Call::Verb::claims: return false;
  }
  return false;
}

}  // namespace

void KubeSimulation::send(Call call) {
  const Time leaves = limit_.reserve(now());
  calls_.push_back(std::move(call));
  ++open_calls_;
  schedule(EventType::answer, leaves + settings_.api_latency, static_cast<std::uint32_t>(calls_.size() - 1));
}

void KubeSimulation::answer(std::uint32_t index) {
  if (!calls_[index].open) return;  // its preemption has failed meanwhile
  const Call call = calls_[index];  // a copy, because answering may send more calls
  const Answer result = outcome(call);
  if (result == Answer::refused && is_retried(call.verb, running_.release.minor()) && call.retries < kRetries.size()) {
    const Time leaves = limit_.reserve(now() + kRetries[call.retries]);
    calls_[index].retries++;
    return schedule(EventType::answer, leaves + settings_.api_latency, index);
  }
  calls_[index].open = false;
  --open_calls_;
  if (result == Answer::refused || result == Answer::error) {
    tell({.what = EventKind::call_failed,
          .pod = call.pod,
          .by = call.task == SIZE_MAX ? PodId{} : tasks_[call.task].preemptor,
          .why = words(call, result)});
  }
  switch (call.verb) {
    case Call::Verb::mark:
    case Call::Verb::remove: return eviction_answered(call, result);
    case Call::Verb::clear:
      if (result == Answer::ok) cleared(call);
      // Upstream only logs this, but an asynchronous task counts as failed.
      if (result != Answer::ok) tasks_[call.task].error = true;
      return clear_next(call.task);
    case Call::Verb::status:
      if (result == Answer::ok) status_written(call);
      return thread_free();
    case Call::Verb::claims:
      if (result != Answer::ok) return not_bound(call);
      claims_change(call.claims);
      return send({.verb = Call::Verb::bind, .pod = call.pod, .node = call.node});
    case Call::Verb::bind: return result == Answer::ok ? bound(call) : not_bound(call);
  }
}

auto KubeSimulation::words(const Call& call, Answer result) -> std::string {
  const std::string_view what = call.verb == Call::Verb::mark     ? "the DisruptionTarget patch"
                                : call.verb == Call::Verb::remove ? "the delete call"
                                : call.verb == Call::Verb::clear  ? "the patch that clears its nomination"
                                : call.verb == Call::Verb::claims ? "the update of its claims"
                                : call.verb == Call::Verb::bind   ? "the binding"
                                                                  : "the status patch";
  return fmt::format("{} fails: {}", what, result == Answer::refused ? "the API server is unavailable" : "injected");
}

auto KubeSimulation::outcome(const Call& call) -> Answer {
  if (call.task != SIZE_MAX && tasks_[call.task].cancelled) return Answer::cancelled;
  for (std::size_t i = 0; i < failures_.size(); ++i) {
    const Failure& failure = failures_[i];
    if (failure.per_million > 0) {
      if (concerns(failure.verb, call) && is_one_of_them(i, call)) return Answer::error;
    } else if (failure.verb == Failure::Verb::any) {
      if (now() >= failure.from && now() < failure.until) return Answer::refused;
    } else if (failure.pod == call.pod && concerns(failure.verb, call)) {
      failures_.erase(failures_.begin() + static_cast<std::ptrdiff_t>(i));
      return Answer::error;
    }
  }
  const bool of_victim = call.verb == Call::Verb::mark || call.verb == Call::Verb::remove;
  return of_victim && !simulated_.node_of(call.pod) ? Answer::not_found : Answer::ok;
}

auto KubeSimulation::is_one_of_them(std::size_t failure, const Call& call) -> bool {
  const std::uint64_t count = calls_by_rate_[{failure, call.verb, call.pod}]++;
  std::uint64_t drawn = settings_.seed;
  for (const std::uint64_t part :
       {std::uint64_t{failure}, static_cast<std::uint64_t>(call.verb), std::uint64_t{call.pod.index}, count}) {
    drawn = SplitMix64(drawn ^ part).next();
  }
  constexpr std::uint64_t kMillion = 1'000'000;
  return drawn % kMillion < failures_[failure].per_million;
}

auto KubeSimulation::concerns(Failure::Verb verb, const Call& call) -> bool {
  switch (verb) {
    case Failure::Verb::remove: return call.verb == Call::Verb::remove;
    case Failure::Verb::mark: return call.verb == Call::Verb::mark || call.verb == Call::Verb::clear;
    case Failure::Verb::nominate: return call.verb == Call::Verb::status && call.sets_nomination;
    case Failure::Verb::any: return true;
  }
  return false;
}

void KubeSimulation::eviction_answered(const Call& call, Answer result) {
  Task& task = tasks_[call.task];
  const bool ok = result == Answer::ok;
  if (ok && call.verb == Call::Verb::mark) {
    if (!is_marked(call.pod)) {
      tell({.what = EventKind::marked, .pod = call.pod, .node = task.node, .by = task.preemptor});
      simulated_.mark_as_target(call.pod);
    }
    return send(
        {.verb = Call::Verb::remove, .pod = call.pod, .task = call.task, .chunk = call.chunk, .last = call.last});
  }
  if (ok) delete_now(call.pod, task);
  const std::size_t index = call.task;
  if (!ok && result != Answer::not_found) give_up(index);
  if (!call.last) return go_on(index, call.chunk);
  finish_asynchronous(index);
}

void KubeSimulation::give_up(std::size_t index) {
  Task& task = tasks_[index];
  task.error = true;
  if (task.cancelled) return;
  task.cancelled = true;
  for (std::uint32_t i = 0; i < calls_.size(); ++i) {
    if (calls_[i].task == index) schedule(EventType::answer, now(), i);
  }
}

void KubeSimulation::delete_now(PodId victim, const Task& task) {
  if (simulated_.pod(victim).meta.deleting) return;
  pod_states_[task.preemptor].deleted.push_back(victim);
  world_.begin_deletion(victim, task.preemptor, task.node);
}

void KubeSimulation::cleared(const Call& call) {
  PodState& fate = pod_states_[call.pod];
  if (fate.bound || !fate.nominated) return;
  const NodeId old = fate.nominated;
  const Queue::Event before = nomination_event(call.pod);
  fate.nominated = {};
  tell({.what = EventKind::cleared,
        .pod = call.pod,
        .node = old,
        .by = tasks_[call.task].preemptor,
        .why = "a pod of higher priority preempts there"});
  nominate_in_memory(call.pod, {});
  nomination_changed(call.pod, before);
}

void KubeSimulation::nomination_changed(PodId pod, const Queue::Event& before) {
  if (!running_.release.has(kube::Change::nominations_are_events)) return;
  happens(before, [priority = simulated_.pod(pod).spec.priority](const Queue::Entry& entry) {
    return entry.priority <= priority;
  });
}

void KubeSimulation::status_written(const Call& call) {
  PodState& fate = pod_states_[call.pod];
  fate.message = call.message;
  fate.reason = call.reason;
  if (!call.sets_nomination) return;
  const NodeId old = fate.nominated;
  const Queue::Event before = nomination_event(call.pod);
  fate.nominated = call.node;
  if (call.node) {
    tell({.what = EventKind::nominated, .pod = call.pod, .node = call.node});
  } else if (old) {
    tell({.what = EventKind::cleared, .pod = call.pod, .node = old, .why = "no preemption would help it now"});
  }
  // The update from the API server decides, unless neither its old nor its new state names a node.
  if (old || call.node) nominate_in_memory(call.pod, call.node);
  if (old && old != call.node) nomination_changed(call.pod, before);
}

void KubeSimulation::bound(const Call& call) {
  PodState& fate = pod_states_[call.pod];
  const Queue::Event nomination = nomination_event(call.pod);
  const bool was_nominated = bool{fate.nominated};
  fate.bound = true;
  if (fate.first_preempted) result_.metrics.time_to_bind.push_back(now() - *fate.first_preempted);
  fate.verdict = End::Kind::bound;
  fate.since = now();
  if (simulated_.bind_volumes(call.pod))
    happens({.resource = kube::Resource::persistent_volume, .action = kube::action::kUpdate});
  tell({.what = EventKind::bound, .pod = call.pod, .node = call.node});
  const Queue::Event comes = pod_event(kube::Resource::assigned_pod, kube::action::kAdd, call.pod);
  happens(comes, [&](const Queue::Entry& entry) { return asks_about(entry, *comes.new_pod); });
  if (was_nominated && running_.release.has(kube::Change::bound_nominations_are_events))
    nomination_changed(call.pod, nomination);
  world_.start(call.pod);
}

void KubeSimulation::not_bound(const Call& call) {
  PodState& fate = pod_states_[call.pod];
  fate.assumed = {};
  fate.verdict = End::Kind::error;
  fate.last_text = "the binding failed";
  const Queue::Event goes = pod_event(kube::Resource::assigned_pod, kube::action::kDelete, call.pod);
  simulated_.take_back(call.pod);
  simulated_.forget_volumes(call.pod);
  claims_change(simulated_.leave_claims(call.pod));
  happens(goes);
  put_back(call.pod, {});
  wake_scheduler();
}

// NOLINTEND(misc-no-recursion)
}  // namespace previct::sequence
