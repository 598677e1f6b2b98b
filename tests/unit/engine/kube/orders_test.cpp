// Pods of equal priority and start time stand in an order that no dump shows.

#include "unit/engine/kube/ask.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace previct::test {
namespace {

constexpr const char* kStart = "2026-03-02T10:00:00Z";

auto equal_pod(const std::string& name, const std::string& cpu, const std::string& labels = "{}") -> std::string {
  return a_pod("ns/" + name).on("n1").cpu(cpu).labels(labels).started(kStart).yaml();
}

auto wants(const std::string& cpu) -> std::string {
  return a_pod("ns/new").priority(9).cpu(cpu).yaml();
}

auto names(const Snapshot& cluster, const std::vector<PodId>& pods) -> std::vector<std::string> {
  std::vector<std::string> out;
  for (const PodId pod : pods) out.push_back(cluster.key(pod));
  std::sort(out.begin(), out.end());
  return out;
}

// a (1 CPU) and c (2 CPUs) are under a budget that allows so many disruptions, b (1 CPU) is not.
auto with_a_budget_of(int disruptions) -> std::unique_ptr<TestCluster> {
  const std::string budget = fmt::format(
      "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {{namespace: ns, name: web}}\n"
      "spec: {{selector: {{matchLabels: {{app: web}}}}, maxUnavailable: {0}}}\n"
      "status: {{disruptionsAllowed: {0}, expectedPods: 2, currentHealthy: 2, desiredHealthy: {1}}}\n",
      disruptions, 2 - disruptions);
  return a_cluster({a_node("n1", "4"), wants("2"), equal_pod("a", "1", "{app: web}"), equal_pod("b", "1"),
                    equal_pod("c", "2", "{app: web}"), budget});
}

}  // namespace

TEST_CASE("equal pods that are alike: which of them go is open, and not how many") {
  const auto cluster = a_cluster({a_node("n1", "4"), wants("2"), equal_pod("a", "1"), equal_pod("b", "1"),
                                  equal_pod("c", "1"), equal_pod("d", "1")});
  const Answer answer = ask_kube(*cluster, "ns/new");
  CHECK(answer.sentence == "would preempt 2 of 4 equal pods on n1");
  CHECK_FALSE(answer.orders);
  CHECK(certain_victims(answer).empty());
  CHECK(possible_victims(answer).size() == 4);
}

TEST_CASE("equal pods of unlike sizes: how many go hangs on their order, and the sentence gives the range") {
  // 2 CPUs are left for those put back. With a and b first, c goes; with c first, a and b go; with a, c, b it is c.
  const auto cluster =
      a_cluster({a_node("n1", "4"), wants("2"), equal_pod("a", "1"), equal_pod("b", "1"), equal_pod("c", "2")});
  const Answer answer = ask_kube(*cluster, "ns/new");
  CHECK(
      answer.sentence ==
      "would preempt 1 of 3 equal pods on n1, if the scheduler holds equal pods in the order of the input; in another "
      "order 1 to 2 pods on n1");
  REQUIRE(answer.orders);
  REQUIRE(answer.orders->nodes.size() == 1);
  CHECK(answer.orders->nodes[0].node == "n1");
  CHECK(answer.orders->nodes[0].fewest == 1);
  CHECK(answer.orders->nodes[0].most == 2);
  CHECK(names(*cluster->snapshot, answer.orders->nodes[0].ever) == Names{"ns/a", "ns/b", "ns/c"});
  CHECK(certain_victims(answer).empty());
}

TEST_CASE("equal pods of unlike sizes: what comes out the same in every order is certain") {
  // 2 CPUs are left: a and b are always put back, c is too large.
  const auto cluster =
      a_cluster({a_node("n1", "6"), wants("4"), equal_pod("a", "1"), equal_pod("b", "1"), equal_pod("c", "4")});
  const Answer answer = ask_kube(*cluster, "ns/new");
  CHECK(answer.sentence == "would preempt ns/c on n1");
  CHECK_FALSE(answer.orders);
  CHECK(names(*cluster->snapshot, certain_victims(answer)) == Names{"ns/c"});
  CHECK(answer.victims.at(0).one_of == nullptr);
}

TEST_CASE("a pod of lower priority behind equal ones goes in some of their orders only") {
  // 3 CPUs are left. Behind a and b (1 each) there is 1 for low, and c (3) goes; with c first, nothing is left, so that
  // a, b and low go.
  const auto cluster = a_cluster({a_node("n1", "6"), wants("3"), equal_pod("a", "1"), equal_pod("b", "1"),
                                  equal_pod("c", "3"), a_pod("ns/low").on("n1").cpu("1").priority(-1).yaml()});
  const Answer answer = ask_kube(*cluster, "ns/new");
  REQUIRE(answer.orders);
  REQUIRE(answer.orders->nodes.size() == 1);
  CHECK(answer.orders->nodes[0].fewest == 1);
  CHECK(answer.orders->nodes[0].most == 3);
  CHECK(names(*cluster->snapshot, possible_victims(answer)) == Names{"ns/a", "ns/b", "ns/c", "ns/low"});
}

TEST_CASE("another order of equal pods on one node can make another node the better choice") {
  // On n2 one pod goes, which started earlier. On n1 one goes in the order of the input, which is better; where c is
  // put back first, a and b go there, which is worse, so that n1 is only chosen with one victim.
  const auto cluster =
      a_cluster({a_node("n1", "4"), a_node("n2", "4"), wants("2"), equal_pod("a", "1"), equal_pod("b", "1"),
                 equal_pod("c", "2"), a_pod("ns/d").on("n2").cpu("4").started("2026-03-02T09:00:00Z").yaml()});
  const Answer answer = ask_kube(*cluster, "ns/new");
  CHECK(answer.node == "n1");
  REQUIRE(answer.orders);
  REQUIRE(answer.orders->nodes.size() == 2);
  CHECK(answer.orders->nodes[0].node == "n1");
  CHECK(answer.orders->nodes[0].most == 1);
  CHECK(answer.orders->nodes[1].node == "n2");
  CHECK(names(*cluster->snapshot, answer.orders->nodes[1].ever) == Names{"ns/d"});
  CHECK(answer.sentence.ends_with("; in another order 1 pod on n1 or 1 pod on n2"));
  CHECK(certain_victims(answer).empty());
}

TEST_CASE("where one of several nodes is taken by chance, the other orders are not looked at") {
  // On either node 1 or 2 pods go, as above.
  std::vector<std::string> documents = {a_node("n1", "4"), a_node("n2", "4"), wants("2")};
  for (const char* node : {"n1", "n2"}) {
    for (const char* name : {"a", "b", "c"})
      documents.push_back(
          a_pod(fmt::format("ns/{}-{}", name, node)).on(node).cpu(*name == 'c' ? "2" : "1").started(kStart).yaml());
  }
  const auto orders = [&](std::string_view fields) {
    const auto cluster = a_cluster(documents);
    Question question = a_question();
    question.scheduler_config = with_profile(fields);
    const Verdict verdict = verdict_on(*cluster, question);
    CHECK(verdict.outcome == Outcome::preempts);
    return verdict.orders ? verdict.orders->nodes.size() : 0;
  };
  CHECK(orders("") == 2);
  CHECK(orders("pluginConfig: [{name: DefaultPreemption, args: {minCandidateNodesAbsolute: 1}}]") == 0);
}

TEST_CASE("a budget's last disruption among equal pods of unlike sizes: the other orders are not known") {
  // The budget allows one disruption: whichever of a and c comes first takes it.
  const auto cluster = with_a_budget_of(1);
  const Answer answer = ask_kube(*cluster, "ns/new");
  REQUIRE(answer.orders);
  CHECK(answer.orders->nodes.empty());
  CHECK(answer.sentence.ends_with(
      "in another order other pods, or a different number of pods, may be evicted, or another node may be chosen"));
  CHECK(certain_victims(answer).empty());
}

TEST_CASE("a budget that is exhausted for all of them is the same in every order") {
  // It allows none, so that a and c are tried before b. 2 CPUs are left: with a first, c goes, and b is put back; with
  // c first, a and b go. Of these two sets the first violates once, the second once as well.
  const auto cluster = with_a_budget_of(0);
  const Answer answer = ask_kube(*cluster, "ns/new");
  REQUIRE(answer.orders);
  REQUIRE(answer.orders->nodes.size() == 1);
  CHECK(answer.orders->nodes[0].fewest == 1);
  CHECK(answer.orders->nodes[0].most == 2);
  CHECK(answer.orders->nodes[0].fewest_pdb_violations == 1);
  CHECK(answer.orders->nodes[0].most_pdb_violations == 1);
}

TEST_CASE("more orders than can be tried: the sentence says that they are not known") {
  // 16 sizes, each once: every subset may have been put back before the next is tried.
  std::vector<std::string> documents = {a_node("n1", "100"), wants("64")};
  for (int i = 1; i <= 16; ++i)
    documents.push_back(equal_pod(fmt::format("p{}", i), fmt::format("{}m", 5000 + i * 37)));
  const auto cluster = a_cluster(documents);
  const Answer answer = ask_kube(*cluster, "ns/new");
  REQUIRE(answer.orders);
  CHECK(answer.orders->nodes.empty());
  CHECK(answer.sentence.find("in another order other pods, or a different number of pods, may be evicted") !=
        std::string::npos);
}

}  // namespace previct::test
