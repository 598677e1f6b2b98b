#include "tell/kueue/cycles.h"

#include "engine/kueue/known.h"
#include "engine/kueue/play.h"
#include "support/kueue.h"

#include <catch2/catch.hpp>

#include <algorithm>

// The results of consecutive cycles. Source: kubernetes-sigs/kueue v0.19.0 pkg/scheduler/scheduler.go; expected values
// are derived by hand.

namespace previct {
namespace {

using test::flavor;
using test::KueueAsked;
using test::queue;
using test::workload;

}  // namespace

TEST_CASE("kueue cycles: a victim that an earlier cycle admitted is named with its ClusterQueue", "[kueue]") {
  // a has a quota of 4 and uses 4. b has 4 free, of which `small` of a borrows 3 in the first cycle (all workloads of
  // its queue have priority 0). In the second cycle, `late` of b needs the quota of b and reclaims it from `small`.
  KueueAsked asked(flavor() + queue({.name = "a", .cpu = "4", .cohort = "team"}) +
                   queue({.name = "b", .cpu = "4", .cohort = "team", .preemption = "reclaimWithinCohort: Any"}) +
                   workload({.name = "run", .queue = "a", .cpu = "4", .holds = true}) +
                   workload({.name = "small", .queue = "a", .cpu = "3"}) +
                   workload({.name = "first", .queue = "b", .cpu = "1"}) +
                   workload({.name = "late", .queue = "b", .cpu = "3", .minute = 1}));
  asked.question.documents = true;
  const Answer answer = asked.explain("late");
  CHECK(answer.outcome == Outcome::preempts);
  CHECK(answer.sentence ==
        "would preempt 1 workload of ClusterQueue a (ns/small), and then be admitted on flavor f, in cycle 2 from now");
  CHECK(answer.evicted == std::vector<std::string>{"workload/ns/small"});
  CHECK(answer.assigned == std::vector<std::string>{"main/cpu: f"});
  CHECK(answer.evidence["preemptions"][0]["clusterQueue"] == "a");
}

TEST_CASE("kueue cycles: a workload that was skipped starts with its first flavor again", "[kueue]") {
  // Cohort team has 8 CPUs of f, of which `run` uses 6. In the first cycle, `first` of b has no candidates to preempt,
  // and Kueue keeps the 4 CPUs of b for it, so that `w`, which fits into the 2 free CPUs of f, is skipped. `first` then
  // waits aside. Kueue forgets that w has tried f, so that it gets f, not g, in the second cycle.
  // Source: pkg/scheduler/scheduler.go requeueAndUpdate; pkg/workload/workload.go LastAssignment.
  const std::string a =
      test::kueue_object("ClusterQueue", "a",
                         "namespaceSelector: {}, cohortName: team, resourceGroups: [{coveredResources: [cpu], flavors: "
                         "[{name: f, resources: [{name: cpu, nominalQuota: 0}]}, {name: g, resources: [{name: cpu, "
                         "nominalQuota: 4}]}]}]") +
      test::kueue_object("LocalQueue", "a", "clusterQueue: a", "ns");
  KueueAsked asked(
      flavor() + flavor("g") + a + queue({.name = "b", .cohort = "team"}) + queue({.name = "c", .cohort = "team"}) +
      workload({.name = "run", .queue = "c", .cpu = "6", .holds = true}) +
      workload({.name = "first", .queue = "b", .cpu = "4"}) + workload({.name = "w", .queue = "a", .cpu = "2"}));
  REQUIRE(asked.decide("w"));
  const auto inventory = kueue::known(*asked.cluster, asked.question);
  REQUIRE(inventory);
  const kueue::Play play = kueue::play(**inventory, asked.question.now, 50);
  const kueue::WorkloadId w = (*inventory)->find("ns", "w");
  REQUIRE(play.cycles.size() >= 2);
  CHECK(play.cycles[0].find(w)->outcome == kueue::EntryOutcome::skipped);
  CHECK(play.cycles[1].find(w)->outcome == kueue::EntryOutcome::admitted);
  CHECK(kueue::assigned_by(**inventory, *play.cycles[1].find(w)) == std::vector<std::string>{"main/cpu: f"});
}

TEST_CASE("kueue equivalence: a workload whose pods have the same shape as one that failed is not tried", "[kueue]") {
  // Neither fits. Source: pkg/util/pod/pod.go SpecShape, gate SchedulingEquivalenceHashing.
  const auto is_tried = [](const std::string& second, int priority = 0) {
    KueueAsked asked(flavor() + queue({.cpu = "1"}) + workload({.name = "first", .cpu = "2"}) +
                     workload({.name = "second", .cpu = "2", .priority = priority, .minute = 1, .pod = second}));
    REQUIRE(asked.decide("second"));
    const auto inventory = kueue::known(*asked.cluster, asked.question);
    REQUIRE(inventory);
    const kueue::Play play = kueue::play(**inventory, asked.question.now, 50);
    const kueue::WorkloadId id = (*inventory)->find("ns", "second");
    return std::any_of(play.cycles.begin(), play.cycles.end(),
                       [&](const auto& each) { return each.find(id) != nullptr; });
  };
  CHECK_FALSE(is_tried(""));
  CHECK_FALSE(is_tried("terminationGracePeriodSeconds: 5, serviceAccountName: other, "));
  CHECK(is_tried("", -1));
  CHECK(is_tried("priority: 5, "));
  CHECK(is_tried("priority: 0, "));  // one that is given is another one than none
  CHECK(is_tried("nodeSelector: {zone: a}, "));
  CHECK(is_tried("tolerations: [{operator: Exists}], "));
  CHECK(
      is_tried("affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: "
               "[{matchExpressions: [{key: zone, operator: Exists}]}]}}}, "));
  CHECK(is_tried("topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: ScheduleAnyway}], "));
  CHECK(is_tried("initContainers: [{name: i, image: x, resources: {requests: {cpu: 1}}}], "));
  CHECK(is_tried("initContainers: [{name: i, image: x, ports: [{containerPort: 80}]}], "));
}

TEST_CASE("kueue partial admission: the answer gives the number of pods", "[kueue]") {
  // 4 pods of 1 cpu, 2 at least; 3 cpu are free. Source: pkg/scheduler/flavorassigner/podset_reducer.go.
  KueueAsked asked(flavor() + queue({.cpu = "4"}) + workload({.name = "run", .cpu = "1", .holds = true}) +
                   workload({.name = "w", .cpu = "1", .sets = ", minCount: 2", .count = 4}));
  const Answer answer = asked.explain("w");
  CHECK(answer.sentence == "would be admitted by ClusterQueue q on flavor f, with 3 of 4 pods");
  CHECK(answer.assigned == std::vector<std::string>{"main/cpu: f", "main: 3 pods"});
}

TEST_CASE("kueue cycles: simulated until nothing changes", "[kueue]") {
  // 4 cpu: the first two fit, the third waits forever.
  KueueAsked asked(flavor() + queue({.cpu = "4"}) + workload({.name = "w1", .cpu = "2"}) +
                   workload({.name = "w2", .cpu = "2", .minute = 1}) +
                   workload({.name = "w3", .cpu = "2", .minute = 2}));
  REQUIRE(asked.decide("w1"));
  const auto inventory = kueue::known(*asked.cluster, asked.question);
  REQUIRE(inventory);
  const kueue::Play play = kueue::play(**inventory, asked.question.now, 50);
  REQUIRE(play.cycles.size() == 3);
  CHECK(play.cycles[0].entries.front().outcome == kueue::EntryOutcome::admitted);
  CHECK(play.cycles[1].entries.front().outcome == kueue::EntryOutcome::admitted);
  // It requests no more than the nominal quota, so Kueue looks for victims, and its queue preempts none.
  CHECK(play.cycles[2].entries.front().outcome == kueue::EntryOutcome::no_candidates);
  CHECK_FALSE(play.loop);
  CHECK_FALSE(play.cut);
  CHECK(kueue::play(**inventory, asked.question.now, 2).cut);
}

TEST_CASE("kueue cycles: a workload that waits for its back-off is queued when it ends", "[kueue]") {
  // late waits until 12:01 and first until 12:02. q has 4 cpu, of which late takes 3, so that first, which requests 2,
  // stays pending.
  const auto backoff = [](std::string object, const std::string& at) {
    return object.insert(object.rfind('}'),
                         fmt::format(", status: {{requeueState: {{requeueAt: \"2026-05-01T{}Z\"}}}}", at));
  };
  KueueAsked asked(flavor() + queue({}) + backoff(workload({.name = "late", .cpu = "3", .minute = 1}), "12:01:00") +
                   backoff(workload({.name = "first", .cpu = "2"}), "12:02:00"));
  REQUIRE(asked.decide("late"));
  const auto inventory = kueue::known(*asked.cluster, asked.question);
  REQUIRE(inventory);
  const kueue::Play play = kueue::play(**inventory, asked.question.now, 50);
  REQUIRE(play.cycles.size() == 2);
  CHECK(play.cycles[0].at == *parse_instant("2026-05-01T12:01:00Z"));
  CHECK(play.cycles[1].at == *parse_instant("2026-05-01T12:02:00Z"));
  CHECK(play.cycles[0].find((*inventory)->find("ns", "late"))->outcome == kueue::EntryOutcome::admitted);
  CHECK(play.cycles[0].find((*inventory)->find("ns", "first")) == nullptr);
  CHECK_FALSE(kueue::takes_quota_now(play.cycles[1].find((*inventory)->find("ns", "first"))->outcome));
}

TEST_CASE("kueue cycles: an admission check that requests a retry says from when on a workload is queued", "[kueue]") {
  // run loses all 4 cpu of q, and is queued again 600 s after 11:59, at 12:09: new, which is younger, gets them before.
  KueueAsked asked(flavor() + queue({}) +
                   workload({.name = "run",
                             .cpu = "4",
                             .holds = true,
                             .status = "], admissionChecks: [{name: c, state: Retry, requeueAfterSeconds: 600, "
                                       "lastTransitionTime: \"2026-05-01T11:59:00Z\"}"}) +
                   workload({.name = "new", .cpu = "4", .minute = 1}));
  REQUIRE(asked.decide("new"));
  const auto inventory = kueue::known(*asked.cluster, asked.question);
  REQUIRE(inventory);
  const kueue::WorkloadId run = (*inventory)->find("ns", "run");
  const kueue::Play play = kueue::play(**inventory, asked.question.now, 50);
  CHECK(std::none_of(play.cycles.begin(), play.cycles.end(), [&](const kueue::CycleFacts& facts) {
    return facts.find(run) != nullptr && facts.at < *parse_instant("2026-05-01T12:09:00Z");
  }));
  REQUIRE_FALSE(play.cycles.empty());
  CHECK(play.cycles.back().at == *parse_instant("2026-05-01T12:09:00Z"));
  CHECK(play.cycles.back().find(run) != nullptr);
  const auto holds = [&](const std::string& name) {
    const kueue::WorkloadId id = (*inventory)->find("ns", name);
    return std::any_of(play.after.begin(), play.after.end(),
                       [&](const auto& each) { return each.first == id && kueue::holds_quota(each.second); });
  };
  CHECK(holds("new"));
  CHECK_FALSE(holds("run"));
}

TEST_CASE("kueue cycles: the sentence says what workloads get, or why none is tried", "[kueue]") {
  const auto sentence = [](const std::string& manifests) {
    KueueAsked asked(manifests);
    REQUIRE(asked.decide("w"));
    const auto inventory = kueue::known(*asked.cluster, asked.question);
    REQUIRE(inventory);
    const kueue::Play play = kueue::play(**inventory, asked.question.now, 50);
    return kueue::tell_cycles(*inventory, play, {}).sentence;
  };
  // A workload that fits gets its quota reserved, and is admitted once all checks of its queue are ready.
  // Source: pkg/scheduler/scheduler.go admit, pkg/workload/admissionchecks.go SyncAdmittedCondition.
  const std::string check =
      "---\n{apiVersion: kueue.x-k8s.io/v1beta2, kind: AdmissionCheck, metadata: {name: c}, spec: {controllerName: x}, "
      "status: {conditions: [{type: Active, status: 'True', reason: A, lastTransitionTime: "
      "'2026-05-01T00:00:00Z'}]}}\n";
  const std::string checked = flavor() + check +
                              queue({.more = ", admissionChecksStrategy: {admissionChecks: [{name: c}]}"}) +
                              workload({.name = "w", .cpu = "2"});
  CHECK(sentence(checked) ==
        "1 of 1 pending workload gets quota in 1 cycle, with 0 preemptions; it is admitted when the admission checks "
        "are ready; 0 workloads are pending at the end.");
  // 2 of 4 cpu, and 5 of 4.
  CHECK(sentence(flavor() + queue({}) + workload({.name = "w", .cpu = "2"})) ==
        "1 of 1 pending workload is admitted in 1 cycle, with 0 preemptions; 0 workloads are pending at the end.");
  CHECK(sentence(flavor() + queue({}) + workload({.name = "w", .cpu = "5"})) ==
        "0 of 1 pending workload is admitted in 1 cycle, with 0 preemptions; 1 workload is pending at the end.");
  const std::string held = flavor() + queue({.more = ", stopPolicy: Hold"}) + workload({.name = "w", .cpu = "2"});
  CHECK(sentence(held) ==
        "No workload can be tried: ns/w stays pending, because ClusterQueue q is inactive: its stopPolicy is Hold.");
  CHECK(sentence(held + workload({.name = "x", .cpu = "2"})) == "No workload can be tried; 2 wait.");
  CHECK(sentence(flavor() + queue({}) + workload({.name = "w", .cpu = "2", .holds = true})) ==
        "No workload is pending: nothing to simulate.");
}

}  // namespace previct
