#include "engine/yunikorn/eldest.h"

#include <catch2/catch.hpp>

using namespace previct;
using namespace previct::yunikorn;

namespace {

/// Two ends of an attempt: pod 1 goes from node 1, or nobody goes.
auto two_ends() -> ReleaseDecision {
  ReleaseDecision decision;
  decision.outcome = ReleaseOutcome::varies;
  decision.rule = Rule::queue_preempts;
  decision.node = NodeId{1};
  QueueAttempt& attempt = decision.queue.emplace();
  attempt.solutions.push_back({Rule::queue_preempts, NodeId{1}, {PodId{1}}, {}, true});
  attempt.solutions.push_back({Rule::extras_fail, {}, {}, {}, false});
  return decision;
}

/// Is it still alike if this is changed?
template <class Change>
auto alike_after(Change change) -> bool {
  ReleaseDecision other = two_ends();
  change(other);
  return alike(two_ends(), other);
}

}  // namespace

TEST_CASE("two attempts end alike if every one of their ends is the same", "[yunikorn]") {
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

TEST_CASE("two attempts at a required node end alike if the same pods go", "[yunikorn]") {
  ReleaseDecision one;
  one.required.emplace().victims = {PodId{1}};
  ReleaseDecision other = one;
  CHECK(alike(one, other));
  other.required->victims = {PodId{2}};
  CHECK_FALSE(alike(one, other));
}
