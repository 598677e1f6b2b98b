#include "sequence/kube_simulation.h"

#include "base/text.h"
#include "engine/kube/groups/group.h"
#include "engine/kube/running_release.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct::sequence {

using kube::Profile;

auto Simulation::run() -> Play {
  play_.pods_before = fates_.size();
  const bool both_modes = profiles_.empty() || std::any_of(profiles_.begin(), profiles_.end(), [](const auto& profile) {
                            return !profile.second.tolerates();
                          });
  play_.asynchronous = asynchronous_ && both_modes;
  play_.has_other_mode = both_modes;
  play_.metrics.goroutines_count_by_result = running_.release.has(kube::Change::goroutines_count_by_result);
  play_.asynchronous_calls = running_.release.is_on(*kube::find_gate("SchedulerAsyncAPICalls"));
  open();
  while (!events_.empty()) {
    const Happening next = events_.top();
    play_.work = simulated_.work();
    play_.too_much = play_.steps.size() >= settings_.most_steps || play_.work >= settings_.most_work;
    play_.cut = play_.too_much || next.at >= settings_.horizon;
    if (play_.cut) break;
    events_.pop();
    now_ = next.at;
    handle(next);
    if (play_.circle) break;
  }
  close();
  return std::move(play_);
}

void Simulation::schedule(Happening::Kind kind, Time at, std::uint32_t subject) {
  if (kind == Happening::Kind::flush) ++flushes_;
  events_.push({kind, at, next_order_++, subject});
}

void Simulation::handle(const Happening& next) {
  switch (next.kind) {
    case Happening::Kind::arrival: return arrive(PodId{next.subject});
    case Happening::Kind::exit: return leave(PodId{next.subject});
    case Happening::Kind::answer: return answer(next.subject);
    case Happening::Kind::thread:
      return next.subject == kIdle ? wake() : next.subject == kCycle ? decided() : wait_on();
    case Happening::Kind::flush: return flush(PodId{next.subject});
    case Happening::Kind::creation: return create_in_place_of(PodId{next.subject});
    case Happening::Kind::recurrence: return recur(next.subject);
    case Happening::Kind::finish: return finish(PodId{next.subject});
    case Happening::Kind::claims_made: return make_claims(PodId{next.subject});
    case Happening::Kind::claims_left:
      --open_claims_;
      return claims_change(simulated_.leave_claims(PodId{next.subject}));
  }
}

void Simulation::open() {
  if (course_.other_order) simulated_.reverse_nodes();
  std::map<PodId, Time> arrivals;
  for (const Arrival& arrival : settings_.arrivals) arrivals[arrival.pod] = arrival.at;
  std::vector<PodId> here;
  for (const PodId pod : settings_.pods) {
    Fate& fate = fates_[pod];
    fate.nominated = simulated_.cluster().find_node(simulated_.pod(pod).status.nominated_node_name);
    if (arrivals.contains(pod)) {
      simulated_.hide(pod);
      schedule(Happening::Kind::arrival, arrivals[pod], pod.index);
    } else {
      here.push_back(pod);
    }
  }
  order_equals(here);
  for (const PodId pod : here) enter_queue(pod);
  for (const PodId pod : simulated_.cluster().pods().ids()) {
    const auto& end = simulated_.pod(pod).meta.deleting;
    if (!end || !simulated_.node_of(pod)) continue;
    const Time at = since_start(*end);
    if (at >= 0) schedule(Happening::Kind::exit, at, pod.index);
  }
  plan_ends_and_returns();
  look_up();
}

// The order in which the scheduler learns of pods after a restart is unknown, and may decide which pods are scheduled.
// Replicas are interchangeable.
void Simulation::order_equals(std::vector<PodId>& pods) {
  const Snapshot& cluster = simulated_.cluster();
  const auto priority = [&](PodId pod) { return cluster.pod(pod).spec.priority; };
  const auto turn = [&](PodId pod) {
    return std::find(course_.turns.begin(), course_.turns.end(), pod) - course_.turns.begin();
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
      const std::size_t place = places.try_emplace(identity_of(cluster, p, pod), alike.size()).first->second;
      if (place == alike.size()) alike.emplace_back();
      alike[place].push_back(pod);
    });
    if (alike.size() > 1) play_.equals.push_back(std::move(alike));
    begin = end;
  }
}

auto Simulation::since_start(Instant at) const -> Time {
  return since(settings_.question.now, at);
}

void Simulation::enter_queue(PodId pod) {
  const Pod& p = simulated_.pod(pod);
  if (!profiles_.contains(p.spec.scheduler_name.index)) {
    fates_[pod].verdict = End::Kind::not_simulated;
    fates_[pod].last_text = fmt::format("waits for the scheduler {}", simulated_.cluster().text(p.spec.scheduler_name));
  } else if (p.meta.deleting) {
    fates_[pod].verdict = End::Kind::deleting;
    fates_[pod].last_text = "is being deleted; the scheduler does not try to place it";
  } else {
    queue_.add(pod, p.spec.priority, now_);
    if (queue_.entry(pod).gated()) note_held(pod);
    plan_claims(pod);
    if (running_.release.has(kube::Change::pod_groups) && kube::in_a_group(simulated_.node_infos(), pod))
      happens(pod_event(kube::Resource::unscheduled_pod, kube::action::kAdd, pod));
  }
}

void Simulation::note_held(PodId pod) {
  kube::Decision decision =
      simulated_.attempt(pod, fates_[pod].nominated, profile_of(pod), clock(), settings_.question.threads);
  if (cannot_tell(pod, decision)) return;
  fates_[pod].verdict = End::Kind::gated;
  const bool by_gates = decision.gate && decision.gate->rule == kube::Rule::gated;
  fates_[pod].last_text = by_gates ? "waits for its scheduling gates" : simulated_.message(pod, decision, clock());
  fates_[pod].since = now_;
}

void Simulation::arrive(PodId pod) {
  simulated_.show(pod);
  tell({.what = EventKind::arrives, .pod = pod, .why = fmt::format("priority {}", simulated_.pod(pod).spec.priority)});
  enter_queue(pod);
  look_up();
}

void Simulation::leave(PodId pod) {
  if (!simulated_.node_of(pod)) return;
  tell({.what = EventKind::gone, .pod = pod, .node = simulated_.node_of(pod)});
  leave_node(pod);
  if (settings_.controllers) react(controllers_.gone(pod, now_));
  const bool more = !events_.empty() && events_.top().at == now_ && events_.top().kind == Happening::Kind::exit;
  if (!more) look_for_circle();
}

void Simulation::leave_node(PodId pod) {
  const Queue::Event event = pod_event(kube::Resource::assigned_pod, kube::action::kDelete, pod);
  simulated_.remove(pod);
  for (const PodId old : quotas_.goes(pod)) plan_creation(old, now_ + settings_.api_latency);
  tell_released();
  happens(event);
  if (simulated_.uses_claims(pod)) {
    ++open_claims_;
    schedule(Happening::Kind::claims_left, now_ + settings_.api_latency, pod.index);
  }
}

void Simulation::close() {
  play_.length = play_.steps.empty() ? 0 : play_.steps.back().at;
  const std::size_t asked = settings_.pods.size();
  for (std::size_t i = 0; i < pods_.size(); ++i) {
    End end = end_of(pods_[i]);
    // Of the new pods, only those that still exist are reported; the others came and went.
    if (i >= asked && end.kind == End::Kind::evicted && simulated_.node_of(pods_[i])) stay_for_now(end);
    const bool passed = end.kind == End::Kind::evicted || end.kind == End::Kind::finished;
    if (i < asked || !passed) play_.ends.push_back(std::move(end));
  }
  for (const PodId pod : simulated_.cluster().pods().ids()) {
    if (simulated_.node_of(pod) && !simulated_.pod(pod).meta.deleting) end_run(pod, Run::Ending::goes_on);
  }
  add_gaps(controllers_.gaps(), play_.assumed);
}

void Simulation::tell(Step step) {
  step.at = now_;
  play_.steps.push_back(std::move(step));
}

void Simulation::stay_for_now(End& end) const {
  end.kind = End::Kind::bound;
  end.leaving = true;
  end.why = fmt::format("being deleted, until {}", format_clock(*simulated_.pod(end.pod).meta.deleting, clock()));
}

auto Simulation::end_of(PodId pod) -> End {
  const Fate& fate = fates_[pod];
  const Queue::Entry& entry = queue_.entry(pod);
  End end{.pod = pod,
          .name = simulated_.cluster().key(pod),
          .kind = fate.verdict,
          .node = fate.bound ? fate.assumed : fate.nominated,
          .at = fate.since,
          .attempts = entry.attempts,
          .victims = fate.deleted,
          .deleted = simulated_.names(fate.deleted),
          .why = fate.last_text,
          .after = fate.after ? simulated_.cluster().key(fate.after) : ""};
  if (fate.ended) {
    end.kind = fate.verdict;
    return end;
  }
  if (fate.bound && (!simulated_.node_of(pod) || simulated_.pod(pod).meta.deleting)) {
    end.kind = End::Kind::evicted;
    end.why = "was bound, and then preempted by a pod of higher priority";
    return end;
  }
  if (fate.bound) {
    end.why = fate.deleted.empty() ? "fits" : "";
    return end;
  }
  if (end.kind == End::Kind::unschedulable && entry.attempts == 0) end.kind = End::Kind::pending;
  if (entry.place == Queue::Place::unschedulable && !play_.cut && fits_now(pod)) {
    end.kind = End::Kind::stuck;
    end.why = entry.gated() ? "it would fit, but the last deletion came while its own preemption still made calls, and "
                              "the end of these calls does not wake it: it waits until another pod is deleted; the "
                              "periodic flush skips it (kubernetes issue 141694)"
                            : "it would fit, but no event moves it back to the active queue";
  } else if (fate.verdict == End::Kind::waits) {
    end.why = waits_for(pod);
  }
  return end;
}

auto Simulation::fits_now(PodId pod) -> bool {
  if (profiles_.find(simulated_.pod(pod).spec.scheduler_name.index) == profiles_.end()) return false;
  const kube::Decision decision =
      simulated_.attempt(pod, fates_[pod].nominated, profile_of(pod), clock(), settings_.question.threads);
  return decision.ending == kube::Ending::scheduled;
}

auto Simulation::waits_for(PodId pod) -> std::string {
  std::vector<std::string> left{};
  const NodeId node = fates_[pod].nominated;
  Instant until{};
  for (const PodId other : simulated_.cluster().pods().ids()) {
    if (!node || simulated_.node_of(other) != node || !simulated_.pod(other).meta.deleting) continue;
    left.push_back(simulated_.cluster().key(other));
    until = std::max(until, *simulated_.pod(other).meta.deleting);
  }
  if (left.empty()) return fates_[pod].last_text;
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

auto kube_play(Objects& objects, const Settings& settings, const Course& course) -> Result<Play> {
  kube::RunningRelease running;
  std::map<std::uint32_t, Profile> profiles;
  {
    const Snapshot cluster(objects);
    PREVICT_TRY(running, kube::running_release(cluster, settings.question));
    PREVICT_TRY(profiles, profiles_of(cluster, settings));
  }
  Settings served = settings;
  if (course.half_second) served.question.now = served.question.now.plus_nanos(kSecond / 2);
  std::erase_if(served.pods,
                [&](PodId pod) { return !profiles.contains(objects.pods[pod].spec.scheduler_name.index); });
  return Simulation(objects, served, course, std::move(profiles), std::move(running)).run();
}

}  // namespace previct::sequence
