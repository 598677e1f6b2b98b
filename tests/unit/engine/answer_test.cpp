#include "engine/answer.h"

#include <catch2/catch.hpp>

using namespace previct;

namespace {

auto preempting() -> Answer {
  Answer answer;
  answer.outcome = Outcome::preempts;
  answer.node = "a";
  answer.tied = {"a", "b"};
  answer.sentence = "would preempt 1 pod on node a";
  answer.victims.push_back({.pod = PodId{0}, .rule = "r", .why = "w", .certain = true, .evidence = {}, .toleration = {}});
  return answer;
}

}  // namespace

TEST_CASE("a gap that does not decide leaves the verdict as it is", "[answer]") {
  Answer answer = preempting();
  answer.gaps.push_back({Gap::Kind::missing_kind, "PodDisruptionBudget", "violations are counted as 0"});
  conclude(answer);
  CHECK(answer.outcome == Outcome::preempts);
  CHECK(answer.sentence == "would preempt 1 pod on node a");
  CHECK(answer.victims.front().certain);
}

TEST_CASE("what decides and is not known comes first in the verdict", "[answer]") {
  Answer answer = preempting();
  answer.gaps.push_back({Gap::Kind::unmodelled, "filter plugin Mine", "it may refuse nodes", true, true});
  SECTION("what was found stands under a condition") {
    conclude(answer);
    CHECK(answer.outcome == Outcome::unknown);
    CHECK(answer.sentence ==
          "cannot tell, because filter plugin Mine is not modelled. Leaving that aside, it would preempt 1 pod on node "
          "a");
    REQUIRE(answer.assuming.size() == 1);
    CHECK(answer.assuming.front().outcome == Outcome::preempts);
    CHECK(answer.assuming.front().node == "a");
    CHECK(answer.node.empty());
    CHECK(answer.tied.empty());
    CHECK_FALSE(answer.victims.front().certain);
    CHECK_FALSE(gets_in(answer));
  }
  SECTION("so do the answers that the engine gives") {
    answer.assuming = {{"if it refuses none", Outcome::preempts, "a", "would preempt 1 pod on node a"},
                       {"if it refuses all", Outcome::pending, "", "stays pending"}};
    answer.gaps.push_back({Gap::Kind::missing_kind, "PersistentVolumeClaim", "", true, true});
    conclude(answer);
    CHECK(answer.sentence ==
          "cannot tell, because filter plugin Mine is not modelled and PersistentVolumeClaim is not in the input. If it "
          "refuses none, it would preempt 1 pod on node a. If it refuses all, it stays pending");
    conclude(answer);  // once is enough
    CHECK(answer.assuming.size() == 2);
  }
  SECTION("but a pod that is on a node already is there") {
    answer.outcome = Outcome::scheduled;
    conclude(answer);
    CHECK(answer.outcome == Outcome::scheduled);
  }
}
