// Events outside the scheduler: controllers recreate pods, pods end by themselves, and recurring pods arrive.

#include "sequence/kube_simulation.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct::sequence {
// NOLINTBEGIN(misc-no-recursion): a job gives up once

void Simulation::plan_ends_and_returns() {
  const Snapshot& cluster = simulated_.cluster();
  for (const PodId pod : cluster.pods().ids()) {
    const auto& start = cluster.pod(pod).status.start_time;
    if (!simulated_.node_of(pod) || cluster.pod(pod).meta.deleting) continue;
    lowest_ = std::min(lowest_, cluster.pod(pod).spec.priority);
    if (start) fates_[pod].began = since_start(*start);
    const Time length = length_of(pod);
    if (length == kNever || !start) continue;
    fates_[pod].ends_at = std::max<Time>(0, since_start(*start) + length);
    schedule(Happening::Kind::finish, fates_[pod].ends_at, pod.index);
  }
  for (std::uint32_t i = 0; i < settings_.recurring.size(); ++i) {
    const Recurring& recurring = settings_.recurring[i];
    Time first = 0;
    for (const Arrival& arrival : settings_.arrivals) {
      if (arrival.pod == recurring.pod) first = arrival.at;
    }
    next_recurrence_[i] = first + recurring.every;
    schedule(Happening::Kind::recurrence, next_recurrence_[i], i);
  }
}

auto Simulation::length_of(PodId pod) const -> Time {
  if (settings_.lasting.empty()) return kNever;
  const PodId like = fates_[pod].like ? fates_[pod].like : pod;
  const ObjectMeta& meta = simulated_.pod(like).meta;
  const Snapshot& cluster = simulated_.cluster();
  for (const Lasting& lasting : settings_.lasting) {
    if (matches(lasting, cluster.text(meta.ns), cluster.text(meta.name))) return lasting.length;
  }
  return kNever;
}

void Simulation::react(const Controllers::Reaction& reaction) {
  for (const Controllers::Creation& creation : reaction.created) {
    plan_creation(creation.after, std::max(now_, creation.at) + settings_.api_latency);
  }
  if (reaction.gives_up) end_job(*reaction.gives_up, reaction.why);
}

void Simulation::plan_creation(PodId after, Time at) {
  to_be_created_.emplace(at, after);
  schedule(Happening::Kind::creation, at, after.index);
}

void Simulation::create_in_place_of(PodId old) {
  const auto planned = std::find(to_be_created_.begin(), to_be_created_.end(), std::pair<const Time, PodId>(now_, old));
  if (planned != to_be_created_.end()) to_be_created_.erase(planned);
  const Owner owner = owner_of(simulated_.cluster(), simulated_.pod(old));
  if (controllers_.ended(owner)) return;
  if (const Time later = controllers_.waits_until(old) + settings_.api_latency; later > now_)
    return plan_creation(old, later);
  Result<Pod> made = simulated_.admitted(old, settings_.makers, clock());
  if (!made) return tell({.what = EventKind::call_failed, .pod = old, .why = made.error().message});
  if (std::string why = quotas_.refuses(*made, old); !why.empty())
    return tell({.what = EventKind::call_failed, .pod = old, .why = std::move(why)});
  const PodId pod = add_pod(*std::move(made), old);
  fates_[pod].after = old;
  play_.created.back().after = old;
  tell({.what = EventKind::created,
        .pod = pod,
        .why = fmt::format("by {}, in place of {}", owner_words(simulated_.cluster(), owner),
                           simulated_.cluster().key(old))});
  enter_queue(pod);
  look_up();
}

void Simulation::recur(std::uint32_t index) {
  const Recurring& recurring = settings_.recurring[index];
  next_recurrence_[index] = now_ + recurring.every;
  schedule(Happening::Kind::recurrence, next_recurrence_[index], index);
  Result<Pod> made = simulated_.admitted(recurring.pod, settings_.makers, clock());
  if (!made) return tell({.what = EventKind::call_failed, .pod = recurring.pod, .why = made.error().message});
  const PodId pod = add_pod(*std::move(made), recurring.pod);
  tell({.what = EventKind::arrives, .pod = pod, .why = fmt::format("priority {}", simulated_.pod(pod).spec.priority)});
  enter_queue(pod);
  look_up();
  look_for_circle();
}

auto Simulation::add_pod(Pod made, PodId like) -> PodId {
  const PodId created = simulated_.create(std::move(made), new_names_.next(simulated_.cluster(), like));
  quotas_.comes(created);
  fates_.add({});
  queue_.grow();
  pods_.push_back(created);
  fates_[created].like = fates_[like].like ? fates_[like].like : like;
  play_.created.push_back({simulated_.pod(created), {}, fates_[created].like});
  return created;
}

// Deletes the pods of a Job: those on nodes get their grace period, pending pods are gone at once.
void Simulation::end_job(const Owner& owner, const std::string& why) {
  bool told = false;
  const auto pods = simulated_.cluster().pods().ids();
  for (const PodId pod : pods) {
    if (simulated_.cluster().finished(pod) || owner_of(simulated_.cluster(), simulated_.pod(pod)) != owner) continue;
    if (!told)
      tell({.what = EventKind::gives_up,
            .pod = pod,
            .why = fmt::format("{}: {}", owner_words(simulated_.cluster(), owner), why)});
    told = true;
    if (simulated_.pod(pod).meta.deleting) continue;
    if (simulated_.node_of(pod)) {
      begin_deletion(pod, {}, simulated_.node_of(pod));
    } else {
      drop_pending(pod);
    }
    fates_[pod].ended = true;
    fates_[pod].verdict = End::Kind::removed;
    fates_[pod].since = now_;
    fates_[pod].last_text = "deleted by its Job, which has failed";
  }
}

// Deletes a pending pod: it is gone at once, together with its nomination.
// Source: pkg/scheduler/eventhandlers.go deletePodFromSchedulingQueue; backend/queue/scheduling_queue.go
// DeleteNominatedPodIfExists.
void Simulation::drop_pending(PodId pod) {
  const Queue::Event before = nomination_event(pod);
  const bool was_nominated = bool{fates_[pod].nominated};
  fates_[pod].nominated = {};
  nominate_in_memory(pod, {});
  queue_.drop(pod);
  simulated_.hide(pod);
  for (const PodId old : quotas_.goes(pod)) plan_creation(old, now_ + settings_.api_latency);
  if (was_nominated) nomination_changed(pod, before);
}

void Simulation::runs(PodId pod) {
  fates_[pod].began = now_;
  const Time length = length_of(pod);
  if (length != kNever) {
    fates_[pod].ends_at = now_ + length;
    schedule(Happening::Kind::finish, now_ + length, pod.index);
  }
  if (!settings_.controllers) return;
  simulated_.ready(pod);
  react(controllers_.runs(pod, now_));
}

void Simulation::finish(PodId pod) {
  if (!simulated_.node_of(pod) || simulated_.pod(pod).meta.deleting) return;
  tell({.what = EventKind::finished, .pod = pod, .node = simulated_.node_of(pod)});
  end_run(pod, Run::Ending::finished);
  fates_[pod].ended = true;
  fates_[pod].verdict = End::Kind::finished;
  fates_[pod].since = now_;
  controllers_.succeeds(pod);
  simulated_.not_ready(pod);
  leave_node(pod);
  look_for_circle();
}

void Simulation::end_run(PodId pod, Run::Ending ending) {
  const bool never_ran = fates_[pod].assumed && !fates_[pod].began;
  if (!never_ran) play_.runs.push_back({ending, pod, fates_[pod].began, now_});
}

// NOLINTEND(misc-no-recursion)
}  // namespace previct::sequence
