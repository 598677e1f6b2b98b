#include "engine/verdict.h"

#include <catch2/catch.hpp>

using namespace previct;

namespace {

auto preempting() -> Verdict {
  Verdict verdict;
  verdict.outcome = Outcome::preempts;
  verdict.node = "a";
  verdict.tied = {"a", "b"};
  verdict.victims.push_back({.pod = PodId{0}, .rule = "r"});
  return verdict;
}

}  // namespace

TEST_CASE("a gap that does not decide leaves the verdict as it is", "[verdict]") {
  Verdict verdict = preempting();
  verdict.gaps.push_back({GapRule::missing, {"PodDisruptionBudget", "every eviction is assumed to be allowed"}});
  conclude(verdict);
  CHECK(verdict.outcome == Outcome::preempts);
  CHECK(verdict.assumed.empty());
  CHECK(verdict.victims.front().certain);
}

TEST_CASE("what decides and is not known makes the verdict unknown", "[verdict]") {
  Verdict verdict = preempting();
  verdict.gaps.push_back({GapRule::filter_plugin, {"filter plugin Mine"}, true});
  SECTION("what was found stands under a condition") {
    conclude(verdict);
    CHECK(verdict.outcome == Outcome::unknown);
    REQUIRE(verdict.assumed.size() == 1);
    CHECK(verdict.assumed.front().outcome == Outcome::preempts);
    CHECK(verdict.assumed.front().node == "a");
    CHECK(verdict.node.empty());
    CHECK(verdict.tied.empty());
    CHECK_FALSE(verdict.victims.front().certain);
    CHECK_FALSE(gets_in(verdict));
  }
  SECTION("so do the verdicts that the engine gives") {
    verdict.assumed = {{Gap{GapRule::if_volume_exists, {"data"}}, Outcome::preempts, "a", nullptr},
                       {Gap{GapRule::if_only_zone, {"zone-a"}}, Outcome::pending, "", nullptr}};
    conclude(verdict);
    CHECK(verdict.assumed.size() == 2);
    conclude(verdict);  // once is enough
    CHECK(verdict.assumed.size() == 2);
  }
  SECTION("but a pod that is on a node already is there") {
    verdict.outcome = Outcome::scheduled;
    conclude(verdict);
    CHECK(verdict.outcome == Outcome::scheduled);
  }
}
