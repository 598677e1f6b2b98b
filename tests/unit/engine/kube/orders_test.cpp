// Pods of equal priority and start time have an order that no dump shows.

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

auto wants_cpu(const std::string& cpu) -> std::string {
  return a_pod("ns/new").priority(9).cpu(cpu).yaml();
}

auto names(const Snapshot& cluster, const std::vector<PodId>& pods) -> std::vector<std::string> {
  std::vector<std::string> out;
  for (const PodId pod : pods) out.push_back(cluster.key(pod));
  std::sort(out.begin(), out.end());
  return out;
}

// a (1 CPU) and c (2 CPUs) are under a budget that allows this number of disruptions, b (1 CPU) is not.
auto with_a_budget_of(int disruptions) -> std::unique_ptr<TestCluster> {
  const std::string budget = fmt::format(
      "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {{namespace: ns, name: web}}\n"
      "spec: {{selector: {{matchLabels: {{app: web}}}}, maxUnavailable: {0}}}\n"
      "status: {{disruptionsAllowed: {0}, expectedPods: 2, currentHealthy: 2, desiredHealthy: {1}}}\n",
      disruptions, 2 - disruptions);
  return a_cluster({a_node("n1", "4"), wants_cpu("2"), equal_pod("a", "1", "{app: web}"), equal_pod("b", "1"),
                    equal_pod("c", "2", "{app: web}"), budget});
}

}  // namespace

TEST_CASE("equal pods of one size: which of them are evicted is open, how many is not") {
  const auto cluster = a_cluster({a_node("n1", "4"), wants_cpu("2"), equal_pod("a", "1"), equal_pod("b", "1"),
                                  equal_pod("c", "1"), equal_pod("d", "1")});
  const Answer answer = ask_kube(*cluster, "ns/new");
  CHECK(answer.sentence == "would preempt 2 of 4 equal pods on n1");
  CHECK_FALSE(answer.orders);
  CHECK(certain_victims(answer).empty());
  CHECK(possible_victims(answer).size() == 4);
}

TEST_CASE("equal pods of different sizes: their order decides how many are evicted, and the range is reported") {
  // 2 CPUs are left for reprieved pods. With a and b first, c is evicted; with c first, a and b are evicted; with a, c,
  // b it is c.
  const auto cluster =
      a_cluster({a_node("n1", "4"), wants_cpu("2"), equal_pod("a", "1"), equal_pod("b", "1"), equal_pod("c", "2")});
  const Answer answer = ask_kube(*cluster, "ns/new");
  CHECK(
      answer.sentence ==
      "would preempt 1 of 3 equal pods on n1, if the scheduler keeps equal pods in the order of the input; in another "
      "order 1 to 2 pods on n1");
  REQUIRE(answer.orders);
  REQUIRE(answer.orders->nodes.size() == 1);
  CHECK(answer.orders->nodes[0].node == "n1");
  CHECK(answer.orders->nodes[0].fewest == 1);
  CHECK(answer.orders->nodes[0].most == 2);
  CHECK(names(*cluster->snapshot, answer.orders->nodes[0].ever) == Names{"ns/a", "ns/b", "ns/c"});
  CHECK(certain_victims(answer).empty());
}

TEST_CASE("equal pods of different sizes: what is the same in every order is certain") {
  // 2 CPUs are left: a and b are always reprieved, c is too large.
  const auto cluster =
      a_cluster({a_node("n1", "6"), wants_cpu("4"), equal_pod("a", "1"), equal_pod("b", "1"), equal_pod("c", "4")});
  const Answer answer = ask_kube(*cluster, "ns/new");
  CHECK(answer.sentence == "would preempt ns/c on n1");
  CHECK_FALSE(answer.orders);
  CHECK(names(*cluster->snapshot, certain_victims(answer)) == Names{"ns/c"});
  CHECK(answer.victims.at(0).one_of == nullptr);
}

TEST_CASE("equal pods: a pod of lower priority after them is evicted in some of their orders only") {
  // 3 CPUs are left. After a and b (1 each) there is 1 for low, and c (3) is evicted; with c first, nothing is left, so
  // a, b and low are evicted.
  const auto cluster = a_cluster({a_node("n1", "6"), wants_cpu("3"), equal_pod("a", "1"), equal_pod("b", "1"),
                                  equal_pod("c", "3"), a_pod("ns/low").on("n1").cpu("1").priority(-1).yaml()});
  const Answer answer = ask_kube(*cluster, "ns/new");
  REQUIRE(answer.orders);
  REQUIRE(answer.orders->nodes.size() == 1);
  CHECK(answer.orders->nodes[0].fewest == 1);
  CHECK(answer.orders->nodes[0].most == 3);
  CHECK(names(*cluster->snapshot, possible_victims(answer)) == Names{"ns/a", "ns/b", "ns/c", "ns/low"});
}

TEST_CASE("equal pods: another order of them on one node can make another node the better choice") {
  // On n2 the only victim started earlier. On n1 there is one victim in the order of the input, which is better. If c
  // is reprieved first, a and b are evicted there, which is worse, so n1 is chosen only with one victim.
  const auto cluster =
      a_cluster({a_node("n1", "4"), a_node("n2", "4"), wants_cpu("2"), equal_pod("a", "1"), equal_pod("b", "1"),
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

TEST_CASE("equal pods: other orders are not tried if one of several nodes is chosen by chance") {
  // On either node 1 or 2 pods are evicted, as above.
  std::vector<std::string> documents = {a_node("n1", "4"), a_node("n2", "4"), wants_cpu("2")};
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

TEST_CASE("equal pods of different sizes: other orders are not known if a budget has one disruption left") {
  // The budget allows one disruption: whichever of a and c comes first takes it.
  const auto cluster = with_a_budget_of(1);
  const Answer answer = ask_kube(*cluster, "ns/new");
  REQUIRE(answer.orders);
  CHECK(answer.orders->nodes.empty());
  CHECK(answer.sentence.ends_with(
      "in another order other pods, or a different number of pods, may be evicted, or another node may be chosen"));
  CHECK(certain_victims(answer).empty());
}

TEST_CASE("equal pods: a budget that is exhausted for all of them is the same in every order") {
  // The budget allows no disruption, so a and c are tried before b. 2 CPUs are left: with a first, c is evicted and b
  // is reprieved; with c first, a and b are evicted. Each of these two sets has one violation.
  const auto cluster = with_a_budget_of(0);
  const Answer answer = ask_kube(*cluster, "ns/new");
  REQUIRE(answer.orders);
  REQUIRE(answer.orders->nodes.size() == 1);
  CHECK(answer.orders->nodes[0].fewest == 1);
  CHECK(answer.orders->nodes[0].most == 2);
  CHECK(answer.orders->nodes[0].fewest_pdb_violations == 1);
  CHECK(answer.orders->nodes[0].most_pdb_violations == 1);
}

TEST_CASE("equal pods: if there are too many orders to try, the sentence says that they are not known") {
  // 16 different sizes: any subset may have been reprieved before the next pod is tried.
  std::vector<std::string> documents = {a_node("n1", "100"), wants_cpu("64")};
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
