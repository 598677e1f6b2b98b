#include "sequence/queue.h"

#include "sequence/client.h"

#include <catch2/catch.hpp>

namespace previct::sequence {
namespace {

struct Held final : Queue::Gate {
  [[nodiscard]] auto holds(PodId pod) const -> bool override { return pod == held; }
  [[nodiscard]] auto affinity_hint(PodId /*waiting*/, PodId gone) const -> bool override { return gone == kept_away; }
  PodId kept_away;
  PodId held;
};

constexpr Queue::Rejectors kNoRoom{.waits_for_pods_to_go = true, .any = true};
constexpr PodId kA{0};
constexpr PodId kB{1};
constexpr PodId kC{2};

}  // namespace

TEST_CASE("the queue gives higher priority first, then the pod that is longer there", "[sequence][queue]") {
  const Held gate;
  Queue queue(3, gate, {}, {});
  queue.add(kA, 10, 0);
  queue.add(kB, 20, 1);
  queue.add(kC, 10, 2);
  CHECK(queue.pop(3) == kB);
  CHECK(queue.pop(3) == kA);
  CHECK(queue.pop(3) == kC);
  CHECK_FALSE(queue.ready(3));
}

TEST_CASE("an unschedulable pod comes back when a pod goes, also if that happened during its attempt",
          "[sequence][queue]") {
  const Held gate;
  Queue queue(3, gate, {}, {});
  queue.add(kA, 10, 0);
  REQUIRE(queue.pop(0) == kA);
  queue.put_back(kA, kNoRoom, 0);
  CHECK_FALSE(queue.ready(0));
  queue.move_on({Queue::Event::Kind::pod_bound, kC}, 1);  // no filter of this pod cares
  CHECK_FALSE(queue.ready(1));
  queue.move_on({Queue::Event::Kind::pod_gone, kC}, 1);
  REQUIRE(queue.ready(1));
  REQUIRE(queue.pop(1) == kA);
  queue.move_on({Queue::Event::Kind::pod_gone, kC}, 2);  // in flight
  queue.put_back(kA, kNoRoom, 3);
  CHECK(queue.ready(3));
}

// Kubernetes 1.35.4 left a pod whose only node had been kept by a pod's anti-affinity pending when that pod had gone.
TEST_CASE("a pod that InterPodAffinity alone rejected comes back only when its hint says so", "[sequence][queue]") {
  Held gate;
  gate.kept_away = kB;
  Queue queue(3, gate, {}, {});
  queue.add(kA, 10, 0);
  REQUIRE(queue.pop(0) == kA);
  queue.put_back(kA, {.affinity = true, .any = true}, 0);
  queue.move_on({Queue::Event::Kind::pod_gone, kC}, 1);
  CHECK_FALSE(queue.ready(1));
  queue.move_on({Queue::Event::Kind::pod_gone, kB}, 2);
  CHECK(queue.ready(2));
}

TEST_CASE("a pod that PreEnqueue holds back is passed by the flush, and by every event until it is let go",
          "[sequence][queue]") {
  Held gate;
  Queue queue(3, gate, {}, {});
  queue.add(kA, 10, 0);
  REQUIRE(queue.pop(0) == kA);
  gate.held = kA;
  queue.put_back(kA, kNoRoom, 0);
  queue.move_on({Queue::Event::Kind::pod_gone, kC}, 5 * kSecond);
  CHECK(queue.entry(kA).gated);
  CHECK_FALSE(queue.ready(5 * kSecond));
  gate.held = {};
  CHECK_FALSE(queue.flush(kA, 400 * kSecond));  // released, but still marked as gated
  CHECK_FALSE(queue.ready(400 * kSecond));
  queue.move_on({Queue::Event::Kind::pod_gone, kC}, 401 * kSecond);
  CHECK(queue.ready(401 * kSecond));
}

TEST_CASE("back-off orders pods but does not keep an idle scheduler waiting, unless an error caused it",
          "[sequence][queue]") {
  const Held gate;
  Queue queue(3, gate, {}, {});
  queue.add(kA, 10, 0);
  REQUIRE(queue.pop(0) == kA);
  queue.put_back(kA, {}, 0);  // an error: one second, in whole seconds of the clock
  CHECK_FALSE(queue.ready(kSecond));
  CHECK(queue.next_error_retry() == 2 * kSecond);
  CHECK(queue.ready(2 * kSecond));
}

TEST_CASE("back-off begins and ends as it is configured", "[sequence][queue]") {
  const Held gate;
  Queue queue(3, gate, {}, {.initial_backoff = 3, .max_backoff = 5});
  queue.add(kA, 10, 0);
  REQUIRE(queue.pop(0) == kA);
  queue.put_back(kA, {}, 0);
  CHECK(queue.next_error_retry() == 4 * kSecond);  // 3 s, and the second in which they end
  REQUIRE(queue.ready(4 * kSecond));
  REQUIRE(queue.pop(4 * kSecond) == kA);
  queue.put_back(kA, {}, 4 * kSecond);
  CHECK(queue.next_error_retry() == 10 * kSecond);  // doubled it would be 6 s; no more than 5
}

TEST_CASE("a rate limit lets a burst go and then one call after the other", "[sequence][client]") {
  RateLimit limit(2, 2);  // two a second, two at once
  CHECK(limit.reserve(0) == 0);
  CHECK(limit.reserve(0) == 0);
  CHECK(limit.reserve(0) == kSecond / 2);
  CHECK(limit.reserve(0) == kSecond);
  CHECK(limit.reserve(10 * kSecond) == 10 * kSecond);  // filled up meanwhile
  RateLimit none(-1, 2);
  for (int call = 0; call < 5; ++call) CHECK(none.reserve(0) == 0);
}

}  // namespace previct::sequence
