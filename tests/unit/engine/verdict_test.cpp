#include "engine/verdict.h"

#include <catch2/catch.hpp>

using namespace previct;

namespace {

auto preempting() -> Verdict {
  Verdict verdict;
  verdict.outcome = Outcome::preempts;
  verdict.node = "a";
  verdict.tied = {NodeId{0}, NodeId{1}};
  verdict.victims.push_back({.pod = PodId{0}, .rule = "r"});
  return verdict;
}

}  // namespace

TEST_CASE("verdict: a gap that does not decide changes nothing", "[verdict]") {
  Verdict verdict = preempting();
  verdict.gaps.push_back({GapRule::missing, {"PodDisruptionBudget", "every eviction is assumed to be allowed"}});
  conclude(verdict);
  CHECK(verdict.outcome == Outcome::preempts);
  CHECK(verdict.assumed.empty());
  CHECK(verdict.victims.front().certain);
}

TEST_CASE("verdict: a gap that decides makes the outcome unknown", "[verdict]") {
  Verdict verdict = preempting();
  verdict.gaps.push_back({GapRule::filter_plugin, {"filter plugin Mine"}, true});
  SECTION("the outcome found is kept under a condition") {
    conclude(verdict);
    CHECK(verdict.outcome == Outcome::unknown);
    REQUIRE(verdict.assumed.size() == 1);
    CHECK(verdict.assumed.front().outcome == Outcome::preempts);
    CHECK(verdict.assumed.front().node == "a");
    CHECK(verdict.node.empty());
    CHECK(verdict.tied.empty());
    CHECK_FALSE(verdict.victims.front().certain);
    CHECK_FALSE(is_schedulable(verdict));
  }
  SECTION("assumed verdicts of the engine are kept") {
    verdict.assumed = {{Gap{GapRule::if_volume_exists, {"data"}}, Outcome::preempts, "a", nullptr},
                       {Gap{GapRule::if_only_zone, {"zone-a"}}, Outcome::pending, "", nullptr}};
    conclude(verdict);
    CHECK(verdict.assumed.size() == 2);
    conclude(verdict);  // a second call changes nothing
    CHECK(verdict.assumed.size() == 2);
  }
  SECTION("a pod that is on a node already stays scheduled") {
    verdict.outcome = Outcome::scheduled;
    conclude(verdict);
    CHECK(verdict.outcome == Outcome::scheduled);
  }
}
