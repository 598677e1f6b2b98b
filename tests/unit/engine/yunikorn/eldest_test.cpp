#include "engine/yunikorn/eldest.h"

#include <catch2/catch.hpp>

using namespace previct;
using namespace previct::yunikorn;

namespace {

/// An attempt with two possible results: pod 1 is evicted from node 1, or no pod is evicted.
auto two_results() -> ReleaseDecision {
  ReleaseDecision decision;
  decision.outcome = ReleaseOutcome::varies;
  decision.rule = Rule::queue_preempts;
  decision.node = NodeId{1};
  QueueAttempt& attempt = decision.queue.emplace();
  attempt.solutions.push_back({Rule::queue_preempts, NodeId{1}, {PodId{1}}, {}, true});
  attempt.solutions.push_back({Rule::extras_fail, {}, {}, {}, false});
  return decision;
}

/// Returns true if two_results() and a copy changed by `change` are alike.
template <class Change>
auto alike_after(Change change) -> bool {
  ReleaseDecision other = two_results();
  change(other);
  return alike(two_results(), other);
}

}  // namespace

TEST_CASE("yunikorn alike: two attempts are alike if all of their results are the same", "[yunikorn]") {
  using Decision = ReleaseDecision;
  CHECK(alike_after([](Decision&) {}));
  CHECK_FALSE(alike_after([](Decision& d) { d.outcome = ReleaseOutcome::preempted; }));
  CHECK_FALSE(alike_after([](Decision& d) { d.rule = Rule::extras_fail; }));
  CHECK_FALSE(alike_after([](Decision& d) { d.node = NodeId{2}; }));
  CHECK_FALSE(alike_after([](Decision& d) { d.reserved = NodeId{2}; }));
  CHECK_FALSE(alike_after([](Decision& d) { d.queue.reset(); }));
  CHECK_FALSE(alike_after([](Decision& d) { d.required.emplace(); }));
  CHECK_FALSE(alike_after([](Decision& d) { d.queue->precondition = Rule::delay_runs; }));
  CHECK_FALSE(alike_after([](Decision& d) { d.queue->solutions.pop_back(); }));
  CHECK_FALSE(alike_after([](Decision& d) { d.queue->solutions[0].node = NodeId{2}; }));
  CHECK_FALSE(alike_after([](Decision& d) { d.queue->solutions[0].victims = {PodId{2}}; }));
  CHECK_FALSE(alike_after([](Decision& d) { d.queue->solutions[0].fits_then = false; }));
  CHECK_FALSE(alike_after([](Decision& d) { d.queue->solutions[1].rule = Rule::short_of_resources; }));
}

TEST_CASE("yunikorn alike: two attempts at a required node are alike if they evict the same pods", "[yunikorn]") {
  ReleaseDecision one;
  one.required.emplace().victims = {PodId{1}};
  ReleaseDecision other = one;
  CHECK(alike(one, other));
  other.required->victims = {PodId{2}};
  CHECK_FALSE(alike(one, other));
}
