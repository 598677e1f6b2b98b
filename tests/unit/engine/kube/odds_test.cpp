#include "engine/kube/odds.h"

#include "engine/kube/selection.h"
#include "tell/tell.h"
#include "unit/engine/kube/ask.h"

#include <catch2/catch.hpp>

using namespace previct;
using namespace previct::kube;
using Catch::Matchers::Contains;

namespace {

auto node(std::uint32_t index) -> NodeId {
  return NodeId{index};
}

auto chance_of(const std::vector<Chance>& chances, std::uint32_t index) -> Chance {
  for (const Chance& c : chances) {
    if (c.node == node(index)) return c;
  }
  return {node(index), 0, 0, 0};
}

// `ranks[i]` is the rank of node i. Nodes from `violating_from` on violate a budget.
auto contenders(const std::vector<std::uint32_t>& ranks, std::size_t violating_from = SIZE_MAX)
    -> std::vector<Contender> {
  std::vector<Contender> out;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    out.push_back({node(static_cast<std::uint32_t>(i)), ranks[i], i < violating_from});
  }
  return out;
}

auto sum(const std::vector<Chance>& chances) -> double {
  double all = 0;
  for (const Chance& c : chances) all += c.likely;
  return all;
}

}  // namespace

TEST_CASE("odds: the best node of a sample is chosen, with hypergeometric odds", "[odds]") {
  // 3 candidates, 2 sampled: {0,1} {0,2} {1,2}, each 1/3. Node 0 wins two of them, node 1 one, node 2 none.
  const auto three = odds_in_any_order(contenders({0, 1, 2}), 2);
  CHECK(chance_of(three, 0).likely == Approx(2.0 / 3));
  CHECK(chance_of(three, 1).likely == Approx(1.0 / 3));
  CHECK(three.size() == 2);

  // 150 candidates, 100 sampled: the best is missed with probability 50/150, the best two with 50/150 · 49/149.
  std::vector<std::uint32_t> ranks(150);
  for (std::uint32_t i = 0; i < 150; ++i) ranks[i] = i;
  const auto many = odds_in_any_order(contenders(ranks), 100);
  CHECK(chance_of(many, 0).likely == Approx(100.0 / 150));
  CHECK(chance_of(many, 1).likely == Approx(50.0 / 150 * 100 / 149));
  CHECK(chance_of(many, 2).likely == Approx(50.0 / 150 * 49 / 149 * 100 / 148));
  CHECK(sum(many) == Approx(1));
  // Dry runs may overtake each other: 85 are certain to be in the list, and 115 may be.
  CHECK(chance_of(many, 0).at_least == Approx(85.0 / 150));
  CHECK(chance_of(many, 0).at_most == Approx(115.0 / 150));
  CHECK(chance_of(many, 1).at_least == Approx(35.0 / 150 * 85 / 149));
  // The best has 65 places after the 85, the second has the 115. In 30 of these 65 · 115 cases, both places are the
  // same.
  CHECK(chance_of(many, 1).at_most == Approx((65.0 * 115 - 30) / (150 * 149)));
  // The worst 99 are never the best of 100.
  CHECK(many.size() == 51);
}

TEST_CASE("odds: nodes that tie share the chance of their rank", "[odds]") {
  // 4 candidates, 2 sampled: 6 pairs. 0 and 1 tie, 2 and 3 tie. Only {2,3} has neither of the first two.
  const auto pairs = odds_in_any_order(contenders({0, 0, 1, 1}), 2);
  CHECK(chance_of(pairs, 0).likely == Approx(5.0 / 12));
  CHECK(chance_of(pairs, 3).likely == Approx(1.0 / 12));
  // All are sampled. Of two entries in a map bucket of 8, one is met first from 1 to 7 of the 8 starting places.
  const auto four = odds_in_any_order(contenders({0, 0, 1, 1}), 4);
  CHECK(chance_of(four, 0).likely == Approx(0.5));
  CHECK(chance_of(four, 0).at_least == Approx(1.0 / 8));
  CHECK(chance_of(four, 0).at_most == Approx(7.0 / 8));
  CHECK(four.size() == 2);

  // Nothing is sampled: 12 nodes that tie need more than one bucket, so each has a chance of 1 in 12.
  const auto twelve = odds_in_any_order(contenders(std::vector<std::uint32_t>(12, 0)), 12);
  CHECK(chance_of(twelve, 7).likely == Approx(1.0 / 12));
  CHECK(sum(twelve) == Approx(1));
}

TEST_CASE("odds: among few nodes, the bounds are those of any order", "[odds]") {
  // 4 candidates among 5 nodes that are tried; 2 sampled. The best is seen from at least 2 of the 5 starting places
  // (its own and that of the candidate before it), and from 3 if the fifth node is between them.
  const auto candidates = contenders({0, 1, 2, 3});
  auto odds = odds_in_any_order(candidates, 2);
  widen_for_any_order(candidates, 5, 2, odds);
  CHECK(chance_of(odds, 0).likely == Approx(0.5));
  CHECK(chance_of(odds, 0).at_least == Approx(2.0 / 5));
  CHECK(chance_of(odds, 0).at_most == Approx(3.0 / 5));
  CHECK(chance_of(odds, 1).at_least == 0);
  CHECK(chance_of(odds, 1).at_most == Approx(3.0 / 5));
}

TEST_CASE("odds: the search continues until a candidate without violations is found", "[odds]") {
  // Nodes 0 and 1 are clean, 2 and 3 violate a budget; 1 sampled. A clean node comes first with 1/2, each with 1/4.
  // Else the search continues to the first clean node, which is either. So each has 1/4 + 1/2 · 1/2 = 1/2, and a
  // violating node has none.
  const auto odds = odds_in_any_order(contenders({0, 1, 2, 3}, 2), 1);
  CHECK(chance_of(odds, 0).likely == Approx(0.5));
  CHECK(chance_of(odds, 1).likely == Approx(0.5));
  CHECK(odds.size() == 2);
  // Up to 15 more dry runs end after that. Then both clean nodes may be known, and node 0 is chosen.
  CHECK(chance_of(odds, 0).at_most == Approx(1));
  CHECK(chance_of(odds, 1).at_least == Approx(0).margin(1e-12));
  CHECK(chance_of(odds, 0).at_least == Approx(0.5));

  // All violate: every node is tried, and the first 2 found are kept.
  const auto dirty = odds_in_any_order(contenders({0, 1, 2}, 0), 2);
  CHECK(chance_of(dirty, 0).likely == Approx(2.0 / 3));
}

TEST_CASE("odds: 3 clean candidates of 200, 100 sampled", "[odds]") {
  std::vector<std::uint32_t> ranks(200);
  for (std::uint32_t i = 0; i < 200; ++i) ranks[i] = i;
  const auto odds = odds_in_any_order(contenders(ranks, 3), 100);
  // All three are missed with 100·99·98 / (200·199·198) = 0.12312; then each of them comes first equally often.
  const double none = 100.0 * 99 * 98 / (200.0 * 199 * 198);
  CHECK(chance_of(odds, 0).likely == Approx(0.5 + none / 3));
  CHECK(chance_of(odds, 1).likely == Approx(0.5 * 100 / 199 + none / 3));
  CHECK(chance_of(odds, 2).likely == Approx(0.5 * 99 / 199 * 100 / 198 + none / 3));
}

TEST_CASE("odds: in a known order, every starting place is counted", "[odds]") {
  // Order 0 3 1 4 2 5, 2 sampled: (0,3) (3,1) (1,4) (4,2) (2,5) (5,0). Nodes 0, 1 and 2 win two of six.
  std::vector<std::optional<Contender>> potential;
  for (const std::uint32_t i : {0U, 3U, 1U, 4U, 2U, 5U}) potential.push_back(Contender{node(i), i, true});
  const auto windows = odds_in_cycle(potential, 2);
  for (const std::uint32_t i : {0U, 1U, 2U}) CHECK(chance_of(windows, i).likely == Approx(1.0 / 3));
  // Dry runs that overtake each other may leave only 3 and 4; 5 is never the best of two.
  CHECK(chance_of(windows, 3).likely == 0);
  CHECK(chance_of(windows, 3).at_most == 1);
  CHECK(chance_of(windows, 5).at_most == 0);
  // If all violate a budget, the search goes on in vain, and the list takes no more than 2.
  for (auto& each : potential) each->clean = false;
  const auto violating = odds_in_cycle(potential, 2);
  for (const std::uint32_t i : {0U, 1U, 2U}) CHECK(chance_of(violating, i).likely == Approx(1.0 / 3));
}

TEST_CASE("odds: in a known order, the search ends once a clean candidate is among enough of them", "[odds]") {
  // 2 sampled. From the first node on: a violating one and node 1. From the second: nodes 1 and 0. From the third: node
  // 0 and the violating one.
  const std::vector<std::optional<Contender>> potential = {Contender{node(2), 2, false}, Contender{node(1), 1, true},
                                                           Contender{node(0), 0, true}};
  const auto odds = odds_in_cycle(potential, 2);
  CHECK(chance_of(odds, 0).likely == Approx(2.0 / 3));
  CHECK(chance_of(odds, 1).likely == Approx(1.0 / 3));
  CHECK(chance_of(odds, 2).likely == 0);
}

TEST_CASE("odds: candidates that fill more than one map bucket share the chance of their rank", "[odds]") {
  std::vector<std::optional<Contender>> potential;
  for (std::uint32_t i = 0; i < 9; ++i) potential.push_back(Contender{node(i), i < 2 ? 0U : i, true});
  const auto odds = odds_in_cycle(potential, 9);
  CHECK(odds.size() == 2);
  CHECK(chance_of(odds, 0).likely == Approx(0.5));
  CHECK(chance_of(odds, 1).likely == Approx(0.5));
}

TEST_CASE("odds: which of two nodes that tie comes first depends on their places in the map bucket", "[odds]") {
  // Nodes a b c d e; a and b tie, c and d are worse, e is no candidate. The lists kept from each starting place are
  // abcd, bcda, cdab, dabc and abcd again. Read from a random one of 8 places, a is met first from 7, 3, 7, 7 and 7 of
  // them: 31/40.
  const std::vector<std::optional<Contender>> potential = {Contender{node(0), 0, true}, Contender{node(1), 0, true},
                                                           Contender{node(2), 1, true}, Contender{node(3), 2, true},
                                                           std::nullopt};
  const auto odds = odds_in_cycle(potential, 5);
  CHECK(chance_of(odds, 0).likely == Approx(31.0 / 40));
  CHECK(chance_of(odds, 1).likely == Approx(9.0 / 40));
  CHECK(chance_of(odds, 0).at_least == Approx(1.0 / 8));
  CHECK(chance_of(odds, 0).at_most == Approx(7.0 / 8));
  CHECK(odds.size() == 2);
}

TEST_CASE("odds: without samples or candidates, no node is chosen", "[odds]") {
  CHECK(odds_in_any_order(contenders({0, 1}), 0).empty());
  CHECK(odds_in_any_order({}, 5).empty());
  CHECK(odds_in_cycle({}, 5).empty());
}

TEST_CASE("snapshot_order: takes a node of each zone in turn", "[odds]") {
  const auto in_zone = [](const std::string& name, const std::string& zone) {
    return "apiVersion: v1\nkind: Node\nmetadata: {name: " + name + ", labels: {topology.kubernetes.io/zone: " + zone +
           "}}\n";
  };
  const auto cluster = test::a_cluster({in_zone("a1", "a"), in_zone("a2", "a"), in_zone("a3", "a"), in_zone("b1", "b"),
                                        in_zone("b2", "b"), "apiVersion: v1\nkind: Node\nmetadata: {name: x}\n"});
  std::string order;
  for (const NodeId id : snapshot_order(*cluster->snapshot)) {
    order += std::string(cluster->snapshot->name(id)) + " ";
  }
  CHECK(order == "a1 b1 x a2 b2 a3 ");
}

namespace {

auto two_that_tie() -> std::vector<std::string> {
  return {test::a_node("n1", "4"), test::a_node("n2", "4"), test::a_pod("default/a").on("n1").cpu("4").yaml(),
          test::a_pod("default/b").on("n2").cpu("4").yaml(), test::a_pod("default/p").priority(9).cpu("2").yaml()};
}

}  // namespace

TEST_CASE("odds: if nodes tie, no victim is certain, and the victims of each node are reported", "[odds]") {
  const auto cluster = test::a_cluster(two_that_tie());
  const Answer answer = test::ask_kube(*cluster, "default/p");
  REQUIRE(answer.odds);
  REQUIRE(answer.odds->nodes.size() == 2);
  CHECK(answer.odds->nodes[0].likely == Approx(0.5));
  CHECK(certain_victims(answer).empty());
  CHECK(possible_victims(answer).size() == 2);
  CHECK_THAT(answer.sentence, Contains("n1 or n2"));
}

TEST_CASE("odds: of equal pods on a node, none is a certain victim unless all are victims", "[odds]") {
  std::vector<std::string> one = {test::a_node("n1", "4")};
  const auto equal = [](const std::string& name) {
    return test::a_pod(name).on("n1").cpu("1").started("2026-03-02T10:00:00Z").labels("{app: a}").yaml();
  };
  for (const char* name : {"default/a", "default/b", "default/c", "default/d"}) one.push_back(equal(name));
  std::vector<std::string> all = one;
  one.push_back(test::a_pod("default/p").priority(9).cpu("1").yaml());
  all.push_back(test::a_pod("default/p").priority(9).cpu("4").yaml());

  const auto some_evicted = test::a_cluster(one);
  const Answer answer = test::ask_kube(*some_evicted, "default/p");
  REQUIRE(answer.victims.size() == 1);
  CHECK_FALSE(answer.victims[0].certain);
  CHECK(answer.victims[0].one_of->size() == 4);
  CHECK_THAT(answer.victim_lines[0].why, Contains("one of 4"));
  CHECK(possible_victims(answer).size() == 4);

  const auto all_evicted = test::a_cluster(all);
  const Answer whole = test::ask_kube(*all_evicted, "default/p");
  CHECK(certain_victims(whole).size() == 4);
}

TEST_CASE("chance_words: puts a chance into words", "[odds]") {
  CHECK(chance_words(1.0 / 6) == "1 in 6");
  CHECK(chance_words(0.62) == "62 %");
  CHECK(chance_words(1) == "over 99 %");
}

// Source: defaultpreemption GetOffsetAndNumCandidates, preemption.go DryRunPreemption. Ten nodes have too little free
// CPU for the pod, and the search ends with the first candidate; the pods on eight of them are more important.
TEST_CASE("odds: up to 1.31 nodes are dry-run in the order of the list, from a random start", "[odds]") {
  std::vector<std::string> documents = {test::a_pod("ns/new").priority(9).yaml()};
  for (int i = 0; i < 10; ++i) {
    const std::string name = "n" + std::to_string(i);
    documents.push_back(test::a_node(name, "1"));
    documents.push_back(test::a_pod("ns/on-" + name).on(name).priority(i < 8 ? 10 : 1).yaml());
  }
  const auto likely = [&](const std::string& release) {
    const auto cluster = test::a_cluster(documents);
    Question question = test::a_question();
    question.k8s_version = release;
    question.scheduler_config =
        test::with_profile("pluginConfig: [{name: DefaultPreemption, args: {minCandidateNodesAbsolute: 1}}]");
    const Verdict verdict = test::verdict_on(*cluster, question);
    REQUIRE(verdict.odds);
    REQUIRE(verdict.odds->nodes.size() == 2);
    return std::pair(verdict.odds->nodes[0], verdict.odds->nodes[1]);
  };
  // n8 comes first if the start is n0 to n8, n9 if the start is n9.
  const auto [first, second] = likely("1.31");
  CHECK(first.node == NodeId{8});
  CHECK(first.likely == Approx(0.9));
  CHECK(second.likely == Approx(0.1));
  // Since 1.32, nodes come in any order.
  CHECK(likely("1.32").first.likely == Approx(0.5));
}
