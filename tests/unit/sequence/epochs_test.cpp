#include "sequence/cost.h"
#include "sequence/kube_scenario.h"
#include "sequence/report.h"
#include "support/cluster.h"

#include <catch2/catch.hpp>

namespace previct::sequence {
namespace {

using test::a_class;
using test::a_cluster;
using test::a_node;
using test::a_pod;
using test::TestCluster;

constexpr Time kMinute = 60 * kSecond;

// ml/t has 4 CPUs and runs since `started`; ml/p evicts it at 12:00:00.012: the decision takes 2 ms, the mark and the
// status, which are sent together, 5 ms, the delete call 5 ms.
auto evicted(const std::string& started, std::vector<PodDuration> epochs) -> WorkloadCost {
  const auto cluster = a_cluster({a_node("n1", "4"), a_pod("ml/t").on("n1").cpu("4").started(started).yaml(),
                                  a_pod("ml/p").priority(9).cpu("4").yaml()});
  Settings settings;
  settings.question.now = parse_instant("2026-03-02T12:00:00Z").value();
  settings.pods.push_back(cluster->snapshot->find_pod("ml", "p"));
  settings.epochs = std::move(epochs);
  const auto play = simulate_kube(cluster->objects, settings, {});
  if (!play) FAIL(play.error().message);
  const SimulationCosts tolls(*play, settings, *cluster->snapshot);
  REQUIRE(tolls.all().size() == 1);
  return tolls.all().front();
}

auto cpu_hours_lost(const WorkloadCost& toll) -> double {
  REQUIRE(toll.lost);
  return toll.lost->cpu_hours;
}

}  // namespace

TEST_CASE("epochs: lost work counts from the last finished epoch", "[sequence][epochs]") {
  // 40 min with epochs of 15 min: two are finished, and 10 min are lost; times 4 CPUs, 0.667 CPU hours.
  const WorkloadCost toll = evicted("2026-03-02T11:20:00Z", {{"ml/t", 15 * kMinute}});
  CHECK(cpu_hours_lost(toll) == Approx(4.0 * 10 / 60).margin(0.001));
  REQUIRE(toll.epochs);
  CHECK(toll.epochs->runs == 1);
  CHECK(toll.epochs->evicted_before_first == 0);
  CHECK(toll.epochs->finished == 2);
  CHECK(toll.epochs->lost == 1);
  CHECK(toll.epochs->useful == 30 * kMinute);
  CHECK(toll.epochs->wasted == 10 * kMinute + 12 * kMillisecond);
  CHECK(toll.epochs->useful_share().value() == Approx(30.0 / 40).margin(0.001));
  CHECK(toll.reaches_epoch == true);
}

TEST_CASE("epochs: a run evicted exactly when an epoch ends loses nothing", "[sequence][epochs]") {
  // Evicted after 40 min and 12 ms.
  const WorkloadCost toll = evicted("2026-03-02T11:20:00Z", {{"ml/t", 40 * kMinute + 12 * kMillisecond}});
  REQUIRE(toll.epochs);
  CHECK(toll.epochs->finished == 1);
  CHECK(toll.epochs->lost == 0);
  CHECK(toll.epochs->wasted == 0);
}

TEST_CASE("epochs: without any, the whole run is lost", "[sequence][epochs]") {
  const WorkloadCost toll = evicted("2026-03-02T11:20:00Z", {});
  CHECK(cpu_hours_lost(toll) == Approx(4.0 * 40 / 60).margin(0.001));
  CHECK_FALSE(toll.epochs);
}

TEST_CASE("epochs: a run evicted before its first epoch is lost completely", "[sequence][epochs]") {
  const WorkloadCost toll = evicted("2026-03-02T11:50:00Z", {{"ml/t", 15 * kMinute}});
  CHECK(cpu_hours_lost(toll) == Approx(4.0 * 10 / 60).margin(0.001));
  REQUIRE(toll.epochs);
  CHECK(toll.epochs->evicted_before_first == 1);
  CHECK(toll.epochs->finished == 0);
  CHECK(toll.epochs->lost == 1);
  CHECK(toll.epochs->useful_share().value() == 0);
  CHECK(toll.reaches_epoch == false);
}

TEST_CASE("epochs: of several settings, the last that matches counts", "[sequence][epochs]") {
  const WorkloadCost toll =
      evicted("2026-03-02T11:20:00Z", {{"*", 5 * kMinute}, {"ml/t*", 25 * kMinute}, {"x/*", kMinute}});
  CHECK(toll.epoch == 25 * kMinute);
  REQUIRE(toll.epochs);
  CHECK(toll.epochs->finished == 1);  // 40 = 25 + 15
  CHECK(toll.epochs->wasted == 15 * kMinute + 12 * kMillisecond);
}

TEST_CASE("epochs: unknown if the start of a pod is unknown", "[sequence][epochs]") {
  const auto cluster = a_cluster({a_node("n1", "1"), a_pod("ml/t").on("n1").yaml(), a_pod("ml/p").priority(9).yaml()});
  Settings settings;
  settings.question.now = parse_instant("2026-03-02T12:00:00Z").value();
  settings.pods.push_back(cluster->snapshot->find_pod("ml", "p"));
  settings.epochs.push_back({"ml/t", kMinute});
  const auto play = simulate_kube(cluster->objects, settings, {});
  REQUIRE(play);
  const SimulationCosts tolls(*play, settings, *cluster->snapshot);
  REQUIRE(tolls.all().size() == 1);
  CHECK_FALSE(tolls.all().front().epochs);
  CHECK_FALSE(tolls.all().front().lost);
  CHECK_FALSE(tolls.epochs_table());
}

TEST_CASE("waits: the longest is that of a pod that was pending, arrived, or is never bound", "[sequence][epochs]") {
  // p is bound once v is gone, 30 s after its deletion; the grace period ends at whole seconds of the clock: 12:00:30,
  // plus one cycle of 2 ms and the binding of 5 ms. q fits nowhere.
  const auto cluster = a_cluster({a_node("n1", "1"), a_pod("ml/v").on("n1").started("2026-03-02T11:00:00Z").yaml(),
                                  a_pod("ml/p").priority(9).yaml(), a_pod("ml/q").priority(8).yaml()});
  Settings settings;
  settings.question.now = parse_instant("2026-03-02T12:00:00Z").value();
  for (const char* name : {"p", "q"}) settings.pods.push_back(cluster->snapshot->find_pod("ml", name));
  const auto play = simulate_kube(cluster->objects, settings, {});
  REQUIRE(play);
  const Waits waits = waits_of(*play, settings);
  CHECK(waits.longest == 30 * kSecond + 7 * kMillisecond);
  CHECK(waits.forever == 1);
  CHECK(waits.words() == "30.007s, 1 never");
  // A pod that arrives later waits from its arrival.
  settings.pods.pop_back();
  settings.arrivals.push_back({settings.pods.front(), 10 * kSecond});
  const auto later = simulate_kube(cluster->objects, settings, {});
  REQUIRE(later);
  CHECK(waits_of(*later, settings).longest == 30 * kSecond + 7 * kMillisecond);
  CHECK(waits_of(*later, settings).words() == "30.007s");
}

TEST_CASE("sequence: new pods get the current priority of a class, even if it is the only known one",
          "[sequence][epochs]") {
  // The class had 9, and has 1 now: its old pod keeps 9 and is evicted by 10, the new one has priority 1.
  const std::string old = R"(apiVersion: v1
kind: Pod
metadata: {namespace: ml, name: web-1, uid: u1, creationTimestamp: "2026-03-02T10:00:00Z",
           ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: web, uid: r1, controller: true}]}
spec: {nodeName: n1, priority: 9, priorityClassName: low,
       containers: [{name: c, image: i, resources: {requests: {cpu: "1"}}}]}
status: {phase: Running, startTime: "2026-03-02T10:00:00Z"}
)";
  const auto cluster = a_cluster({a_class("low", 1), a_node("n1", "1"), old, a_pod("ml/p").priority(10).yaml()});
  Settings settings;
  settings.question.now = parse_instant("2026-03-02T12:00:00Z").value();
  settings.controllers = true;
  settings.pods.push_back(cluster->snapshot->find_pod("ml", "p"));
  const auto play = simulate_kube(cluster->objects, settings, {});
  REQUIRE(play);
  REQUIRE_FALSE(play->created.empty());
  CHECK(play->created.front().pod.spec.priority == 1);
}

}  // namespace previct::sequence
