// What changes when a pod is bound to a node, leaves it, or is deleted, and that all changes are reverted.
#include "cluster/changed_cluster.h"

#include "support/cluster.h"
#include "support/objects_text.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

using namespace previct;
using namespace previct::test;

namespace {

auto small_cluster() -> std::unique_ptr<TestCluster> {
  return a_cluster({a_node("a", "4"), a_node("b", "4"), a_budget("ns/web", "web", 1), a_budget("ns/other", "db", 3),
                    a_pod("ns/old").on("a").labels("{app: web}").started("2026-03-02T11:00:00Z").yaml(),
                    a_pod("ns/new").nominated("b").yaml()});
}

}  // namespace

TEST_CASE("changed cluster: a bound pod runs since that second, and is no longer nominated", "[cluster]") {
  const auto cluster = small_cluster();
  Objects& objects = cluster->objects;
  const PodId pod = cluster->snapshot->find_pod("ns", "new");
  ChangedCluster changed(objects);
  changed.bind(pod, objects.symbols.find("b"), Instant{1'000, 700'000'000});
  const Snapshot now(objects);
  CHECK(now.pods_on(now.find_node(objects.symbols.find("b"))).size() == 1);
  CHECK(objects.pods[pod].status.start_time == Instant{1'000, 0});
  CHECK_FALSE(objects.pods[pod].status.nominated_node_name);
  const Condition* scheduled = objects.pods[pod].condition(objects.symbols.find("PodScheduled"));
  REQUIRE(scheduled != nullptr);
  CHECK(scheduled->last_transition == Instant{1'000, 0});
  CHECK(changed.before(pod).status.nominated_node_name == objects.symbols.find("b"));
}

TEST_CASE("changed cluster: budgets that select an evicted pod allow one disruption less, but at least 0",
          "[cluster]") {
  const auto cluster = small_cluster();
  Objects& objects = cluster->objects;
  const PodId old = cluster->snapshot->find_pod("ns", "old");
  ChangedCluster changed(objects);
  changed.evict(old);
  CHECK(objects.disruption_budgets[0].status.disruptions_allowed == 0);
  CHECK(objects.disruption_budgets[1].status.disruptions_allowed == 3);
  CHECK(Snapshot(objects).finished(old));
  CHECK(changed.shift_budgets_of(objects.pods[old], -1));
  CHECK(objects.disruption_budgets[0].status.disruptions_allowed == 0);
  CHECK_FALSE(changed.shift_budgets_of(objects.pods[cluster->snapshot->find_pod("ns", "new")], -1));
}

TEST_CASE("changed cluster: a released pod is pending as if it never had a node", "[cluster]") {
  const auto cluster = small_cluster();
  Objects& objects = cluster->objects;
  const PodId old = cluster->snapshot->find_pod("ns", "old");
  ChangedCluster changed(objects);
  changed.pod(old).meta.deleting = Instant{1'000, 0};
  changed.release(old);
  CHECK(Snapshot(objects).pending(old));
  CHECK_FALSE(objects.pods[old].meta.deleting);
  CHECK_FALSE(objects.pods[old].status.start_time);
}

TEST_CASE("changed cluster: reverts all changes", "[cluster]") {
  const auto cluster = small_cluster();
  Objects& objects = cluster->objects;
  const std::string before = objects_text(objects);
  const PodId old = cluster->snapshot->find_pod("ns", "old");
  {
    ChangedCluster changed(objects);
    changed.evict(old);
    changed.release(old);
    const PodId added = changed.add(Pod(objects.pods[old]));
    changed.bind(added, objects.symbols.find("b"), Instant{1'000, 0});
    CHECK(changed.before(added).spec.node_name == Symbol{});
    changed.node(NodeId{0}).spec.unschedulable = true;
    changed.add(Node(objects.nodes[NodeId{0}]));
    changed.budget(1).status.disruptions_allowed = 9;
    CHECK(objects_text(objects) != before);
  }
  CHECK(objects_text(objects) == before);
  {
    ChangedCluster changed(objects);
    changed.remove_nodes([&](const Node& node) { return node.meta.name == objects.symbols.find("a"); });
    CHECK(objects.nodes.size() == 1);
  }
  CHECK(objects_text(objects) == before);
}

// Source: kubernetes pkg/controller/resourceclaim/controller.go syncClaim: without a user, the devices of a claim are
// deallocated; the claim of a template is deleted with its pod.
TEST_CASE("changed cluster: the devices of a pod that is gone are free", "[cluster]") {
  const auto claim = [](const std::string& name, const std::string& more, const std::string& users) {
    return fmt::format(
        "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {{namespace: ns, name: {}{}}}\nstatus: "
        "{{allocation: {{devices: {{results: [{{driver: d, pool: p, device: {}}}]}}}}, reservedFor: [{}]}}\n",
        name, more, name, users);
  };
  const std::string old = "{resource: pods, name: old, uid: uid-ns-old}";
  const std::string owner = ", ownerReferences: [{kind: Pod, name: old, uid: uid-ns-old, controller: true}]";
  const auto cluster =
      a_cluster({a_node("a", "4"), a_pod("ns/old").on("a").yaml(), claim("alone", "", old),
                 claim("shared", "", old + ", {resource: pods, name: other, uid: u}"), claim("own", owner, old)});
  Objects& objects = cluster->objects;
  const std::string before = objects_text(objects);
  const ResourceClaim* const first = objects.resource_claims.data();
  const auto holding = [&] {
    std::vector<std::string> names;
    for (const ResourceClaim& each : objects.resource_claims) {
      if (each.status.allocation) names.emplace_back(objects.symbols.text(each.meta.name));
    }
    return names;
  };
  {
    ChangedCluster changed(objects);
    changed.evict(cluster->snapshot->find_pod("ns", "old"));
    CHECK(holding() == std::vector<std::string>{"shared"});
    CHECK(objects.resource_claims.size() == 2);
  }
  CHECK(objects_text(objects) == before);
  CHECK(objects.resource_claims.data() == first);  // snapshots point into the list
  {
    ChangedCluster changed(objects);
    changed.release(cluster->snapshot->find_pod("ns", "old"));
    CHECK(holding() == std::vector<std::string>{"shared"});
    CHECK(objects.resource_claims.size() == 3);
  }
  CHECK(objects_text(objects) == before);
}

TEST_CASE("changed cluster: a budget below its desired number allows nothing until it is reached again", "[cluster]") {
  // 2 of 2 desired pods are healthy. One ends: 1 - 2 is below 0, so that the next ready pod only replaces it.
  const auto cluster = a_cluster({a_node("a", "4"), a_budget("ns/web", "web", 0)});
  PodDisruptionBudgetStatus& status = cluster->objects.disruption_budgets[0].status;
  status.current_healthy = 2;
  status.desired_healthy = 2;
  ChangedCluster changed(cluster->objects);
  CHECK(changed.shift_budget(0, -1) == 0);
  CHECK(changed.shift_budget(0, 1) == 0);
  CHECK(changed.shift_budget(0, 1) == 1);
}

TEST_CASE("changed cluster: a pod that is not ready does not count for budgets", "[cluster]") {
  const auto cluster = small_cluster();
  Objects& objects = cluster->objects;
  Pod& pod = objects.pods[cluster->snapshot->find_pod("ns", "old")];
  pod.status.conditions.push_back({.type = objects.symbols.intern("Ready"),
                                   .status = objects.symbols.intern("False"),
                                   .reason = {},
                                   .last_transition = {}});
  ChangedCluster changed(objects);
  CHECK_FALSE(changed.shift_budgets_of(pod, -1));
  CHECK(objects.disruption_budgets[0].status.disruptions_allowed == 1);
}
