#include "analysis/queue_fleet.h"
#include "support/kueue.h"

#include <catch2/catch.hpp>

// Which running pods may be preempted for workloads of which ClusterQueue. Source: kubernetes-sigs/kueue v0.19.0
// pkg/scheduler/preemption/classical/candidate_generator.go.

namespace previct {
namespace {

using test::flavor;
using test::KueueAsked;
using test::queue;
using test::workload;

// A running pod of a workload.
auto pod_of(const std::string& workload) -> std::string {
  return fmt::format(
      "---\n{{apiVersion: v1, kind: Pod, metadata: {{name: {0}-0, namespace: ns, annotations: "
      "{{kueue.x-k8s.io/workload: {0}}}}}, spec: {{nodeName: n1, containers: [{{name: c, image: x}}]}}, status: "
      "{{phase: Running}}}}\n",
      workload);
}

// q may reclaim from r, whose workload `own` uses r's whole quota of 4, and which preempts none of its own workloads.
auto two_queues() -> std::string {
  return queue({.cohort = "team", .preemption = "reclaimWithinCohort: Any"}) +
         queue({.name = "r", .cohort = "team", .preemption = "withinClusterQueue: Never"}) +
         workload({.name = "own", .queue = "r", .cpu = "4", .holds = true}) + pod_of("own") + test::kNoCohorts;
}
auto borrowed() -> std::string {
  return workload({.name = "more", .queue = "r", .cpu = "1", .holds = true}) + pod_of("more");
}

auto protections_in(KueueAsked& asked, const std::string& against) -> Protections {
  REQUIRE(asked.decide("own"));
  asked.question.against = against;
  auto found = protections(kueue_engine, *asked.cluster, asked.question);
  REQUIRE(found);
  return *std::move(found);
}

}  // namespace

TEST_CASE("kueue protections: count only those from the queues in question", "[kueue]") {
  KueueAsked asked(flavor() + two_queues());
  // r borrows nothing: q may not reclaim from it, as long as that holds.
  for (const std::string against : {"", "q"}) {
    const Protections found = protections_in(asked, against);
    REQUIRE(found.rows.size() == 1);
    CHECK(found.rows[0].line.rule == "kueue.spared.within-nominal");
    CHECK(found.rows[0].partial);
  }
  // r borrows 1 cpu: all its workloads are candidates for q, and none for r, whose policy is Never.
  KueueAsked borrows(flavor() + two_queues() + borrowed());
  CHECK(protections_in(borrows, "").rows.empty());
  CHECK(protections_in(borrows, "q").rows.empty());
  const Protections own = protections_in(borrows, "r");
  REQUIRE(own.rows.size() == 2);
  CHECK(own.rows[0].line.rule == "kueue.spared.policy-never");
  CHECK_FALSE(own.rows[0].partial);
  borrows.question.ns = "other";
  CHECK(protections(kueue_engine, *borrows.cluster, borrows.question)->rows.empty());
}

TEST_CASE("kueue protections: without ResourceFlavors, they are not known", "[kueue]") {
  // A ClusterQueue is inactive if one of its flavors does not exist; the input has no flavor at all.
  KueueAsked asked(two_queues() + borrowed());
  const Protections found = protections_in(asked, "");
  CHECK(found.rows.empty());
  REQUIRE(found.unknown);
  CHECK(found.unknown->lacks("ResourceFlavor"));
  const auto preemptors = possible_preemptors(kueue_engine, *asked.cluster, asked.question);
  REQUIRE(preemptors);
  CHECK(preemptors->rows.empty());
  CHECK(preemptors->unknown);
}

TEST_CASE("kueue evictions: Kueue also evicts pods that kube-scheduler has placed", "[kueue]") {
  KueueAsked asked(flavor() + two_queues() + pod_of("none"));
  REQUIRE(asked.decide("own"));
  CHECK(kueue_engine.evicts_pod_of_others(*asked.cluster, asked.cluster->find_pod("ns", "own-0")));
  CHECK_FALSE(kueue_engine.evicts_pod_of_others(*asked.cluster, asked.cluster->find_pod("ns", "none-0")));
}

TEST_CASE("kueue fleet: without LocalQueues or ResourceFlavors, it is not known what is at risk", "[kueue][fleet]") {
  const auto fleet_of = [](const std::string& objects) {
    KueueAsked asked(objects + borrowed() + workload({.name = "want", .cpu = "4"}));
    REQUIRE(asked.decide("want"));
    asked.question.ns.clear();
    auto found = queue_fleet(kueue_engine, *asked.cluster, asked.question);
    REQUIRE(found);
    return *std::move(found);
  };
  const QueueFleet whole = fleet_of(flavor() + two_queues());
  REQUIRE(whole.pending.size() == 1);
  CHECK(whole.pending[0].outcome == Outcome::preempts);
  const QueueFleet without_flavors = fleet_of(two_queues());
  REQUIRE(without_flavors.pending.size() == 1);
  CHECK(without_flavors.pending[0].outcome == Outcome::unknown);
  std::string no_local_queues = flavor() + two_queues();
  for (std::size_t at = 0; (at = no_local_queues.find("kind: LocalQueue", at)) != std::string::npos;)
    no_local_queues.replace(at, 16, "kind: OtherQueue");
  const QueueFleet unqueued = fleet_of(no_local_queues);
  CHECK(unqueued.pending.empty());
  CHECK(unqueued.others == std::map<Outcome, std::size_t>{{Outcome::unknown, 1}});
}

}  // namespace previct
