// Nodes that are lost with their pods.
#include "sequence/lost_nodes.h"

#include "sequence/kube_scenario.h"
#include "support/cluster.h"
#include "support/owned.h"

#include <catch2/catch.hpp>

#include <algorithm>

namespace previct::sequence {
namespace {

using test::a_budget;
using test::a_cluster;
using test::a_node;
using test::a_pod;
using test::owned;
using test::TestCluster;

using Names = std::vector<std::string>;

// The simulation from noon on, after the loss of n1.
auto without_n1(TestCluster& cluster, bool controllers) -> SimulationResult {
  Settings settings;
  settings.question.now = parse_instant("2026-03-02T12:00:00Z").value();
  settings.controllers = controllers;
  const NodeId lost = cluster.snapshot->find_node(cluster.snapshot->symbol("n1"));
  for (const PodId pod : cluster.snapshot->pods().ids()) {
    if (cluster.snapshot->pending(pod)) settings.pods.push_back(pod);
  }
  settings.lost = pods_lost_with({&lost, 1}, *cluster.snapshot);
  ChangedCluster changed(cluster.objects);
  lose({&lost, 1}, *cluster.snapshot, changed);
  auto play = simulate_kube(cluster.objects, settings, {});
  if (!play) FAIL(play.error().message);
  return *std::move(play);
}

auto names_in(const SimulationResult& play, EventKind what, const TestCluster& cluster) -> Names {
  Names names;
  for (const Step& step : play.steps) {
    if (step.what == what) names.push_back(play.key(step.pod, *cluster.snapshot));
  }
  return names;
}

}  // namespace

TEST_CASE("lost nodes: of a StatefulSet, lower ordinals come first", "[sequence][lost]") {
  const auto cluster =
      a_cluster({a_node("n1", "4"), a_node("n2", "4"), a_node("n3", "4"), a_pod("d/db-10").on("n1").yaml(),
                 a_pod("d/db-2").on("n1").yaml(), a_pod("d/db-1").on("n2").yaml(), a_pod("d/db-0").on("n3").yaml()});
  const Snapshot& snapshot = *cluster->snapshot;
  const std::vector<NodeId> nodes = {snapshot.find_node(snapshot.symbol("n1")),
                                     snapshot.find_node(snapshot.symbol("n2"))};
  Names pods;
  for (const PodId pod : pods_lost_with(nodes, snapshot)) pods.push_back(snapshot.key(pod));
  CHECK(pods == Names{"d/db-1", "d/db-2", "d/db-10"});
  {
    ChangedCluster changed(cluster->objects);
    lose(nodes, snapshot, changed);
    CHECK(cluster->objects.nodes.size() == 1);
    CHECK(cluster->objects.overlaid.removed_nodes.size() == 2);
  }
  CHECK(cluster->objects.nodes.size() == 3);
}

TEST_CASE("lost nodes: their pods are gone at once, and controllers replace them", "[sequence][lost]") {
  for (const bool controllers : {true, false}) {
    INFO(controllers);
    const auto cluster =
        a_cluster({a_node("n1", "2"), a_node("n2", "2"), owned(a_pod("d/web-a").on("n1").yaml(), "ReplicaSet", "web"),
                   a_pod("d/alone").on("n1").yaml(), a_pod("d/other").on("n2").yaml()});
    const SimulationResult play = without_n1(*cluster, controllers);
    CHECK(names_in(play, EventKind::gone, *cluster) == Names{"d/alone", "d/web-a"});
    for (const Step& step : play.steps) {
      if (step.what != EventKind::gone) continue;
      CHECK(step.at == 0);
      CHECK(step.why == "its node is lost");
    }
    CHECK(names_in(play, EventKind::created, *cluster).size() == (controllers ? 1 : 0));
    CHECK(names_in(play, EventKind::bound, *cluster).size() == (controllers ? 1 : 0));
  }
}

// Source: pkg/controller/disruption/disruption.go countHealthyPods: a pod that is being deleted does not count. The
// budget allows one disruption; if that of d/lost takes it, the eviction of d/v violates the budget.
TEST_CASE("lost nodes: a pod that is lost takes a disruption of its budget, unless it was being deleted",
          "[sequence][lost]") {
  for (const bool deleting : {false, true}) {
    INFO(deleting);
    auto lost = a_pod("d/lost").on("n1").labels("{app: a}");
    if (deleting) lost.deleting("2026-03-02T12:10:00Z");
    const auto cluster = a_cluster({a_node("n1", "1"), a_node("n2", "1"), lost.yaml(),
                                    a_pod("d/v").on("n2").priority(1).labels("{app: a}").yaml(),
                                    a_budget("d/b", "a", 1), a_pod("d/p").priority(9).yaml()});
    const SimulationResult play = without_n1(*cluster, false);
    const auto preempts = std::find_if(play.steps.begin(), play.steps.end(),
                                       [](const Step& step) { return step.what == EventKind::preempts; });
    REQUIRE(preempts != play.steps.end());
    CHECK(preempts->violates.size() == (deleting ? 0 : 1));
    if (!deleting) CHECK(preempts->violates.front().second == "d/b");
  }
}

}  // namespace previct::sequence
