#include "sequence/queue.h"

#include "sequence/client.h"

#include <catch2/catch.hpp>

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
