// Comparison of the decisions about two states of one cluster.
#include "analysis/equivalence.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

using namespace previct;

namespace {

// The second state has the names of the first one with an `x` in front.
auto rename(std::string_view name) -> std::string {
  return fmt::format("x{}", name);
}

auto preempting(const std::string& victim, const std::string& node) -> Decision {
  Decision decision;
  decision.outcome = Outcome::preempts;
  decision.node = node;
  decision.tied = {node};
  decision.victims = {victim};
  decision.possible = {victim};
  decision.sentence = fmt::format("preempts {} on {}", victim, node);
  return decision;
}

// `POD: BEFORE -> AFTER` for each difference.
auto compared(const ClusterDecisions& before, const ClusterDecisions& after) -> std::vector<std::string> {
  std::vector<std::string> all;
  for (const Disagreement& each : disagreements(before, after, rename))
    all.push_back(fmt::format("{}: {} -> {}", each.pod, each.before, each.after));
  return all;
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("disagreements: names are compared after renaming", "[analysis]") {
  ClusterDecisions before;
  before.decisions["ml/a"] = preempting("ml/v", "n");
  ClusterDecisions after;
  after.decisions["xml/xa"] = preempting("xml/xv", "xn");
  CHECK(compared(before, after).empty());
  after.decisions["xml/xa"] = preempting("xml/xw", "xn");
  CHECK(compared(before, after) == Texts{"ml/a: preempts ml/v on n -> preempts xml/xw on xn"});
  after.decisions["xml/xa"] = preempting("xml/xv", "xn");
  after.decisions["xml/xa"].next_change = Instant{60, 0};
  CHECK(compared(before, after).size() == 1);
}

TEST_CASE("disagreements: assigned flavors and numbers of pods are compared after renaming", "[analysis]") {
  ClusterDecisions before;
  before.decisions["workload/ml/a"] = preempting("ml/v", "n");
  before.decisions["workload/ml/a"].assigned = {"main/cpu: spot", "main: 4 pods"};
  ClusterDecisions after;
  after.decisions["workload/xml/xa"] = preempting("xml/xv", "xn");
  after.decisions["workload/xml/xa"].assigned = {"xmain/xcpu: xspot", "xmain: 4 pods"};
  CHECK(compared(before, after).empty());
  after.decisions["workload/xml/xa"].assigned = {"xmain/xcpu: xspot", "xmain: 3 pods"};
  CHECK(compared(before, after).size() == 1);
}

TEST_CASE("disagreements: a pod of one state only is reported, and so are different numbers", "[analysis]") {
  ClusterDecisions before;
  before.decisions["ml/a"] = preempting("ml/v", "n");
  ClusterDecisions after;
  CHECK(compared(before, after) == Texts{"ml/a: preempts ml/v on n -> not asked",
                                         "(all): 1 decisions, 0 protections -> 0 decisions, 0 protections"});
  after.decisions["xml/xa"] = preempting("xml/xv", "xn");
  after.decisions["xml/xb"] = preempting("xml/xv", "xn");
  CHECK(compared(before, after) == Texts{"(all): 1 decisions, 0 protections -> 2 decisions, 0 protections"});
}

TEST_CASE("disagreements: protections are compared without the names of preemptors", "[analysis]") {
  ClusterDecisions before;
  before.shields["ml/a"] = {"high", "for 10m by ml/p, only against ml/q"};
  ClusterDecisions after;
  after.shields["xml/xa"] = {"high", "for 10m by ml/p, only against xml/xq"};
  CHECK(compared(before, after).empty());
  after.shields["xml/xa"] = {"high", "for 20m"};
  CHECK(compared(before, after) ==
        Texts{"ml/a: protection: for 10m by ml/p, only against ml/q -> protection: for 20m"});
  after.shields.clear();
  CHECK(compared(before, after).front() == "ml/a: protection: for 10m by ml/p, only against ml/q -> protection: none");
}

TEST_CASE("disagreements: the columns are the pod and both decisions", "[analysis]") {
  const std::vector<Disagreement> all = {{"ml/a", "fits on n", "stays pending"}};
  const Table table = table_of(all, disagreement_row);
  REQUIRE(table.columns.size() == 3);
  CHECK(table.columns[0].head == "POD");
  CHECK(table.columns[1].head == "BEFORE");
  CHECK(table.columns[2].head == "AFTER");
  REQUIRE(table.rows.size() == 1);
  CHECK(table.rows[0][1].text == "fits on n");
  CHECK(table.rows[0][2].text == "stays pending");
  CHECK(object_of(all.front(), disagreement_row) ==
        Json({{"pod", "ml/a"}, {"before", "fits on n"}, {"after", "stays pending"}}));
}
