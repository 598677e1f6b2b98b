#include "sequence/queue.h"

#include <algorithm>
#include <tuple>

namespace previct::sequence {
namespace {

// Source: plugins/queuesort PrioritySort.
auto before(const Queue::Entry& a, const Queue::Entry& b) -> bool {
  return std::tuple(-std::int64_t{a.priority}, a.timestamp, a.order) <
         std::tuple(-std::int64_t{b.priority}, b.timestamp, b.order);
}

}  // namespace

void Queue::add(PodId pod, std::int32_t priority, Time now) {
  drop(pod);
  Entry& entry = entries_[pod];
  entry = Entry{};
  entry.pod = pod;
  entry.priority = priority;
  entry.timestamp = now;
  entry.order = next_order_++;
  known_.push_back(pod);
  make_active(entry);
}

void Queue::drop(PodId pod) {
  entries_[pod].place = Place::absent;
  std::erase(known_, pod);
}

// The end of back-off is cut to whole seconds of the clock, so that pods of one second go by priority.
auto Queue::backoff_end(const Entry& entry) const -> std::int64_t {
  const std::int64_t count = entry.errors > 0 ? entry.errors : entry.failures;
  if (count == 0) return INT64_MIN;
  constexpr std::int64_t kMostDoublings = 62;
  const std::int64_t doublings = std::min(count - 1, kMostDoublings);
  const bool longest = pace_.initial_backoff > pace_.max_backoff >> doublings;
  const std::int64_t length = longest ? pace_.max_backoff : pace_.initial_backoff << doublings;
  return window(entry.timestamp) + length;
}

auto Queue::backing_off(const Entry& entry, Time now) const -> bool {
  return backoff_end(entry) >= window(now);
}

void Queue::leave_backoff(Time now) {
  for (const PodId pod : known_) {
    Entry& entry = entries_[pod];
    if (entry.place == Place::backing_off && !backing_off(entry, now)) entry.place = Place::active;
  }
}

auto Queue::ready(Time now) -> bool {
  leave_backoff(now);
  return std::any_of(known_.begin(), known_.end(), [&](PodId pod) {
    const Entry& entry = entries_[pod];
    return entry.place == Place::active || (entry.place == Place::backing_off && entry.rejectors.any);
  });
}

auto Queue::pop(Time now) -> PodId {
  leave_backoff(now);
  Entry* best = nullptr;
  for (const PodId pod : known_) {
    Entry& entry = entries_[pod];
    if (entry.place == Place::active && (best == nullptr || before(entry, *best))) best = &entry;
  }
  if (best == nullptr) {
    const auto sooner = [&](const Entry& a, const Entry& b) {
      const std::int64_t a_end = backoff_end(a);
      const std::int64_t b_end = backoff_end(b);
      return a_end != b_end ? a_end < b_end : before(a, b);
    };
    for (const PodId pod : known_) {
      Entry& entry = entries_[pod];
      if (entry.place != Place::backing_off || !entry.rejectors.any) continue;
      if (best == nullptr || sooner(entry, *best)) best = &entry;
    }
  }
  // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): there is one, as ready() says
  best->place = Place::in_flight;
  best->gated = false;
  best->rejectors = {};
  best->missed.clear();
  ++best->attempts;
  return best->pod;
}

void Queue::put_back(PodId pod, const Rejectors& rejectors, Time now) {
  Entry& entry = entries_[pod];
  if (entry.place == Place::absent) known_.push_back(pod);
  entry.rejectors = rejectors;
  if (rejectors.any) {
    ++entry.failures;
    entry.errors = 0;
  } else {
    ++entry.errors;
  }
  entry.timestamp = now;
  entry.order = next_order_++;
  entry.place = Place::unschedulable;
  const bool retry = !rejectors.any || std::any_of(entry.missed.begin(), entry.missed.end(),
                                                   [&](const Event& e) { return worth(entry, e); });
  entry.missed.clear();
  if (retry) requeue(entry, now);
}

// The hints of the plugins that rejected the pod. Those of NodeResourcesFit say yes to any pod that goes, that of
// InterPodAffinity does not; of the others it is assumed, which costs an attempt that fails where theirs would have
// known better.
auto Queue::worth(const Entry& entry, const Event& event) const -> bool {
  switch (event.kind) {
    case Event::Kind::pod_gone:
      return entry.rejectors.waits_for_pods_to_go || !entry.rejectors.any ||
             (entry.rejectors.affinity && gate_.affinity_hint(entry.pod, event.pod));
    case Event::Kind::pod_bound: return entry.rejectors.waits_for_pods_to_come || !entry.rejectors.any;
    case Event::Kind::activation: return event.pod == entry.pod;
    case Event::Kind::flush: return true;
  }
  return false;
}

void Queue::requeue(Entry& entry, Time now) {
  if (!backing_off(entry, now)) return make_active(entry);
  entry.gated = gate_.holds(entry.pod);
  entry.place = entry.gated ? Place::unschedulable : Place::backing_off;
}

void Queue::make_active(Entry& entry) {
  entry.gated = gate_.holds(entry.pod);
  entry.place = entry.gated ? Place::unschedulable : Place::active;
}

void Queue::move_on(const Event& event, Time now, std::optional<std::int32_t> most) {
  for (const PodId pod : known_) {
    Entry& entry = entries_[pod];
    if (entry.place == Place::in_flight) entry.missed.push_back(event);
    if (entry.place != Place::unschedulable || (most && entry.priority > *most)) continue;
    if (entry.gated && event.kind != Event::Kind::pod_gone) continue;
    if (worth(entry, event)) requeue(entry, now);
  }
}

auto Queue::activate(PodId pod, Time /*now*/) -> bool {
  Entry& entry = entries_[pod];
  if (entry.place == Place::in_flight) entry.missed.push_back({Event::Kind::activation, pod});
  if (entry.place != Place::unschedulable && entry.place != Place::backing_off) return entry.place == Place::in_flight;
  make_active(entry);
  return true;
}

auto Queue::flush(PodId pod, Time now) -> bool {
  Entry& entry = entries_[pod];
  if (entry.place != Place::unschedulable || entry.gated) return false;
  requeue(entry, now);
  return true;
}

auto Queue::next_error_retry() const -> Time {
  Time next = kNever;
  for (const PodId pod : known_) {
    const Entry& entry = entries_[pod];
    if (entry.place != Place::backing_off || entry.rejectors.any) continue;
    next = std::min(next, (backoff_end(entry) + 1 - start_.seconds) * kSecond - start_.nanos);
  }
  return next;
}

}  // namespace previct::sequence
