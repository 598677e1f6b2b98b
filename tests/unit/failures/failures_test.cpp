#include "failures/failures.h"

#include "analysis/subject.h"
#include "api/load.h"
#include "sequence/controller_objects.h"
#include "support/cluster.h"
#include "support/owned.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace previct::failures {
namespace {

using test::a_cluster;
using test::a_node;
using test::a_pod;
using test::owned;
using test::TestCluster;

/// fixtures/failures/shop.yaml, whose head says what follows from each failure.
auto shop() -> std::unique_ptr<TestCluster> {
  auto cluster = std::make_unique<TestCluster>();
  REQUIRE(load({PREVICT_SOURCE_DIR "/fixtures/failures/shop.yaml"}, {}, cluster->objects));
  cluster->snapshot = std::make_unique<Snapshot>(cluster->objects);
  return cluster;
}

auto task_of(TestCluster& cluster) -> Task {
  Task task{.objects = cluster.objects, .settings = {}, .nodes = {}, .domain = {}};
  task.settings.question.now = parse_instant("2026-03-02T12:00:00Z").value();
  task.settings.controllers = true;
  for (const Subject& subject : pending_subjects(*cluster.snapshot, "")) task.settings.pods.push_back(subject.pod);
  for (const NodeId node : cluster.snapshot->nodes().ids()) task.nodes.push_back(node);
  return task;
}

auto simulated(const Task& task) -> Failures {
  auto found = simulate(task);
  if (!found) FAIL(found.error().message);
  return *std::move(found);
}

auto outcome_of(const Failures& found, const std::string& name) -> const Outcome& {
  const auto at = std::find_if(found.outcomes.begin(), found.outcomes.end(),
                               [&](const Outcome& each) { return each.failure.name == name; });
  if (at == found.outcomes.end()) FAIL("no failure " << name);
  return *at;
}

auto names(const std::vector<PodOut>& pods) -> std::vector<std::string> {
  std::vector<std::string> all;
  for (const PodOut& each : pods) all.push_back(each.name);
  return all;
}

auto names(const std::vector<Evicted>& pods) -> std::vector<std::string> {
  std::vector<std::string> all;
  for (const Evicted& each : pods) all.push_back(each.name);
  return all;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("failures: each node of the example is lost as its head says", "[failures]") {
  const auto cluster = shop();
  const Failures found = simulated(task_of(*cluster));
  REQUIRE(found.outcomes.size() == 3);
  const Outcome& a = outcome_of(found, "a");
  CHECK(a.lost == 3);
  CHECK(a.ended == 1);  // agent-a
  CHECK(a.again == 2);  // db-0 and api-1
  REQUIRE(a.evicted.size() == 1);
  CHECK(a.evicted.front().by == "shop/api-new-1");
  CHECK(a.evicted.front().priority == 100);
  CHECK(names(a.out) == names(a.evicted));
  REQUIRE(a.budgets.size() == 1);  // batch wants 2 healthy pods, and 1 is left
  CHECK(a.budgets.front().name == "shop/batch");
  CHECK(a.budgets.front().violated);
  CHECK(a.budgets.front().is_short);
  const Outcome& b = outcome_of(found, "b");
  CHECK(names(b.out) == Names{"shop/batch-1", "shop/debug"});
  CHECK(names(b.evicted) == Names{"shop/debug"});
  REQUIRE(b.budgets.size() == 1);
  CHECK_FALSE(b.budgets.front().violated);
  CHECK(b.budgets.front().is_short);
  const Outcome& c = outcome_of(found, "c");
  CHECK(names(c.out) == Names{"shop/batch-2", "shop/debug"});
  CHECK(c.out.back().why == "it has no controller that creates it again");
  CHECK(c.evicted.empty());
}

TEST_CASE("failures: the input is as before", "[failures]") {
  const auto cluster = shop();
  (void)simulated(task_of(*cluster));
  CHECK(cluster->objects.nodes.size() == 3);
  CHECK(cluster->objects.pods.size() == 9);
  const PodId pod = cluster->snapshot->find_pod("shop", "batch-1");
  CHECK(cluster->snapshot->pending(pod) == false);
  CHECK(cluster->objects.disruption_budgets.front().status.current_healthy == 2);
}

TEST_CASE("failures: domains fail with all their nodes, and pairs together", "[failures]") {
  const auto cluster = shop();
  Task task = task_of(*cluster);
  task.domain = "topology.kubernetes.io/zone";
  const Failures zones = simulated(task);
  REQUIRE(zones.outcomes.size() == 2);
  // East: db-0 (1), api-1 and api-2 (2 each) need 5 CPUs of the 4900m on c that the agent leaves: one of api stays out.
  const Outcome& east = outcome_of(zones, "topology.kubernetes.io/zone=east");
  CHECK(east.lost == 6);
  REQUIRE_FALSE(east.out.empty());
  CHECK(east.highest_out() == 1000);
  CHECK(zones.outcomes.front().failure.name == "topology.kubernetes.io/zone=east");
  task.domain.clear();
  task.at_once = 2;
  const Failures pairs = simulated(task);
  REQUIRE(pairs.outcomes.size() == 3);
  CHECK(outcome_of(pairs, "a and b").lost == 6);
  CHECK(names(outcome_of(pairs, "a and b").out) == names(east.out));
}

TEST_CASE("failures: a pod that is pending anyway does not stay out because of a failure", "[failures]") {
  // d/big fits nowhere, failure or not. d/small fits on n1 only if n1 does not fail.
  const auto cluster =
      a_cluster({a_node("n1", "2"), a_node("n2", "1"), a_pod("d/x").on("n2").priority(9).yaml(),
                 a_pod("d/big").cpu("8").priority(5).yaml(), a_pod("d/small").cpu("2").priority(4).yaml()});
  const Failures found = simulated(task_of(*cluster));
  CHECK(names(outcome_of(found, "n1").out) == Names{"d/small"});
  CHECK(names(outcome_of(found, "n2").out) == Names{"d/x"});
}

TEST_CASE("failures: what happens without a failure does not follow from it", "[failures]") {
  // A taint of m deletes both pods: the first has no controller, and no other node has a CPU for a new pod of the
  // second.
  const std::string tainted = a_node("m", "2") + "spec: {taints: [{key: maint, effect: NoExecute}]}\n";
  const auto cluster = a_cluster({tainted, a_node("z", "0"), a_pod("d/alone").on("m").priority(1000).yaml(),
                                  owned(a_pod("d/web-a").on("m").priority(500).cpu("1").yaml(), "ReplicaSet", "web")});
  const Failures found = simulated(task_of(*cluster));
  const Outcome& z = outcome_of(found, "z");
  CHECK(z.lost == 0);
  CHECK(names(z.out).empty());
  // The same pods are lost with their own node.
  CHECK(outcome_of(found, "m").lost == 2);
  CHECK(names(outcome_of(found, "m").out).empty());
}

TEST_CASE("failures: what an unknown controller does is not known", "[failures]") {
  const auto cluster = a_cluster(
      {a_node("n1", "2"), a_node("n2", "2"), owned(a_pod("d/x").on("n1").priority(7).yaml(), "Rollout", "x")});
  const Outcome lost = outcome_of(simulated(task_of(*cluster)), "n1");
  REQUIRE(lost.out.size() == 1);
  CHECK_FALSE(lost.out.front().known);
  CHECK(lost.out.front().why == "how the Rollout controller reacts is not simulated");
}

TEST_CASE("failures: of two choices among equals, the worse one counts", "[failures]") {
  // d/a fits on n2 and n3 equally; d/b only on n3, which has 1 CPU. If d/a takes n2, both run; if it takes n3, d/b is
  // out.
  const std::string only_n3 = "nodeSelector: {kubernetes.io/hostname: n3}";
  const auto cluster =
      a_cluster({a_node("n1", "2"), a_node("n2", "1"), a_node("n3", "1"),
                 owned(a_pod("d/a").on("n1").priority(9).cpu("1").yaml(), "ReplicaSet", "a"),
                 owned(a_pod("d/b").on("n1").priority(5).cpu("1").spec(only_n3).yaml(), "ReplicaSet", "b")});
  Task task = task_of(*cluster);
  task.nodes.resize(1);
  Failures found = simulated(task);
  const Outcome& lost = found.outcomes.front();
  CHECK(lost.chosen);
  CHECK(names(lost.out) == Names{"d/b"});
  REQUIRE(lost.other);
  CHECK(lost.other->out == 0);
  CHECK(lost.highest_always_out() == kNoPriority);
  found.none_out_above = 4;
  CHECK(found.claim() == Claim::open);
  CHECK(found.decisive() == &lost);
  found.none_out_above = 5;
  CHECK(found.claim() == Claim::holds);
}

TEST_CASE("failures: a claim is open if the end of a pod is not known", "[failures]") {
  // d/z has no controller and stays out for certain; what becomes of d/x is not known.
  const auto cluster = a_cluster({a_node("n1", "2"), a_node("n2", "2"), a_pod("d/z").on("n1").priority(3).yaml(),
                                  owned(a_pod("d/x").on("n1").priority(7).yaml(), "Rollout", "x")});
  Failures found = simulated(task_of(*cluster));
  CHECK(found.claim() == Claim::holds);  // nothing is claimed
  found.none_out_above = 7;
  CHECK(found.claim() == Claim::holds);
  found.none_out_above = 6;
  CHECK(found.claim() == Claim::open);
  found.none_out_above = 2;
  CHECK(found.claim() == Claim::broken);
  found.none_out_above = 7;
  found.outcomes.back().cut = true;
  CHECK(found.claim() == Claim::open);
}

TEST_CASE("failures: the pods of an ordered StatefulSet come back one after the other", "[failures]") {
  // Both replicas are lost; the first needs 2 CPUs, which n2 has, and then the second fits nowhere.
  const auto of_set = [&](const std::string& name) {
    return owned(a_pod(name).on("n1").priority(3).cpu("2").yaml(), "StatefulSet", "db");
  };
  const auto cluster = a_cluster({a_node("n1", "4"), a_node("n2", "2"), of_set("d/db-1"), of_set("d/db-0")});
  const Outcome lost = outcome_of(simulated(task_of(*cluster)), "n1");
  CHECK(lost.again == 1);
  CHECK(names(lost.out) == Names{"d/db-1"});
}

TEST_CASE("failures: the worst comes first, and a limit is broken by it", "[failures]") {
  const auto cluster = a_cluster({a_node("n1", "1"), a_node("n2", "1"), a_pod("d/low").on("n1").priority(1).yaml(),
                                  a_pod("d/high").on("n2").priority(2).yaml()});
  Failures found = simulated(task_of(*cluster));
  CHECK(found.outcomes.front().failure.name == "n2");
  found.none_out_above = 2;
  CHECK(found.claim() == Claim::holds);
  found.none_out_above = 1;
  CHECK(found.claim() == Claim::broken);
}

TEST_CASE("failures: a drain evicts what budgets allow", "[failures]") {
  // Three replicas on n1, of which two must be healthy: one is evicted at once, runs on n2, and then the next one is.
  // The pods of n2 are those of a budget that allows nothing, of a DaemonSet, and of no controller.
  const auto replica = [](const std::string& name) {
    return owned(a_pod(name).on("n1").priority(3).labels("{app: web}").yaml(), "ReplicaSet", "web");
  };
  const std::string budget =
      "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {namespace: d, name: web}\n"
      "spec: {minAvailable: 2, selector: {matchLabels: {app: web}}}\n"
      "status: {currentHealthy: 3, desiredHealthy: 2, disruptionsAllowed: 1}\n";
  const auto cluster = a_cluster({a_node("n1", "8"), a_node("n2", "8"), budget, replica("d/web-1"), replica("d/web-2"),
                                  replica("d/web-3"), test::a_budget("d/stays", "db", 0),
                                  owned(a_pod("d/db-0").on("n2").labels("{app: db}").yaml(), "StatefulSet", "db"),
                                  owned(a_pod("d/agent").on("n2").yaml(), "DaemonSet", "agent"),
                                  a_pod("d/alone").on("n2").priority(2).yaml()});
  Task task = task_of(*cluster);
  task.drains = true;
  const Failures found = simulated(task);
  const Outcome& first = outcome_of(found, "n1");
  CHECK(first.lost == 3);
  CHECK(first.kept.empty());
  CHECK(first.again == 3);
  CHECK(first.out.empty());
  CHECK(first.flags.empty());
  CHECK(first.budgets.empty());
  const Outcome& second = outcome_of(found, "n2");
  CHECK(second.lost == 2);
  REQUIRE(second.kept.size() == 1);
  CHECK(second.kept.front().name == "d/db-0");
  CHECK(second.kept.front().why == "PodDisruptionBudget stays allows no disruption");
  CHECK(names(second.out) == Names{"d/alone"});
  CHECK(second.flags == Names{"--force", "--ignore-daemonsets"});
  CHECK_FALSE(cluster->objects.nodes.items().front().spec.unschedulable);
}

// What kubernetes pkg/registry/core/pod/storage/eviction.go does, v1.35.4: IfHealthyBudget (the default) evicts a pod
// that is not ready only if the budget has enough healthy pods; AlwaysAllow always does; a ready pod is not concerned.
TEST_CASE("failures: a drain evicts pods that are not ready as unhealthyPodEvictionPolicy says", "[failures]") {
  const auto evicted = [](std::string_view policy, int healthy, std::string_view ready) {
    const std::string budget = fmt::format(
        "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {{namespace: d, name: web}}\n"
        "spec: {{minAvailable: 2, selector: {{matchLabels: {{app: web}}}}{}}}\n"
        "status: {{currentHealthy: {}, desiredHealthy: 2, disruptionsAllowed: 0}}\n",
        policy, healthy);
    const std::string pod = fmt::format(
        "apiVersion: v1\nkind: Pod\nmetadata:\n  namespace: d\n  name: web-1\n  labels: {{app: web}}\n"
        "  ownerReferences: [{{kind: ReplicaSet, name: web, controller: true}}]\nspec: {{nodeName: n1}}\n"
        "status: {{phase: Running, conditions: [{{type: Ready, status: \"{}\"}}]}}\n",
        ready);
    const auto cluster = a_cluster({a_node("n1", "8"), a_node("n2", "8"), budget, pod});
    Task task = task_of(*cluster);
    task.drains = true;
    return outcome_of(simulated(task), "n1").kept.empty();
  };
  const std::string always = ", unhealthyPodEvictionPolicy: AlwaysAllow";
  const std::string healthy = ", unhealthyPodEvictionPolicy: IfHealthyBudget";
  CHECK(evicted(always, 1, "False"));
  CHECK(evicted(healthy, 2, "False"));
  CHECK(evicted("", 2, "False"));
  CHECK_FALSE(evicted(healthy, 1, "False"));
  CHECK_FALSE(evicted("", 1, "False"));
  CHECK_FALSE(evicted(always, 1, "True"));
  CHECK_FALSE(evicted(always, 2, "True"));
}

// disruption.go updatePdbStatus: with maxUnavailable and pods without a controller, no pod is expected and no
// disruption allowed, however many pods are healthy.
TEST_CASE("failures: a budget whose pods are not expected allows no disruption", "[failures]") {
  const auto cluster =
      a_cluster({a_node("n1", "8"), a_pod("d/web").on("n1").labels("{app: web}").yaml(),
                 test::a_budget("d/one", "web", 0) + "  currentHealthy: 1\n  desiredHealthy: 0\n  expectedPods: 0\n"});
  Task task = task_of(*cluster);
  task.drains = true;
  CHECK(outcome_of(simulated(task), "n1").kept.front().why ==
        "PodDisruptionBudget one allows no disruption, although it needs 0 healthy pods and has 1: the disruption "
        "controller does not know how many pods there should be");
}

TEST_CASE("failures: a pod of two budgets cannot be drained", "[failures]") {
  const auto cluster = a_cluster({a_node("n1", "8"), a_node("n2", "8"), test::a_budget("d/one", "web", 1),
                                  test::a_budget("d/two", "web", 1),
                                  owned(a_pod("d/web-1").on("n1").labels("{app: web}").yaml(), "ReplicaSet", "web")});
  Task task = task_of(*cluster);
  task.drains = true;
  const Outcome drained = outcome_of(simulated(task), "n1");
  REQUIRE(drained.kept.size() == 1);
  CHECK(drained.kept.front().why == "2 PodDisruptionBudgets select it, which the API does not support");
  CHECK(drained.again == 0);
}

// 1.37 introduced the gate; without nodes, 1.36 is assumed, which would refuse it.
TEST_CASE("failures: the release does not change when the node is lost that shows it", "[failures]") {
  const auto cluster = a_cluster({a_node("n1", "8") + "  nodeInfo: {kubeletVersion: v1.37.1}\n",
                                  owned(a_pod("d/web").on("n1").yaml(), "ReplicaSet", "web")});
  Task task = task_of(*cluster);
  task.settings.question.feature_gates = "SchedulerPreQueueingHints=true";
  CHECK(outcome_of(simulated(task), "n1").lost == 1);
}

TEST_CASE("failures: too many failures, and none, are errors", "[failures]") {
  const auto cluster = a_cluster({a_node("n1", "1")});
  Task task = task_of(*cluster);
  task.at_once = 2;
  CHECK(simulate(task).error().message == "the input has fewer than 2 nodes");
  task.at_once = 1;
  task.domain = "rack";
  CHECK(simulate(task).error().message == "no node has the label rack");
}

}  // namespace previct::failures
