#include "sequence/queue.h"

#include "sequence/client.h"

#include <catch2/catch.hpp>

#include <vector>

namespace previct::sequence {
namespace {

constexpr std::string_view kNoRoom = "NodeResourcesFit";
constexpr std::string_view kKeepsAway = "InterPodAffinity";
constexpr std::string_view kHolder = "DefaultPreemption";
constexpr PodId kA{0};
constexpr PodId kB{1};
constexpr PodId kC{2};

// An event is identified by its pod.
auto event(PodId pod, kube::Actions action = kube::action::kDelete) -> Queue::Event {
  return {.action = action, .pod = pod};
}
auto gone(PodId pod) -> Queue::Event {
  return event(pod);
}
auto bound(PodId pod) -> Queue::Event {
  return event(pod, kube::action::kAdd);
}

// A pod that lacks resources may fit when any pod leaves; a pod kept away by another only when that pod leaves.
struct Plugins final : Queue::Plugins {
  [[nodiscard]] auto held_by(PodId pod) const -> std::string_view override { return pod == held ? kHolder : ""; }
  [[nodiscard]] auto hears(std::string_view /*plugin*/, const Queue::Event& e) const -> bool override {
    return e.kind == Queue::Event::Kind::change && e.action == kube::action::kDelete;
  }
  [[nodiscard]] auto may_help(PodId /*rejected*/, std::string_view plugin, const Queue::Event& e) const
      -> bool override {
    return plugin != kHolder && hears(plugin, e) && (plugin == kNoRoom || e.pod == kept_away);
  }
  PodId kept_away;
  PodId held;
};

struct Of {
  explicit Of(int minor = 35, kube::RateLimits pace = {}) : release(minor), queue(plugins, release, {}, pace) {
    queue.add(kA, 10, 0);
    REQUIRE(queue.pop(0) == kA);
  }
  Plugins plugins;
  kube::Release release;
  Queue queue;
};

}  // namespace

TEST_CASE("queue: higher priority first, then the pod that has waited longer", "[sequence][queue]") {
  const Plugins plugins;
  const kube::Release release;
  Queue queue(plugins, release, {}, {});
  queue.add(kA, 10, 0);
  queue.add(kB, 20, 1);
  queue.add(kC, 10, 2);
  CHECK(queue.pop(3) == kB);
  CHECK(queue.pop(3) == kA);
  CHECK(queue.pop(3) == kC);
  CHECK_FALSE(queue.ready(3));
}

TEST_CASE("queue: an unschedulable pod is requeued when a pod leaves, even during its attempt", "[sequence][queue]") {
  Of of;
  of.queue.put_back(kA, {kNoRoom}, 0);
  CHECK_FALSE(of.queue.ready(0));
  of.queue.move_on(bound(kC), 1);  // no filter that rejected this pod is registered for it
  CHECK_FALSE(of.queue.ready(1));
  of.queue.move_on(gone(kC), 1);
  REQUIRE(of.queue.ready(1));
  REQUIRE(of.queue.pop(1) == kA);
  of.queue.move_on(gone(kC), 2);  // while it is in flight
  of.queue.put_back(kA, {kNoRoom}, 3);
  CHECK(of.queue.ready(3));
}

// Kubernetes 1.35.4 left a pod pending although the pod whose anti-affinity kept it off its only node was gone.
TEST_CASE("queue: a pod is requeued only for an event of a plugin that rejected it", "[sequence][queue]") {
  Of of;
  of.plugins.kept_away = kB;
  of.queue.put_back(kA, {kKeepsAway}, 0);
  of.queue.move_on(gone(kC), 1);
  CHECK_FALSE(of.queue.ready(1));
  of.queue.move_on(gone(kB), 2, [](const Queue::Entry& entry) { return entry.priority < 10; });
  CHECK_FALSE(of.queue.ready(2));
  of.queue.move_on(gone(kB), 2);
  CHECK(of.queue.ready(2));
}

// Source: scheduling_queue.go movePodsToActiveOrBackoffQueue: v1.33 (no check except for scheduling gates), v1.36 (the
// flush does not match a plugin's events), v1.37 (a wildcard event passes).
TEST_CASE("queue: which events reach a pod that PreEnqueue holds", "[sequence][queue]") {
  for (const int minor : {33, 34, 36, 37}) {
    CAPTURE(minor);
    Of of(minor);
    of.plugins.held = kA;
    of.queue.put_back(kA, {kNoRoom}, 0);
    of.queue.move_on(gone(kC), 5 * kSecond);
    CHECK(of.queue.entry(kA).gated());
    CHECK_FALSE(of.queue.ready(5 * kSecond));
    of.plugins.held = {};
    const bool flushed = minor == 33 || minor == 37;
    CHECK(of.queue.is_flushed(kA) == flushed);
    of.queue.move_on(bound(kC), 400 * kSecond);
    CHECK_FALSE(of.queue.ready(400 * kSecond));
    of.queue.move_on(gone(kC), 401 * kSecond);
    CHECK(of.queue.ready(401 * kSecond));
  }
}

TEST_CASE("queue: back-off orders pods but does not block an idle scheduler, unless an error caused it",
          "[sequence][queue]") {
  Of of;
  of.queue.put_back(kA, {}, 0);  // an error: one second, in whole seconds of the clock
  CHECK_FALSE(of.queue.ready(kSecond));
  CHECK(of.queue.next_retry(0) == 2 * kSecond);
  CHECK(of.queue.ready(2 * kSecond));
}

TEST_CASE("queue: back-off starts and ends as configured", "[sequence][queue]") {
  Of of(35, {.initial_backoff = 3, .max_backoff = 5});
  of.queue.put_back(kA, {}, 0);
  CHECK(of.queue.next_retry(0) == 4 * kSecond);  // 3 s, and the second in which they end
  REQUIRE(of.queue.ready(4 * kSecond));
  REQUIRE(of.queue.pop(4 * kSecond) == kA);
  of.queue.put_back(kA, {}, 4 * kSecond);
  CHECK(of.queue.next_retry(4 * kSecond) == 10 * kSecond);  // doubled it would be 6 s; at most 5
}

// Source: scheduling_queue.go v1.32: calculateBackoffDuration, flushBackoffQCompleted every second.
TEST_CASE("queue: before 1.33, an unschedulable pod waits for its whole back-off, checked every second",
          "[sequence][queue]") {
  Of of(32);
  of.queue.put_back(kA, {kNoRoom}, kSecond / 2);
  of.queue.move_on(gone(kC), kSecond);
  CHECK_FALSE(of.queue.ready(kSecond + kSecond / 2));  // it ends now, and is checked at 2 s
  CHECK(of.queue.next_retry(kSecond) == 2 * kSecond);
  REQUIRE(of.queue.ready(2 * kSecond));
  REQUIRE(of.queue.pop(2 * kSecond) == kA);
  of.queue.put_back(kA, {kNoRoom}, 2 * kSecond);  // the second attempt: two seconds
  of.queue.move_on(gone(kC), 2 * kSecond);
  CHECK(of.queue.next_retry(2 * kSecond) == 4 * kSecond);
}

// Source: scheduling_queue.go v1.31 addUnschedulableWithoutQueueingHint, moveRequestCycle.
TEST_CASE("queue: without queueing hints, any event during an attempt sends the pod to back-off", "[sequence][queue]") {
  for (const int minor : {31, 32}) {
    Of of(minor);
    of.queue.move_on(bound(kC), 1);
    of.queue.put_back(kA, {kNoRoom}, 2);
    CHECK((of.queue.entry(kA).place == Queue::Place::backing_off) == (minor == 31));
  }
}

// Source: backoff_queue.go calculateBackoffDuration, alignToWindow: doubled up to the maximum, until the end of a
// second.
TEST_CASE("queue: each further failure doubles the back-off, up to the maximum", "[sequence][queue]") {
  const std::vector<Time> lengths = {1, 2, 4, 8, 10, 10};
  Of errors;
  Time now = 0;
  for (const Time length : lengths) {
    errors.queue.put_back(kA, {}, now);
    CHECK(errors.queue.next_retry(now) == now + (length + 1) * kSecond);
    now += 20 * kSecond;
    REQUIRE(errors.queue.ready(now));
    REQUIRE(errors.queue.pop(now) == kA);
  }
  // An unschedulable attempt ends a row of errors, and counts itself. Its back-off only orders pods.
  errors.queue.put_back(kA, {kNoRoom}, now);
  CHECK(errors.queue.entry(kA).failures == 1);
  CHECK(errors.queue.entry(kA).errors == 0);
  CHECK(errors.queue.next_retry(now) == kNever);
  errors.queue.move_on(gone(kC), now + 2 * kSecond - 1);
  CHECK(errors.queue.entry(kA).place == Queue::Place::backing_off);
  CHECK(errors.queue.next_retry(now + 1) == kNever);
  CHECK(errors.queue.ready(now + 1));
  REQUIRE(errors.queue.pop(now + 2 * kSecond) == kA);
  errors.queue.put_back(kA, {}, now);
  CHECK(errors.queue.next_retry(now) == now + 2 * kSecond);
  // After a hundred errors, it is no longer than the maximum.
  Of many;
  for (int i = 0; i < 100; ++i) {
    many.queue.put_back(kA, {}, i * 20 * kSecond);
    REQUIRE(many.queue.ready((i + 1) * 20 * kSecond));
    REQUIRE(many.queue.pop((i + 1) * 20 * kSecond) == kA);
  }
  many.queue.put_back(kA, {}, 2000 * kSecond);
  CHECK(many.queue.next_retry(2000 * kSecond) == 2011 * kSecond);
}

TEST_CASE("queue: the seconds of a back-off are those of the clock", "[sequence][queue]") {
  // The simulation begins half a second after a whole one, so that the second after next begins after 1.5 s.
  Plugins plugins;
  const kube::Release release(35);
  Instant start = *parse_instant("2026-03-02T12:00:00Z");
  start.nanos = 500'000'000;
  Queue queue(plugins, release, start, {});
  queue.add(kA, 10, 0);
  REQUIRE(queue.pop(0) == kA);
  queue.put_back(kA, {}, 0);
  CHECK(queue.next_retry(0) == kSecond + kSecond / 2);
  CHECK_FALSE(queue.ready(kSecond + kSecond / 2 - 1));
  CHECK(queue.ready(kSecond + kSecond / 2));
}

TEST_CASE("queue: of pods in back-off, the one whose back-off ends first is tried, then by priority",
          "[sequence][queue]") {
  const auto first = [](Time second_failure, bool other_is_active = false) {
    Plugins plugins;
    const kube::Release release(35);
    Queue queue(plugins, release, {}, {});
    queue.add(kA, 10, 0);
    queue.add(kB, 20, 0);
    REQUIRE(queue.pop(0) == kB);
    REQUIRE(queue.pop(0) == kA);
    queue.put_back(kA, {kNoRoom}, 0);
    queue.put_back(kB, {kNoRoom}, second_failure);
    queue.move_on(gone(kC), second_failure);
    if (other_is_active) queue.add(kC, 0, second_failure);
    REQUIRE(queue.ready(second_failure));
    return queue.pop(second_failure);
  };
  CHECK(first(kSecond / 2) == kB);  // both end after 2 s
  CHECK(first(kSecond) == kA);      // after 2 and 3 s
  CHECK(first(kSecond / 2, true) == kC);
}

TEST_CASE("queue: activation moves a pod that waits, and is not lost during an attempt", "[sequence][queue]") {
  Of of;
  CHECK_FALSE(of.queue.activate(kB, 0));  // absent
  CHECK(of.queue.activate(kA, 0));        // in flight
  of.queue.put_back(kA, {kNoRoom}, 0);
  CHECK(of.queue.entry(kA).place == Queue::Place::backing_off);
  CHECK(of.queue.activate(kA, 0));
  CHECK(of.queue.entry(kA).place == Queue::Place::active);
  CHECK_FALSE(of.queue.activate(kA, 0));
  REQUIRE(of.queue.pop(0) == kA);
  of.queue.put_back(kA, {kNoRoom}, 0);
  CHECK(of.queue.entry(kA).place == Queue::Place::unschedulable);
  CHECK(of.queue.activate(kA, 0));
  CHECK(of.queue.entry(kA).place == Queue::Place::active);
  // The activation of another pod does not help.
  REQUIRE(of.queue.pop(0) == kA);
  of.queue.put_back(kA, {kNoRoom}, 0);
  of.queue.move_on({.kind = Queue::Event::Kind::activation, .pod = kB}, 0);
  CHECK(of.queue.entry(kA).place == Queue::Place::unschedulable);
  of.queue.move_on({.kind = Queue::Event::Kind::flush}, 0);
  CHECK(of.queue.entry(kA).place == Queue::Place::backing_off);
}

TEST_CASE("queue: attempts that found the same as before count for the back-off", "[sequence][queue]") {
  // One attempt and three that are only recorded: 8 s from the last one, and the second in which they end.
  for (const bool early : {true, false}) {
    Of of;
    of.queue.put_back(kA, {kNoRoom}, 0);
    of.queue.record_futile_attempts(kA, 3, 5 * kSecond);
    CHECK(of.queue.entry(kA).attempts == 4);
    CHECK(of.queue.entry(kA).failures == 4);
    CHECK(of.queue.entry(kA).timestamp == 5 * kSecond);
    of.queue.move_on(gone(kC), early ? 14 * kSecond - 1 : 14 * kSecond);
    CHECK(of.queue.entry(kA).place == (early ? Queue::Place::backing_off : Queue::Place::active));
  }
  // Such a pod comes after one that is queued since then.
  Plugins plugins;
  const kube::Release release(35);
  Queue queue(plugins, release, {}, {});
  queue.add(kA, 10, 0);
  REQUIRE(queue.pop(0) == kA);
  queue.put_back(kA, {kNoRoom}, 0);
  queue.add(kB, 10, 0);
  queue.record_futile_attempts(kA, 1, 0);
  queue.move_on(gone(kC), 100 * kSecond);
  CHECK(queue.pop(100 * kSecond) == kB);
}

auto pods_in(const Queue& queue) -> std::vector<PodId> {
  std::vector<PodId> pods;
  for (const Queue::Entry* entry : queue.entries()) pods.push_back(entry->pod);
  return pods;
}

TEST_CASE("queue: only unschedulable pods are flushed, and a pod that is added again starts again",
          "[sequence][queue]") {
  Of of;
  CHECK_FALSE(of.queue.is_flushed(kA));
  of.queue.put_back(kA, {kNoRoom}, 0);
  CHECK(of.queue.is_flushed(kA));
  of.queue.flush(kA, kSecond);
  CHECK(of.queue.entry(kA).place == Queue::Place::backing_off);
  CHECK_FALSE(of.queue.is_flushed(kA));
  of.queue.add(kA, 7, kSecond);
  CHECK(pods_in(of.queue) == std::vector<PodId>{kA});
  CHECK(of.queue.entry(kA).attempts == 0);
  CHECK(of.queue.entry(kA).failures == 0);
  REQUIRE(of.queue.pop(kSecond) == kA);
  CHECK(of.queue.entry(kA).attempts == 1);
  of.queue.done(kA);
  CHECK(of.queue.entries().empty());
  CHECK(of.queue.entry(kA).place == Queue::Place::absent);
  // An attempt that ends after the pod was dropped puts it back.
  of.queue.put_back(kA, {kNoRoom}, 2 * kSecond);
  CHECK(pods_in(of.queue) == std::vector<PodId>{kA});
}

// Source: scheduling_queue.go v1.32 flushBackoffQCompleted: looked at each second.
TEST_CASE("queue: before 1.33, errors wait like failures, up to whole seconds of the simulation", "[sequence][queue]") {
  Of of(32);
  of.queue.put_back(kA, {}, kSecond / 2);
  CHECK(of.queue.next_retry(kSecond / 2) == 2 * kSecond);  // 1.5 s, looked at after 2 s
  of.queue.drop(kA);
  Of whole(32);
  whole.queue.put_back(kA, {}, kSecond);
  CHECK(whole.queue.next_retry(kSecond) == 2 * kSecond);
  CHECK_FALSE(whole.queue.ready(2 * kSecond - 1));
  CHECK(whole.queue.ready(2 * kSecond));
}

TEST_CASE("queue: of equal priorities, the pod that was queued at an earlier time comes first", "[sequence][queue]") {
  const Plugins plugins;
  const kube::Release release(35);
  Queue queue(plugins, release, {}, {});
  queue.add(kB, 10, 5);
  queue.add(kA, 10, 0);
  CHECK(queue.pop(6) == kA);
  CHECK(queue.pop(6) == kB);
}

TEST_CASE("queue: the plugin that holds a pod is one of those that rejected it, until the next attempt",
          "[sequence][queue]") {
  using Rejectors = Queue::Rejectors;
  Of of;
  of.queue.move_on(gone(kC), 0);  // noted while it is in flight, and only then
  CHECK(of.queue.entry(kA).missed.size() == 1);
  of.queue.put_back(kA, {kNoRoom}, 0);
  CHECK(of.queue.entry(kA).missed.empty());
  CHECK(of.queue.entry(kA).place == Queue::Place::backing_off);
  of.queue.move_on(gone(kC), 0);
  CHECK(of.queue.activate(kA, 0));
  CHECK(of.queue.entry(kA).missed.empty());
  REQUIRE(of.queue.pop(0) == kA);
  CHECK(of.queue.entry(kA).rejectors.empty());
  of.plugins.held = kA;
  of.queue.put_back(kA, {kNoRoom}, 0);
  for (int i = 0; i < 2; ++i) {
    of.queue.move_on(gone(kC), 100 * kSecond);
    CHECK(of.queue.entry(kA).gated());
    CHECK(of.queue.entry(kA).rejectors == Rejectors{kNoRoom, kHolder});
  }
  of.plugins.held = {};
  of.queue.move_on(gone(kC), 100 * kSecond);
  CHECK_FALSE(of.queue.entry(kA).gated());
  REQUIRE(of.queue.pop(100 * kSecond) == kA);
  CHECK(of.queue.entry(kA).rejectors.empty());
}

// Source: scheduling_queue.go v1.33 moveToBackoffQ runs PreEnqueue; v1.32 runs it when the back-off is over.
TEST_CASE("queue: from 1.33 on, PreEnqueue is asked before the back-off, and before that afterward",
          "[sequence][queue]") {
  for (const int minor : {32, 33}) {
    CAPTURE(minor);
    Of of(minor);
    of.plugins.held = kA;
    of.queue.put_back(kA, {kNoRoom}, 0);
    of.queue.move_on(gone(kC), 0);
    CHECK(of.queue.entry(kA).gated() == (minor == 33));
    CHECK((of.queue.entry(kA).place == Queue::Place::backing_off) == (minor == 32));
    CHECK_FALSE(of.queue.ready(5 * kSecond));
    CHECK(of.queue.entry(kA).gated());
  }
}

TEST_CASE("rate limit: allows a burst, and then one call at a time", "[sequence][client]") {
  RateLimit limit(2, 2);  // two per second, two at once
  CHECK(limit.reserve(0) == 0);
  CHECK(limit.reserve(0) == 0);
  CHECK(limit.reserve(0) == kSecond / 2);
  CHECK(limit.reserve(0) == kSecond);
  CHECK(limit.reserve(10 * kSecond) == 10 * kSecond);  // the bucket is full again
  RateLimit none(-1, 2);
  for (int call = 0; call < 5; ++call) CHECK(none.reserve(0) == 0);
}

}  // namespace previct::sequence
