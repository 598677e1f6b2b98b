#include "sequence/queue.h"

#include "base/contains.h"

#include <algorithm>
#include <tuple>

namespace previct::sequence {
namespace {

using kube::Change;

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
  known_.push_back(&entry);
  hold_or(entry, Place::active);
}

void Queue::drop(PodId pod) {
  Entry& entry = entries_[pod];
  entry.place = Place::absent;
  std::erase(known_, &entry);
}

// If pods in back-off are tried early, the back-off ends at whole seconds of the clock, so that pods of the same second
// are tried by priority, and they are moved when that second is over.
auto Queue::backoff_end(const Entry& entry) const -> Time {
  const bool by_attempts = release_.has(Change::backoff_by_attempts);
  const std::int64_t count = by_attempts        ? static_cast<std::int64_t>(entry.attempts)
                             : entry.errors > 0 ? entry.errors
                                                : entry.failures;
  if (count == 0) return INT64_MIN;
  constexpr std::int64_t kMostDoublings = 62;
  const std::int64_t doublings = std::min(count - 1, kMostDoublings);
  const bool longest = pace_.initial_backoff > pace_.max_backoff >> doublings;
  const std::int64_t length = longest ? pace_.max_backoff : pace_.initial_backoff << doublings;
  if (!release_.has(Change::pops_from_backoff)) return entry.timestamp + length * kSecond;
  const std::int64_t second = start_.plus_nanos(entry.timestamp).seconds + length + 1;
  return (second - start_.seconds) * kSecond - start_.nanos;
}

auto Queue::tried_early(const Entry& entry) const -> bool {
  return release_.has(Change::pops_from_backoff) && !entry.rejectors.empty();
}

// If they are not tried early, the queue checks every second for pods whose back-off is over, and only then asks
// PreEnqueue.
void Queue::leave_backoff(Time now) {
  const bool early = release_.has(Change::pops_from_backoff);
  const Time looked_at = early ? now : now / kSecond * kSecond;
  for (Entry* const each : known_) {
    Entry& entry = *each;
    if (entry.place != Place::backing_off || backing_off(entry, looked_at)) continue;
    early ? void(entry.place = Place::active) : hold_or(entry, Place::active);
  }
}

auto Queue::next_retry(Time now) const -> Time {
  Time next = kNever;
  for (const Entry* const each : known_) {
    const Entry& entry = *each;
    if (entry.place != Place::backing_off || tried_early(entry)) continue;
    const Time end = std::max(backoff_end(entry), now + 1);
    next = std::min(next, release_.has(Change::pops_from_backoff) ? end : (end + kSecond - 1) / kSecond * kSecond);
  }
  return next;
}

auto Queue::ready(Time now) -> bool {
  leave_backoff(now);
  return std::any_of(known_.begin(), known_.end(), [&](const Entry* entry) {
    return entry->place == Place::active || (entry->place == Place::backing_off && tried_early(*entry));
  });
}

auto Queue::pop(Time now) -> PodId {
  leave_backoff(now);
  Entry* best = nullptr;
  for (Entry* const entry : known_) {
    if (entry->place == Place::active && (best == nullptr || before(*entry, *best))) best = entry;
  }
  if (best == nullptr) {
    const auto sooner = [&](const Entry& a, const Entry& b) {
      const Time a_end = backoff_end(a);
      const Time b_end = backoff_end(b);
      return a_end != b_end ? a_end < b_end : before(a, b);
    };
    for (Entry* const entry : known_) {
      if (entry->place != Place::backing_off || !tried_early(*entry)) continue;
      if (best == nullptr || sooner(*entry, *best)) best = entry;
    }
  }
  // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): there is one, as ready() says
  best->place = Place::in_flight;
  best->holder = {};
  best->rejectors = {};
  best->missed.clear();
  ++best->attempts;
  return best->pod;
}

void Queue::put_back(PodId pod, const Rejectors& rejectors, Time now) {
  Entry& entry = entries_[pod];
  entry.pod = pod;
  if (entry.place == Place::absent) known_.push_back(&entry);
  entry.rejectors = rejectors;
  if (!rejectors.empty()) {
    ++entry.failures;
    entry.errors = 0;
  } else {
    ++entry.errors;
  }
  entry.timestamp = now;
  entry.order = next_order_++;
  entry.place = Place::unschedulable;
  // Without hints, any event is sufficient.
  const bool retry = rejectors.empty() || std::any_of(entry.missed.begin(), entry.missed.end(), [&](const Event& e) {
                       return !release_.has(Change::queueing_hints) || worth(entry, e);
                     });
  entry.missed.clear();
  if (retry) requeue(entry, now);
}

// Source: scheduling_queue.go isPodWorthRequeuing.
auto Queue::worth(const Entry& entry, const Event& event) const -> bool {
  if (entry.rejectors.empty() || event.kind == Event::Kind::flush) return true;
  if (event.kind == Event::Kind::activation) return event.pod == entry.pod;
  return std::any_of(entry.rejectors.begin(), entry.rejectors.end(),
                     [&](std::string_view plugin) { return plugins_.may_help(entry.pod, plugin, event); });
}

// The holder is one of the plugins that rejected the pod.
void Queue::hold_or(Entry& entry, Place place) {
  entry.holder = plugins_.held_by(entry.pod);
  entry.place = entry.gated() ? Place::unschedulable : place;
  if (entry.gated() && !contains(entry.rejectors, entry.holder)) entry.rejectors.push_back(entry.holder);
}

void Queue::requeue(Entry& entry, Time now) {
  if (!backing_off(entry, now)) return hold_or(entry, Place::active);
  if (release_.has(Change::pops_from_backoff)) return hold_or(entry, Place::backing_off);
  entry.holder = {};
  entry.place = Place::backing_off;
}

void Queue::move_on(const Event& event, Time now, const std::function<bool(const Entry&)>& which) {
  const bool hears_all = !release_.has(Change::held_pods_hear_one_plugin);
  for (Entry* const each : known_) {
    Entry& entry = *each;
    if (entry.place == Place::in_flight) entry.missed.push_back(event);
    if (entry.place != Place::unschedulable || (which && !which(entry))) continue;
    if (entry.gated() && !hears_all && !plugins_.hears(entry.holder, event)) continue;
    if (worth(entry, event)) requeue(entry, now);
  }
}

auto Queue::activate(PodId pod, Time /*now*/) -> bool {
  Entry& entry = entries_[pod];
  if (entry.place == Place::in_flight) entry.missed.push_back({.kind = Event::Kind::activation, .pod = pod});
  if (entry.place != Place::unschedulable && entry.place != Place::backing_off) return entry.place == Place::in_flight;
  hold_or(entry, Place::active);
  return true;
}

auto Queue::is_flushed(PodId pod) const -> bool {
  const Entry& entry = entries_[pod];
  return entry.place == Place::unschedulable && !(entry.gated() && release_.has(Change::flush_skips_held_pods));
}

void Queue::flush(PodId pod, Time now) {
  requeue(entries_[pod], now);
}

void Queue::record_futile_attempts(PodId pod, std::size_t count, Time now) {
  Entry& entry = entries_[pod];
  entry.attempts += count;
  entry.failures += static_cast<std::int64_t>(count);
  entry.timestamp = now;
  entry.order = next_order_++;
}

}  // namespace previct::sequence
