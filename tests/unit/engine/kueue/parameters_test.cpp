#include "support/kueue.h"
#include "sweep/sweep.h"

#include <catch2/catch.hpp>

#include <map>
#include <set>

// Sweeps over the fields of Kueue's objects; expected values are derived by hand.

namespace previct {
namespace {

using test::flavor;
using test::KueueAsked;
using test::queue;
using test::workload;
using State = SimulatedCycles::Result;

/// Runs a sweep; returns for each value what becomes of the workloads, in the order of their names.
auto swept(KueueAsked& asked, const std::string& vary) -> std::map<std::int64_t, std::vector<State>> {
  asked.cluster = std::make_unique<Snapshot>(asked.objects);
  asked.question.now = *parse_instant("2026-05-01T12:00:00Z");
  asked.question.cycles = 50;
  sweep::Task task{
      .objects = asked.objects, .engine = kueue_engine, .settings = {.question = asked.question}, .axes = {}};
  auto axis = sweep::read_axis(vary, *asked.cluster, kueue_engine, asked.question);
  REQUIRE(axis);
  task.axes.push_back(*axis);
  const auto found = sweep::sweep(task);
  REQUIRE(found);
  std::map<std::int64_t, std::vector<State>> results;
  for (const sweep::Point& point : found->points) {
    REQUIRE(point.cycles);
    for (const auto& end : point.cycles->ends) results[point.values.front()].push_back(end.result);
  }
  return results;
}

auto refusal(KueueAsked& asked, const std::string& vary) -> std::string {
  asked.cluster = std::make_unique<Snapshot>(asked.objects);
  const auto axis = sweep::read_axis(vary, *asked.cluster, kueue_engine, asked.question);
  REQUIRE_FALSE(axis);
  return axis.error().message;
}

}  // namespace

TEST_CASE("kueue sweep: finds the nominal quota from which each workload is admitted", "[kueue][sweep]") {
  // w1 requests 2 cpu and comes first, w2 requests 4: from 2 on w1 is admitted; both are from 2 + 4 = 6 on.
  KueueAsked asked(flavor() + queue({.cpu = "4"}) + workload({.name = "w1", .cpu = "2"}) +
                   workload({.name = "w2", .cpu = "4", .minute = 1}));
  const auto results = swept(asked, "nominal-quota:q:f:cpu=0..8");
  CHECK(results.at(1999) == std::vector{State::pending, State::pending});
  CHECK(results.at(2000) == std::vector{State::admitted, State::pending});
  CHECK(results.at(5999) == std::vector{State::admitted, State::pending});
  CHECK(results.at(6000) == std::vector{State::admitted, State::admitted});
  // The objects are as before.
  CHECK(asked.explain("w2").outcome == Outcome::pending);
}

TEST_CASE("kueue sweep: with admission checks, a workload only gets its quota", "[kueue][sweep]") {
  // w requests 2 cpu. Source: pkg/workload/admissionchecks.go SyncAdmittedCondition.
  const std::string check =
      "---\n{apiVersion: kueue.x-k8s.io/v1beta2, kind: AdmissionCheck, metadata: {name: c}, spec: {controllerName: x}, "
      "status: {conditions: [{type: Active, status: 'True', reason: A, lastTransitionTime: "
      "'2026-05-01T00:00:00Z'}]}}\n";
  KueueAsked asked(flavor() + check + queue({.more = ", admissionChecksStrategy: {admissionChecks: [{name: c}]}"}) +
                   workload({.name = "w", .cpu = "2"}));
  const auto results = swept(asked, "nominal-quota:q:f:cpu=1..3");
  CHECK(results.at(1999) == std::vector{State::pending});
  CHECK(results.at(2000) == std::vector{State::reserved});
}

TEST_CASE("kueue sweep: quota turns where a workload fits, alone or after those before it", "[kueue][sweep]") {
  // The queue uses 1. w1 requests 2 and is before w2, which requests 4: 1 + 2, 1 + 4, and 1 + 2 + 4. The cohort also
  // has the workload of the other queue, which requests 8.
  KueueAsked asked(
      flavor() + queue({.cpu = "1", .cohort = "team"}) + queue({.name = "other", .cpu = "1", .cohort = "team"}) +
      test::kueue_object("Cohort", "team",
                         "resourceGroups: [{coveredResources: [cpu], flavors: [{name: f, resources: "
                         "[{name: cpu, nominalQuota: 1}]}]}]") +
      workload({.name = "run", .cpu = "1", .holds = true}) + workload({.name = "w1", .cpu = "2"}) +
      workload({.name = "w2", .cpu = "4", .minute = 1}) + workload({.name = "v", .queue = "other", .cpu = "8"}));
  asked.cluster = std::make_unique<Snapshot>(asked.objects);
  const auto turning = [&](const std::string& vary) {
    const auto axis = sweep::read_axis(vary + ":f:cpu=0..20", *asked.cluster, kueue_engine, asked.question);
    REQUIRE(axis);
    const std::vector<std::int64_t>& values = axis->parameter.field.turning;
    return std::set<std::int64_t>(values.begin(), values.end());
  };
  using Values = std::set<std::int64_t>;
  CHECK(turning("nominal-quota:q") == Values{1000, 3000, 5000, 7000});
  CHECK(turning("nominal-quota:other") == Values{0, 8000});
  // Of the queues, those of the one that was read first come first.
  CHECK(turning("nominal-quota:cohort/team") == Values{1000, 3000, 5000, 7000, 9000, 15000});
}

TEST_CASE("kueue sweep: borrowing and lending limits, priorities, thresholds and counts", "[kueue][sweep]") {
  SECTION("borrowingLimit: w needs 6, of which 2 are beyond its own 4") {
    KueueAsked asked(test::kNoCohorts + flavor() +
                     queue({.cpu = "4", .cohort = "team", .limits = ", borrowingLimit: 0"}) +
                     queue({.name = "other", .cpu = "4", .cohort = "team"}) + workload({.name = "w", .cpu = "6"}));
    const auto results = swept(asked, "borrowing-limit:clusterqueue/q:f:cpu=0..4");
    CHECK(results.at(1999) == std::vector{State::pending});
    CHECK(results.at(2000) == std::vector{State::admitted});
  }
  SECTION("lendingLimit: the other queue must lend 2") {
    KueueAsked asked(test::kNoCohorts + flavor() + queue({.cpu = "4", .cohort = "team"}) +
                     queue({.name = "other", .cpu = "4", .cohort = "team", .limits = ", lendingLimit: 0"}) +
                     workload({.name = "w", .cpu = "6"}));
    const auto results = swept(asked, "lending-limit:other:f:cpu=0,1,2,3");
    CHECK(results.at(1000) == std::vector{State::pending});
    CHECK(results.at(2000) == std::vector{State::admitted});
  }
  SECTION("priority: above 5, it preempts the running one, which is pending at the end") {
    KueueAsked asked(flavor() + queue({.cpu = "4", .preemption = "withinClusterQueue: LowerPriority"}) +
                     workload({.name = "run", .cpu = "4", .priority = 5, .holds = true}) +
                     workload({.name = "w", .cpu = "4"}));
    const auto results = swept(asked, "workload-priority:ns/w=0..10");
    CHECK(results.at(5) == std::vector{State::pending});
    CHECK(results.at(6) == std::vector{State::admitted});
  }
  SECTION("count: 4 cpu hold 4 pods of 1") {
    KueueAsked asked(flavor() + queue({.cpu = "4"}) + workload({.name = "w", .cpu = "1", .count = 9}));
    const auto results = swept(asked, "workload-count:ns/w=1..9");
    CHECK(results.at(4) == std::vector{State::admitted});
    CHECK(results.at(5) == std::vector{State::pending});
  }
}

TEST_CASE("kueue sweep: errors name what the input has", "[kueue][sweep]") {
  KueueAsked asked(flavor() + queue({.cpu = "4"}) + workload({.name = "w"}));
  CHECK(refusal(asked, "nominal-quota:q:gpu:cpu=0..1") ==
        "--vary nominal-quota:q:gpu:cpu: q has no quota of cpu on flavor gpu; its quotas are f:cpu");
  CHECK(refusal(asked, "nominal-quota:none:f:cpu=0..1") ==
        "--vary nominal-quota:none:f:cpu: ClusterQueue or Cohort \"none\" does not exist in the input");
  CHECK(refusal(asked, "weight:q=0..2") ==
        "--vary weight:q: fair sharing is not enabled in Kueue's configuration, so that the weight changes nothing");
  CHECK(refusal(asked, "nominal-quota:q:f:cpu=-1..1") ==
        "--vary \"nominal-quota:q:f:cpu=-1..1\": values from 0 to 9223372036854775807m are valid");
  CHECK(
      refusal(asked, "replicas:ns/w=1..2")
          .starts_with("--vary \"replicas:ns/w=1..2\": for kueue, expected one of nodes, setting, now, nominal-quota"));
}

TEST_CASE("kueue sweep: a queue is named by its kind if a cohort has its name", "[kueue][sweep]") {
  const std::string quota =
      "resourceGroups: [{coveredResources: [cpu], flavors: [{name: f, resources: [{name: cpu, nominalQuota: 0}]}]}]";
  KueueAsked asked(flavor() + test::kueue_object("Cohort", "q", quota) + queue({.cpu = "0", .cohort = "q"}) +
                   workload({.name = "w", .cpu = "2"}));
  CHECK(refusal(asked, "nominal-quota:q:f:cpu=0..1") ==
        "--vary nominal-quota:q:f:cpu: both a ClusterQueue and a Cohort have the name \"q\"");
  CHECK(refusal(asked, "nominal-quota:localqueue/q:f:cpu=0..1") ==
        "--vary nominal-quota:localqueue/q:f:cpu: \"localqueue/q\" is not a queue; expected NAME, clusterqueue/NAME or "
        "cohort/NAME");
  CHECK(refusal(asked, "nominal-quota:cohort/none:f:cpu=0..1") ==
        "--vary nominal-quota:cohort/none:f:cpu: Cohort \"none\" does not exist in the input");
  CHECK(refusal(asked, "nominal-quota:clusterqueue/none:f:cpu=0..1") ==
        "--vary nominal-quota:clusterqueue/none:f:cpu: ClusterQueue \"none\" does not exist in the input");
  for (const char* wrong : {"nominal-quota:q", "nominal-quota:q:f"}) {
    CHECK(refusal(asked, std::string(wrong) + "=0..1") ==
          "--vary " + std::string(wrong) + ": expected QUEUE:FLAVOR:RESOURCE after the colon");
  }
  for (const char* holder : {"cohort/q", "clusterqueue/q"}) {
    const auto results = swept(asked, fmt::format("nominal-quota:{}:f:cpu=0..4", holder));
    CHECK(results.at(1999) == std::vector{State::pending});
    CHECK(results.at(2000) == std::vector{State::admitted});
  }
}

TEST_CASE("kueue sweep: fewer pods than the minimum lower the minimum", "[kueue][sweep]") {
  KueueAsked asked(flavor() + queue({}) + workload({.name = "w", .sets = ", minCount: 7", .count = 9}));
  asked.cluster = std::make_unique<Snapshot>(asked.objects);
  const auto axis = sweep::read_axis("workload-count:ns/w:main=1..9", *asked.cluster, kueue_engine, asked.question);
  REQUIRE(axis);
  const auto counts = [&](std::int64_t value) {
    ChangedCluster changed(asked.objects);
    axis->parameter.field.set(changed, value);
    const kueue::PodSet& set = asked.objects.kueue_workloads[0].spec.pod_sets[0];
    return std::pair(set.count, set.min_count);
  };
  CHECK(counts(3) == std::pair(std::optional(3), std::optional(3)));
  CHECK(counts(8) == std::pair(std::optional(8), std::optional(7)));
  CHECK(refusal(asked, "workload-count:ns/w:other=1..9") ==
        "--vary workload-count:ns/w:other: Workload ns/w has no pod set other; it has main");
  CHECK(refusal(asked, "workload-count:w=1..9") ==
        "--vary workload-count:w: Workload \"w\" does not exist in the input");
  CHECK(refusal(asked, "workload-priority:ns/x=1..9") ==
        "--vary workload-priority:ns/x: Workload \"ns/x\" does not exist in the input");
  CHECK(refusal(asked, "max-priority-threshold:x=1..9") ==
        "--vary max-priority-threshold:x: ClusterQueue \"x\" does not exist in the input");
}

}  // namespace previct
