#include "sequence/kube_simulation.h"

#include "base/text.h"
#include "engine/kube/groups/group.h"
#include "engine/kube/running_release.h"
#include "sequence/report.h"
#include "tell/gap_words.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct::sequence {

using kube::Profile;

auto KubeSimulation::run() -> SimulationResult {
  const bool both_modes = profiles_.empty() || std::any_of(profiles_.begin(), profiles_.end(), [](const auto& profile) {
                            return !profile.second.tolerates();
                          });
  result_.asynchronous = asynchronous_ && both_modes;
  result_.has_other_mode = both_modes;
  result_.metrics.goroutines_count_by_result = running_.release.has(kube::Change::goroutines_count_by_result);
  result_.asynchronous_calls = running_.release.is_on(*kube::find_gate("SchedulerAsyncAPICalls"));
  open();
  while (world_.next_event() != kNever) {
    result_.work = simulated_.work();
    result_.too_much = result_.steps.size() >= settings_.most_steps || result_.work >= settings_.most_work;
    result_.cut = result_.too_much || world_.next_event() >= settings_.horizon;
    if (result_.cut) break;
    world_.advance();
    if (result_.circle) break;
  }
  close();
  return std::move(result_);
}

void KubeSimulation::schedule(EventType type, Time at, std::uint32_t subject) {
  if (type == EventType::flush) ++flushes_;
  world_.schedule(static_cast<std::uint8_t>(type), at, subject, type == EventType::thread);
}

void KubeSimulation::handle(std::uint8_t kind, std::uint32_t subject) {
  switch (static_cast<EventType>(kind)) {
    case EventType::answer: return answer(subject);
    case EventType::thread: return subject == kIdle ? start_cycle() : subject == kCycle ? decided() : repeat_failure();
    case EventType::flush: return flush(PodId{subject});
    case EventType::claims_made: return make_claims(PodId{subject});
    case EventType::claims_left: --open_claims_; return claims_change(simulated_.leave_claims(PodId{subject}));
  }
}

void KubeSimulation::open() {
  if (scenario_.other_order) simulated_.reverse_nodes();
  const Snapshot& cluster = simulated_.cluster();
  for (const PodId pod : cluster.pods().ids()) {
    if (simulated_.node_of(pod)) lowest_ = std::min(lowest_, cluster.pod(pod).spec.priority);
  }
  std::vector<PodId> here;
  for (const PodId pod : settings_.pods) {
    pod_states_[pod].nominated = cluster.find_node(cluster.pod(pod).status.nominated_node_name);
    const bool arrives_later = std::any_of(settings_.arrivals.begin(), settings_.arrivals.end(),
                                           [&](const Arrival& arrival) { return arrival.pod == pod; });
    if (!arrives_later) here.push_back(pod);
  }
  // Before the World hides those that arrive later.
  for (const PodId pod : cluster.pods().ids()) {
    if (cluster.finished(pod)) leave_claims(pod);
  }
  world_.open();
  expect_ends_of_tolerations();
  order_equals(here);
  for (const PodId pod : here) enter_queue(pod);
  wake_scheduler();
}

// The order in which the scheduler learns of pods after a restart is unknown, and may decide which pods are scheduled.
// Replicas are interchangeable, unless one has a nomination that another lacks.
void KubeSimulation::order_equals(std::vector<PodId>& pods) {
  const Snapshot& cluster = simulated_.cluster();
  const auto priority = [&](PodId pod) { return cluster.pod(pod).spec.priority; };
  const auto turn = [&](PodId pod) {
    return std::find(scenario_.turns.begin(), scenario_.turns.end(), pod) - scenario_.turns.begin();
  };
  std::stable_sort(pods.begin(), pods.end(), [&](PodId a, PodId b) {
    return std::tuple(-std::int64_t{priority(a)}, turn(a), cluster.pod(a).meta.created) <
           std::tuple(-std::int64_t{priority(b)}, turn(b), cluster.pod(b).meta.created);
  });
  for (auto begin = pods.begin(); begin != pods.end();) {
    const auto end = std::find_if(begin, pods.end(), [&](PodId pod) { return priority(pod) != priority(*begin); });
    std::map<std::string, std::size_t> places;
    std::vector<std::vector<PodId>> alike;
    std::for_each(begin, end, [&](PodId pod) {
      const Pod& p = cluster.pod(pod);
      if (!profiles_.contains(p.spec.scheduler_name.index) || p.meta.deleting) return;
      const std::string replica = fmt::format("{}@{}", identity_of(cluster, p, pod), pod_states_[pod].nominated.index);
      const std::size_t place = places.try_emplace(replica, alike.size()).first->second;
      if (place == alike.size()) alike.emplace_back();
      alike[place].push_back(pod);
    });
    if (alike.size() > 1) result_.equals.push_back(std::move(alike));
    begin = end;
  }
}

void KubeSimulation::enter_queue(PodId pod) {
  const Pod& p = simulated_.pod(pod);
  if (!profiles_.contains(p.spec.scheduler_name.index)) {
    pod_states_[pod].verdict = End::Kind::not_simulated;
    pod_states_[pod].last_text =
        fmt::format("waits for the scheduler {}", simulated_.cluster().text(p.spec.scheduler_name));
  } else if (p.meta.deleting) {
    pod_states_[pod].verdict = End::Kind::deleting;
    pod_states_[pod].last_text = "is being deleted; the scheduler does not try it";
  } else {
    queue_.add(pod, p.spec.priority, now());
    pod_states_[pod].since = now();
    if (queue_.entry(pod).gated()) note_held(pod);
    plan_claims(pod);
    if (kube::schedules_gangs(running_.release))
      happens(pod_event(kube::Resource::unscheduled_pod, kube::action::kAdd, pod));
  }
}

void KubeSimulation::note_held(PodId pod) {
  kube::Decision decision =
      simulated_.attempt(pod, pod_states_[pod].nominated, profile_of(pod), clock(), settings_.question.threads);
  if (cannot_tell(pod, decision)) return;
  pod_states_[pod].verdict = End::Kind::gated;
  const bool by_gates = decision.gate && decision.gate->rule == kube::Rule::gated;
  pod_states_[pod].last_text = by_gates ? "waits for its scheduling gates" : simulated_.message(pod, decision, clock());
  pod_states_[pod].since = now();
}

void KubeSimulation::pod_created(PodId pod) {
  pods_.push_back(pod);
}

void KubeSimulation::pod_added(PodId pod) {
  enter_queue(pod);
  wake_scheduler();
}

void KubeSimulation::pod_leaves(PodId pod) {
  leaving_ = pod_event(kube::Resource::assigned_pod, kube::action::kDelete, pod);
}

void KubeSimulation::pod_left(PodId pod) {
  const bool detached = simulated_.detach_volumes(pod);
  simulated_.drop_volume_claims(pod);
  tell_released();
  happens(leaving_);
  if (detached) happens({.resource = kube::Resource::volume_attachment, .action = kube::action::kDelete});
  leave_claims(pod);
}

// Source: pkg/controller/resourceclaim/controller.go syncClaim.
void KubeSimulation::leave_claims(PodId pod) {
  if (!simulated_.uses_claims(pod)) return;
  ++open_claims_;
  schedule(EventType::claims_left, now() + settings_.api_latency, pod.index);
}

void KubeSimulation::deletion_began(PodId /*pod*/) {
  tell_released();
}

// The nomination of a pending pod is deleted with it.
// Source: pkg/scheduler/eventhandlers.go deletePodFromSchedulingQueue; backend/queue/scheduling_queue.go
// DeleteNominatedPodIfExists.
void KubeSimulation::delete_pending(PodId pod) {
  const Queue::Event before = nomination_event(pod);
  const bool was_nominated = bool{pod_states_[pod].nominated};
  pod_states_[pod].nominated = {};
  nominate_in_memory(pod, {});
  queue_.drop(pod);
  simulated_.drop_volume_claims(pod);
  simulated_.hide(pod);
  if (was_nominated) nomination_changed(pod, before);
}

void KubeSimulation::pod_ended(PodId pod, End::Kind how, const std::string& why) {
  pod_states_[pod].ended = true;
  pod_states_[pod].verdict = how;
  pod_states_[pod].since = now();
  if (!why.empty()) pod_states_[pod].last_text = why;
}

void KubeSimulation::close() {
  for (const Failure& failure : failures_) {
    if (!failure.pod) continue;
    const char* const verb = failure.verb == Failure::Verb::remove ? "delete"
                             : failure.verb == Failure::Verb::mark ? "patch-status"
                                                                   : "nominate";
    result_.calls_not_made.push_back(fmt::format("{}:{}", verb, simulated_.cluster().key(failure.pod)));
  }
  const std::size_t asked = settings_.pods.size();
  for (std::size_t i = 0; i < pods_.size(); ++i) {
    End end = end_of(pods_[i]);
    // Of the new pods, only those that are left are listed.
    if (i >= asked && end.kind == End::Kind::evicted && simulated_.node_of(pods_[i])) stay_for_now(end);
    const bool passed = end.kind == End::Kind::evicted || end.kind == End::Kind::finished;
    if (i < asked || !passed) result_.ends.push_back(std::move(end));
  }
  world_.close();
}

void KubeSimulation::stay_for_now(End& end) const {
  end.kind = End::Kind::bound;
  end.leaving = true;
  end.why = fmt::format("being deleted, until {}", format_clock(*simulated_.pod(end.pod).meta.deleting, clock()));
}

auto KubeSimulation::end_of(PodId pod) -> End {
  const PodState& fate = pod_states_[pod];
  const Queue::Entry& entry = queue_.entry(pod);
  const PodId replaced = world_.replaced_by(pod);
  End end{.pod = pod,
          .name = simulated_.cluster().key(pod),
          .kind = fate.verdict,
          .node = fate.bound ? fate.assumed : fate.nominated,
          .at = fate.since,
          .attempts = entry.attempts,
          .victims = fate.deleted,
          .deleted = simulated_.names(fate.deleted),
          .why = fate.last_text,
          .unknown = fate.unknown,
          .after = replaced ? simulated_.cluster().key(replaced) : ""};
  if (fate.ended) return end;
  if (fate.bound && (!simulated_.node_of(pod) || simulated_.pod(pod).meta.deleting)) {
    end.kind = End::Kind::evicted;
    end.why = fmt::format("was bound, and then {}", reason_of_deletion(pod));
    return end;
  }
  if (fate.unknown) {
    end.kind = End::Kind::not_simulated;
    end.why = "cannot tell, because " + because_words(*fate.unknown);
    return end;
  }
  if (fate.bound) {
    end.why = fate.deleted.empty() ? "fits" : "";
    return end;
  }
  if (end.kind == End::Kind::unschedulable && entry.attempts == 0) end.kind = End::Kind::pending;
  // At the horizon, others may still be moved by the periodic flush.
  const bool stays = !result_.cut || (!result_.too_much && entry.gated() && !is_preempting(pod));
  if (entry.place == Queue::Place::unschedulable && stays && fits_now(pod)) {
    end.kind = End::Kind::stuck;
    end.why = entry.gated() ? "it would fit, but the last deletion happened while its own preemption was still calling "
                              "the API server, and the end of these calls does not requeue it: it waits until another "
                              "pod is deleted; the periodic flush skips it (kubernetes issue 141694)"
                            : "it would fit, but no event moves it back to the active queue";
  } else if (fate.verdict == End::Kind::waits) {
    end.why = waits_for(pod);
  }
  return end;
}

auto KubeSimulation::reason_of_deletion(PodId pod) const -> std::string {
  const auto& steps = result_.steps;
  const auto found = std::find_if(steps.rbegin(), steps.rend(), [&](const Step& step) {
    return step.pod == pod && step.what == EventKind::deleting;
  });
  if (found == steps.rend() || found->by) return "preempted by a pod of higher priority";
  return found->why.empty() ? "deleted" : fmt::format("deleted: {}", found->why);
}

auto KubeSimulation::fits_now(PodId pod) -> bool {
  if (profiles_.find(simulated_.pod(pod).spec.scheduler_name.index) == profiles_.end()) return false;
  const kube::Decision decision =
      simulated_.attempt(pod, pod_states_[pod].nominated, profile_of(pod), clock(), settings_.question.threads);
  return decision.ending == kube::Ending::scheduled;
}

auto KubeSimulation::waits_for(PodId pod) -> std::string {
  std::vector<std::string> left{};
  const NodeId node = pod_states_[pod].nominated;
  Instant until{};
  for (const PodId other : simulated_.cluster().pods().ids()) {
    if (!node || simulated_.node_of(other) != node || !simulated_.pod(other).meta.deleting) continue;
    left.push_back(simulated_.cluster().key(other));
    until = std::max(until, *simulated_.pod(other).meta.deleting);
  }
  if (left.empty()) return pod_states_[pod].last_text;
  const std::string pods = counted(left.size(), "terminating pod", "terminating pods");
  if (until <= clock()) return fmt::format("waits for {} on {}, whose grace period is over", pods, name(node));
  return fmt::format("waits for {} on {}, until {}", pods, name(node), format_clock(until, settings_.question.now));
}

namespace {

// Returns the profiles of the pods that take part, and of those that may be recreated. Scheduler names that are not
// profiles of kube-scheduler are left out.
auto profiles_of(const Snapshot& cluster, const Settings& settings) -> Result<std::map<std::uint32_t, Profile>> {
  std::map<std::uint32_t, PodId> one_of_each;  // by scheduler
  for (const PodId pod : settings.pods) one_of_each.try_emplace(cluster.pod(pod).spec.scheduler_name.index, pod);
  for (const PodId pod : settings.lost) one_of_each.try_emplace(cluster.pod(pod).spec.scheduler_name.index, pod);
  for (const PodId pod : cluster.pods().ids()) {
    if (settings.controllers && cluster.node_of(pod))
      one_of_each.try_emplace(cluster.pod(pod).spec.scheduler_name.index, pod);
  }
  std::map<std::uint32_t, Profile> profiles;
  for (const auto& [scheduler, pod] : one_of_each) {
    PREVICT_TRY(std::optional<Profile> profile,
                kube::profile_for(cluster, scheduler_of(cluster, pod), settings.question));
    if (profile) profiles.emplace(scheduler, *std::move(profile));
  }
  return profiles;
}

}  // namespace

auto simulate_kube(Objects& objects, const Settings& settings, const Scenario& course) -> Result<SimulationResult> {
  return simulate_kube(objects, Snapshot(objects), settings, course);
}

auto simulate_kube(Objects& objects, const Snapshot& cluster, const Settings& settings, const Scenario& course)
    -> Result<SimulationResult> {
  PREVICT_TRY(kube::RunningRelease running, kube::running_release(cluster, settings.question));
  leave_to_simulation(running.gaps);
  PREVICT_TRY(auto profiles, profiles_of(cluster, settings));
  Settings served = settings;
  if (course.half_second) served.question.now = served.question.now.plus_nanos(kSecond / 2);
  std::erase_if(served.pods,
                [&](PodId pod) { return !profiles.contains(objects.pods[pod].spec.scheduler_name.index); });
  return KubeSimulation(objects, served, course, std::move(profiles), std::move(running)).run();
}

}  // namespace previct::sequence
