#include "tell/kueue/cycles.h"

#include "engine/kueue/known.h"
#include "engine/kueue/play.h"
#include "support/kueue.h"
#include "tell/kueue/queues.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>

// The results of consecutive cycles. Source: kubernetes-sigs/kueue v0.19.0 pkg/scheduler/scheduler.go; expected values
// are derived by hand.

namespace previct {
namespace {

using test::flavor;
using test::KueueAsked;
using test::queue;
using test::workload;

auto played(KueueAsked& asked) -> std::pair<std::shared_ptr<const kueue::Inventory>, kueue::Play> {
  REQUIRE(asked.decide("w"));
  const auto inventory = kueue::known(*asked.cluster, asked.question);
  REQUIRE(inventory);
  return {*inventory, kueue::play(**inventory, asked.question.now, 50)};
}

auto sentence_of(KueueAsked& asked) -> std::string {
  const auto [inventory, play] = played(asked);
  return kueue::tell_cycles(inventory, play, kueue::doubts_in(*inventory, play.start, 50, play)).sentence;
}

const std::string kNotReady = ", {type: PodsReady, status: \"False\", reason: WaitForStart}";

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

// In 0.18.5 and 0.19.1, the next cycle begins with the flavor after the one that was skipped for.
// Source: pkg/scheduler/scheduler.go markSkipped, v0.19.1; gate FlavorFungibilityPreserveScanProgress.
TEST_CASE("kueue cycles: newer releases go on with the next flavor after a workload was skipped", "[kueue]") {
  const auto assigned = [](const std::string& release, const std::string& config) {
    const std::string a =
        test::kueue_object("ClusterQueue", "a",
                           "namespaceSelector: {}, cohortName: team, resourceGroups: [{coveredResources: [cpu], "
                           "flavors: [{name: f, resources: [{name: cpu, nominalQuota: 0}]}, {name: g, resources: "
                           "[{name: cpu, nominalQuota: 4}]}]}]") +
        test::kueue_object("LocalQueue", "a", "clusterQueue: a", "ns");
    KueueAsked asked(
        flavor() + flavor("g") + a + queue({.name = "b", .cohort = "team"}) + queue({.name = "c", .cohort = "team"}) +
        workload({.name = "run", .queue = "c", .cpu = "6", .holds = true}) +
        workload({.name = "first", .queue = "b", .cpu = "4"}) + workload({.name = "w", .queue = "a", .cpu = "2"}));
    asked.question.kueue_version = release;
    asked.config(config);
    const auto [inventory, play] = played(asked);
    REQUIRE(play.cycles.size() >= 2);
    return kueue::assigned_by(*inventory, *play.cycles[1].find(inventory->find("ns", "w"))).front();
  };
  CHECK(assigned("0.19.1", "") == "main/cpu: g");
  CHECK(assigned("0.18.5", "") == "main/cpu: g");
  CHECK(assigned("0.18.4", "") == "main/cpu: f");
  CHECK(assigned("0.19.1", "featureGates: {FlavorFungibilityPreserveScanProgress: false}\n") == "main/cpu: f");
}

TEST_CASE("kueue cycles: what a workload has tried is a part of the state", "[kueue]") {
  // As above, but b is StrictFIFO, so that `first` stays the head of its queue, and nothing changes in the first cycle
  // but what both have tried. From 0.19.1 on, w gets g in the second one. Before, it begins with f again, so that the
  // second cycle is like the first one, and w waits forever. That is no loop, because no workload loses its quota.
  const auto played_by = [](const std::string& release) {
    const std::string a =
        test::kueue_object("ClusterQueue", "a",
                           "namespaceSelector: {}, cohortName: team, resourceGroups: [{coveredResources: [cpu], "
                           "flavors: [{name: f, resources: [{name: cpu, nominalQuota: 0}]}, {name: g, resources: "
                           "[{name: cpu, nominalQuota: 4}]}]}]") +
        test::kueue_object("LocalQueue", "a", "clusterQueue: a", "ns");
    KueueAsked asked(
        flavor() + flavor("g") + a + queue({.name = "b", .cohort = "team", .more = ", queueingStrategy: StrictFIFO"}) +
        queue({.name = "c", .cohort = "team"}) + workload({.name = "run", .queue = "c", .cpu = "6", .holds = true}) +
        workload({.name = "first", .queue = "b", .cpu = "4"}) + workload({.name = "w", .queue = "a", .cpu = "2"}));
    asked.question.kueue_version = release;
    const auto [inventory, play] = played(asked);
    CHECK_FALSE(play.loop);
    CHECK_FALSE(play.cut);
    std::vector<std::string> results;
    const kueue::WorkloadId w = inventory->find("ns", "w");
    for (const kueue::CycleFacts& cycle : play.cycles) {
      const kueue::Entry* const entry = cycle.find(w);
      if (entry == nullptr) continue;
      results.push_back(entry->outcome == kueue::EntryOutcome::admitted ? kueue::assigned_by(*inventory, *entry).front()
                        : entry->outcome == kueue::EntryOutcome::skipped ? "skipped"
                                                                         : "other");
    }
    return results;
  };
  using Results = std::vector<std::string>;
  CHECK(played_by("0.19.1") == Results{"skipped", "main/cpu: g"});
  CHECK(played_by("0.18.4") == Results{"skipped", "skipped"});
}

TEST_CASE("kueue cycles: a workload that uses what is not modeled leaves open the later ones of its cohorts",
          "[kueue]") {
  // `devices` requests a ResourceClaim, whose devices may count. `large` also does, but it does not fit without them.
  const std::string claim = "resourceClaims: [{name: c, resourceClaimName: x}], ";
  KueueAsked asked(flavor() + queue({.name = "a", .cohort = "team"}) + queue({.name = "b", .cohort = "team"}) +
                   queue({.name = "alone"}) + workload({.name = "before", .queue = "a", .minute = 0}) +
                   workload({.name = "devices", .queue = "a", .minute = 1, .pod = claim}) +
                   workload({.name = "later", .queue = "a", .minute = 2}) +
                   workload({.name = "large", .queue = "alone", .cpu = "9", .pod = claim}) +
                   workload({.name = "w", .queue = "alone", .minute = 1}));
  const auto [inventory, play] = played(asked);
  std::map<std::string, Gap> doubts;
  const kueue::Doubts found = kueue::doubts_in(*inventory, play.start, 50, play);
  for (const auto& [id, gap] : found.workloads) doubts.emplace(inventory->workloads()[id].key, gap);
  REQUIRE(doubts.size() == 2);
  CHECK(doubts.at("ns/devices").rule == GapRule::kueue_devices);
  CHECK(doubts.at("ns/later").rule == GapRule::kueue_earlier_workload);
  CHECK(doubts.at("ns/later").operands == std::vector<std::string>{"ns/devices"});
  // Only a result that is known, and gives quota, has a cycle and flavors.
  std::map<std::string, std::pair<std::size_t, std::vector<std::string>>> ends;
  for (const SimulatedCycles::End& end : kueue::simulated_cycles(*inventory, play.start, 50).ends)
    ends[end.name] = {end.cycle, end.assigned};
  const std::pair<std::size_t, std::vector<std::string>> nothing;
  CHECK(ends.size() == 5);
  CHECK(ends["workload/ns/before"] == std::pair(std::size_t{1}, std::vector<std::string>{"main/cpu: f"}));
  CHECK(ends["workload/ns/devices"] == nothing);
  CHECK(ends["workload/ns/later"] == nothing);
  CHECK(ends["workload/ns/large"] == nothing);
  CHECK(ends["workload/ns/w"] == std::pair(std::size_t{2}, std::vector<std::string>{"main/cpu: f"}));
}

TEST_CASE("kueue cycles: a victim of two workloads in one cycle is preempted once", "[kueue]") {
  // `low` borrows the quota of a and b. wa of a is first and preempts it; wb of b has the same victim, is skipped, and
  // is admitted in the second cycle, as wa is. Source: pkg/scheduler/scheduler.go schedule (HasAny of the preempted).
  const std::string reclaims = "reclaimWithinCohort: Any";
  KueueAsked asked(flavor() + queue({.name = "v", .cpu = "0", .cohort = "team"}) +
                   queue({.name = "a", .cpu = "2", .cohort = "team", .preemption = reclaims}) +
                   queue({.name = "b", .cpu = "2", .cohort = "team", .preemption = reclaims}) +
                   workload({.name = "low", .queue = "v", .cpu = "4", .holds = true}) +
                   workload({.name = "wa", .queue = "a", .cpu = "2"}) +
                   workload({.name = "wb", .queue = "b", .cpu = "2", .minute = 1}) +
                   workload({.name = "w", .queue = "b", .cpu = "2", .minute = 2}));
  const auto [inventory, play] = played(asked);
  REQUIRE(play.cycles.size() >= 2);
  CHECK(play.cycles[0].find(inventory->find("ns", "wb"))->skipped == kueue::Skipped::overlapping_targets);
  const SimulatedCycles found = kueue::simulated_cycles(*inventory, play.start, 50);
  CHECK(found.evictions == 1);
  CHECK(found.victims == std::vector<std::string>{"workload/ns/low"});
  std::map<std::string, std::size_t> cycles;
  for (const SimulatedCycles::End& end : found.ends) {
    if (end.result == SimulatedCycles::Result::admitted) cycles[end.name] = end.cycle;
  }
  CHECK(cycles == std::map<std::string, std::size_t>{{"workload/ns/wa", 2}, {"workload/ns/wb", 2}});
}

TEST_CASE("kueue cycles: a workload that is being evicted already is not preempted again", "[kueue]") {
  // w needs what `low` holds. If `low` is being evicted, Kueue waits for that. Source: pkg/scheduler/preemption
  // IssuePreemptions, which leaves out workloads with the condition Evicted.
  for (const bool evicting : {false, true}) {
    INFO(evicting);
    const std::string condition =
        ", {type: Evicted, status: \"True\", reason: Preempted, lastTransitionTime: \"2026-05-01T11:59:00Z\"}";
    KueueAsked asked(flavor() + queue({.preemption = "withinClusterQueue: LowerPriority"}) +
                     workload({.name = "low", .cpu = "4", .holds = true, .status = evicting ? condition : ""}) +
                     workload({.name = "w", .cpu = "4", .priority = 10, .minute = 1}));
    const auto [inventory, play] = played(asked);
    const SimulatedCycles found = kueue::simulated_cycles(*inventory, play.start, 50);
    CHECK(found.evictions == (evicting ? 0 : 1));
    CHECK(found.victims == (evicting ? std::vector<std::string>{} : std::vector<std::string>{"workload/ns/low"}));
    const auto w = std::find_if(found.ends.begin(), found.ends.end(),
                                [](const SimulatedCycles::End& end) { return end.name == "workload/ns/w"; });
    REQUIRE(w != found.ends.end());
    CHECK(w->result == SimulatedCycles::Result::admitted);
    CHECK(w->cycle == 2);
  }
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
  CHECK(is_tried("resources: {requests: {cpu: 2}}, "));  // of the whole pod, as much as its container requests
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

// The scheduler stands still before it admits w, until the pods of run are ready or run has lost its quota.
// Source: pkg/scheduler/scheduler.go waitForPodsReadyIfBlocked.
TEST_CASE("kueue blockAdmission: cycles and queues leave open what waits for pods", "[kueue]") {
  const auto ask = [](const std::string& ready, const std::string& block) {
    KueueAsked asked(flavor() + queue({}) + workload({.name = "run", .holds = true, .status = ready}) +
                     workload({.name = "w"}));
    asked.config(fmt::format("waitForPodsReady: {{timeout: 90m, blockAdmission: {}}}\n", block));
    return asked;
  };
  KueueAsked blocked = ask("", "true");
  CHECK(sentence_of(blocked) ==
        "Cannot tell about 1 pending workload, because waitForPodsReady.blockAdmission keeps it waiting until the pods "
        "of ns/run are ready. Apart from that, 1 of 1 pending workload is admitted in 1 cycle, with 0 preemptions; 0 "
        "workloads are pending at the end.");
  const Queues told = kueue::queues(played(blocked).first, blocked.question);
  REQUIRE(told.asks);
  CHECK(told.asks->front().outcome == Outcome::unknown);
  const std::string admitted =
      "1 of 1 pending workload is admitted in 1 cycle, with 0 preemptions; 0 workloads are pending at the end.";
  KueueAsked ready = ask(", {type: PodsReady, status: \"True\", reason: PodsReady}", "true");
  CHECK(sentence_of(ready) == admitted);
  KueueAsked free = ask("", "false");
  CHECK(sentence_of(free) == admitted);
}

// In the first cycle, w preempts run, whose pods are not ready, and no other pods are waited for.
TEST_CASE("kueue blockAdmission: a preempted workload is not waited for", "[kueue]") {
  KueueAsked asked(flavor() + queue({.preemption = "withinClusterQueue: LowerPriority"}) +
                   workload({.name = "run", .cpu = "4", .holds = true, .status = kNotReady}) +
                   workload({.name = "w", .cpu = "4", .priority = 1}));
  asked.config("waitForPodsReady: {timeout: 90m, blockAdmission: true}\n");
  const auto [inventory, play] = played(asked);
  REQUIRE(play.cycles.size() >= 2);
  CHECK(play.cycles[0].find(inventory->find("ns", "w"))->outcome == kueue::EntryOutcome::preempting);
  CHECK(play.cycles[1].find(inventory->find("ns", "w"))->outcome == kueue::EntryOutcome::admitted);
  CHECK_FALSE(kueue::doubts_in(*inventory, play.start, 50, play).contains(inventory->find("ns", "w")));
}

// w was admitted at 11:00. The back-off is 60 s, doubled each time; the count above backoffLimitCount deactivates it.
// Source: pkg/workload/workload.go UpdateRequeueState; pkg/controller/core/workload_controller.go triggerDeactivation.
TEST_CASE("kueue waitForPodsReady: cycles count the evictions, and the last one deactivates", "[kueue]") {
  const auto play = [](const std::string& count) {
    std::string object = workload({.name = "w", .holds = true, .status = kNotReady});
    object.insert(object.find("status: {") + 9, count);
    KueueAsked asked(flavor() + queue({}) + object);
    asked.config("waitForPodsReady: {timeout: 90m, requeuingStrategy: {backoffLimitCount: 2}}\n");
    const kueue::Play found = played(asked).second;
    CHECK(found.deactivated.size() == 1);
    CHECK_FALSE(found.cut);
    std::vector<std::string> times;
    for (const kueue::Play::Loss& each : found.losses) times.push_back("lost " + format_instant(each.at));
    for (const kueue::CycleFacts& each : found.cycles) times.push_back("tried " + format_instant(each.at));
    CHECK(found.losses.back().reason == kueue::LossReason::requeuing_limit);
    return times;
  };
  CHECK(play("") == std::vector<std::string>{"lost 2026-05-01T12:30:00Z", "lost 2026-05-01T14:01:00Z",
                                             "lost 2026-05-01T15:33:00Z", "tried 2026-05-01T12:31:00Z",
                                             "tried 2026-05-01T14:03:00Z"});
  CHECK(play("requeueState: {count: 1}, ") == std::vector<std::string>{"lost 2026-05-01T12:30:00Z",
                                                                       "lost 2026-05-01T14:02:00Z",
                                                                       "tried 2026-05-01T12:32:00Z"});
}

TEST_CASE("kueue maximumExecutionTimeSeconds: earlier executions count after a simulated preemption", "[kueue]") {
  // Admitted at 11:00 and preempted at 12:00, w has run for 3600 of its 7200 s. Admitted at once, it may run until
  // 13:00. Source: pkg/workload/admissionchecks.go SyncAdmittedCondition.
  KueueAsked asked(flavor() + queue({}) +
                   workload({.name = "w", .holds = true, .spec = ", maximumExecutionTimeSeconds: 7200"}));
  const auto inventory = played(asked).first;
  const kueue::WorkloadId w = inventory->find("ns", "w");
  kueue::Controller controller(*inventory, asked.question.now);
  controller.set(w, kueue::ConditionType::preempted, kueue::Status::yes, "InClusterQueue");
  controller.set(w, kueue::ConditionType::evicted, kueue::Status::yes, "Preempted");
  CHECK(controller.settle().size() == 1);
  controller.reserve(w, inventory->queue_of(w), {}, {}, {}, true);
  CHECK(controller.loss_of(w).at == *parse_instant("2026-05-01T13:00:00Z"));
}

// Nothing else is pending. The check is Pending again after the eviction, so w only reserves quota.
// Source: pkg/workload/workload.go ResetChecksOnEviction; pkg/controller/core/workload_controller.go
// reconcileCheckBasedEviction.
TEST_CASE("kueue cycles: a workload that loses its quota, or waits for its checks, is in the sentence", "[kueue]") {
  const auto sentence = [](const std::string& state) {
    std::string object = workload({.name = "w", .holds = true});
    object.replace(object.find("{type: Admitted"), 15, "{type: Other");
    object.insert(object.find("status: {admission") + 9,
                  fmt::format("admissionChecks: [{{name: c, state: {}}}], ", state));
    KueueAsked asked(flavor() + queue({}) + object);
    return sentence_of(asked);
  };
  CHECK(sentence("Retry") ==
        "1 of 1 pending workload gets quota in 1 cycle, with 0 preemptions; it is admitted when the admission checks "
        "are ready; 0 workloads are pending at the end.");
  CHECK(sentence("Rejected") ==
        "No workload can be tried: ns/w loses its quota of ClusterQueue q, because an admission check rejects it (c: "
        "Rejected), and is deactivated.");
  CHECK(sentence("Pending") ==
        "No workload can be tried: ns/w holds quota of ClusterQueue q on flavor f, and is admitted when its admission "
        "checks are ready (c: Pending).");
}

// The check requests a retry 600 s after 11:59. Until then, the controller only waits: w keeps its quota, and x waits.
// Then both are tried. Source: pkg/controller/core/workload_controller.go Reconcile; pkg/workload/admissionchecks.go
// GetMaxRetryTime.
TEST_CASE("kueue cycles: a check that requests a later retry delays the eviction", "[kueue]") {
  std::string object = workload({.name = "w", .cpu = "4", .holds = true});
  object.replace(object.find("{type: Admitted"), 15, "{type: Other");
  object.insert(object.find("status: {admission") + 9,
                "admissionChecks: [{name: c, state: Retry, requeueAfterSeconds: 600, lastTransitionTime: "
                "\"2026-05-01T11:59:00Z\"}], ");
  KueueAsked asked(flavor() + queue({}) + object + workload({.name = "x", .cpu = "4", .minute = 1}));
  CHECK(asked.explain("w").sentence ==
        "loses its quota of ClusterQueue q at 12:09:00 (in 9m), because an admission check requests a retry (c: "
        "Retry), and is queued again");
  CHECK(asked.explain("x").outcome == Outcome::pending);
  CHECK(asked.explain("x").next_change_words == "an admission check of workload ns/w fails, and it is evicted");
  CHECK(sentence_of(asked).starts_with("1 of 2 pending workloads is admitted in "));
  const auto [inventory, play] = played(asked);
  REQUIRE(play.losses.size() == 1);
  CHECK(play.losses[0].at == *parse_instant("2026-05-01T12:09:00Z"));
  const auto again =
      std::find_if(play.cycles.begin(), play.cycles.end(),
                   [id = inventory->find("ns", "w")](const auto& each) { return each.find(id) != nullptr; });
  REQUIRE(again != play.cycles.end());
  CHECK(again->at == play.losses[0].at);
}

// w preempts run, which fits into g afterward, unless its pod has no owner: Kueue deletes pods, and recreates none.
// Source: pkg/controller/jobs/pod/pod_controller.go Stop.
TEST_CASE("kueue cycles: a preempted workload of pods without an owner is deleted", "[kueue]") {
  const auto phase_of = [](const std::string& owner) {
    const std::string q =
        test::kueue_object("ClusterQueue", "q",
                           "namespaceSelector: {}, preemption: {withinClusterQueue: LowerPriority}, resourceGroups: "
                           "[{coveredResources: [cpu], flavors: [{name: f, resources: [{name: cpu, nominalQuota: 4}]}, "
                           "{name: g, resources: [{name: cpu, nominalQuota: 2}]}]}]") +
        test::kueue_object("LocalQueue", "q", "clusterQueue: q", "ns");
    const std::string pod = fmt::format(
        "---\n{{apiVersion: v1, kind: Pod, metadata: {{name: solo, namespace: ns, uid: u1{}}}, spec: {{nodeName: n1, "
        "containers: [{{name: c, image: x}}]}}, status: {{phase: Running}}}}\n",
        owner);
    KueueAsked asked(flavor() + flavor("g") + q + pod +
                     workload({.name = "run",
                               .cpu = "2",
                               .holds = true,
                               .meta = ", ownerReferences: [{apiVersion: v1, kind: Pod, name: solo, uid: u1, "
                                       "controller: true}]"}) +
                     workload({.name = "w", .cpu = "4", .priority = 1}));
    const auto [inventory, play] = played(asked);
    for (const auto& [id, phase] : play.after) {
      if (inventory->workloads()[id].key == "ns/run") return phase;
    }
    return kueue::Phase::pending;
  };
  CHECK(phase_of("") == kueue::Phase::deleted);
  CHECK(phase_of(", ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: r, uid: u2, controller: true}]") ==
        kueue::Phase::admitted);
}

TEST_CASE("kueue waitForPodsReady: without backoffLimitCount, the cycles do not go on forever", "[kueue]") {
  KueueAsked asked(flavor() + queue({}) + workload({.name = "w", .holds = true, .status = kNotReady}));
  asked.config("waitForPodsReady: {timeout: 90m}\n");
  const kueue::Play play = played(asked).second;
  CHECK(play.cut);
  CHECK(play.deactivated.empty());
  CHECK(play.cycles.size() < 10);
}

}  // namespace previct
