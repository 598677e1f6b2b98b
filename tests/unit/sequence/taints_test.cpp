#include "analysis/subject.h"
#include "analysis/timeline.h"
#include "cluster/taint_eviction.h"
#include "sequence/kube_scenario.h"
#include "sequence/report.h"
#include "support/cluster.h"
#include "support/owned.h"
#include "support/simulated.h"
#include "tell/tell.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace previct::sequence {
namespace {

using test::a_cluster;
using test::a_node;
using test::a_pod;
using test::owned;
using test::simulated;
using test::TestCluster;

const Instant kNoon = parse_instant("2026-03-02T12:00:00Z").value();

auto tainted(const std::string& name, const std::string& taints) -> std::string {
  return a_node(name, "1") + "spec: {taints: [" + taints + "]}\n";
}
const std::string kMaintenance = "{key: maint, effect: NoExecute}";
const std::string kSince = "{key: maint, effect: NoExecute, timeAdded: \"2026-03-02T11:59:30Z\"}";

// The node n1, with this status of its condition Ready.
auto node_with_status(const std::string& taints, const std::string& ready) -> std::string {
  return fmt::format(
      "apiVersion: v1\nkind: Node\nmetadata: {{name: n1}}\nspec: {{taints: [{}]}}\nstatus: {{allocatable: {{cpu: "
      "\"2\", memory: 16Gi, pods: \"110\"}}, conditions: [{{type: Ready, status: \"{}\"}}]}}\n",
      taints, ready);
}

auto tolerates_for(const std::string& key, const std::string& seconds) -> std::string {
  return fmt::format("tolerations: [{{key: {}, operator: Exists, effect: NoExecute{}}}]", key,
                     seconds.empty() ? "" : ", tolerationSeconds: " + seconds);
}

auto time_of(const SimulationResult& play, const TestCluster& cluster, EventKind what, const std::string& pod) -> Time {
  for (const Step& step : play.steps) {
    if (step.what == what && play.key(step.pod, *cluster.snapshot) == pod) return step.at;
  }
  return kNever;
}

}  // namespace

TEST_CASE("sequence: NoExecute taints delete pods after the time for which these tolerate them", "[sequence][taints]") {
  struct Case {
    std::string taints;
    std::string spec;
    std::string started;
    Time deleted;
    bool told = false;  // it is not known when the taint was added
  };
  const Case each = GENERATE(values<Case>({
      {kMaintenance, "", "2026-03-02T10:00:00Z", 0},
      {"{key: maint, effect: NoSchedule}", "", "2026-03-02T10:00:00Z", kNever},
      {kSince, tolerates_for("maint", "60"), "2026-03-02T10:00:00Z", 30 * kSecond},  // 11:59:30 + 60 s
      {kSince, tolerates_for("maint", "60"), "2026-03-02T11:59:50Z", 50 * kSecond},  // it came later
      {kSince, tolerates_for("maint", ""), "2026-03-02T10:00:00Z", kNever},
      {kSince, tolerates_for("maint", "0"), "2026-03-02T10:00:00Z", 0},
      {kSince, tolerates_for("maint", "-5"), "2026-03-02T10:00:00Z", 0},
      {kSince, tolerates_for("other", "60"), "2026-03-02T10:00:00Z", 0},
      {kMaintenance, tolerates_for("maint", "60"), "2026-03-02T10:00:00Z", 60 * kSecond, true},
      // Beyond the simulated hour.
      {kSince, tolerates_for("maint", "7200"), "2026-03-02T10:00:00Z", kNever},
      // The time is set when the first taint comes: 11:59:30 + 100 s. The second one does not change it
      // (processPodOnNode keeps an earlier worker), unless the pod does not tolerate it.
      {kSince + ", {key: more, effect: NoExecute, timeAdded: \"2026-03-02T11:59:50Z\"}",
       "tolerations: [{key: maint, operator: Exists, tolerationSeconds: 100}, {key: more, operator: Exists, "
       "tolerationSeconds: 40}]",
       "2026-03-02T10:00:00Z", 70 * kSecond},
      // A pod that comes when both taints are there: the shorter one, 11:59:55 + 40 s.
      {kSince + ", {key: more, effect: NoExecute, timeAdded: \"2026-03-02T11:59:50Z\"}",
       "tolerations: [{key: maint, operator: Exists, tolerationSeconds: 100}, {key: more, operator: Exists, "
       "tolerationSeconds: 40}]",
       "2026-03-02T11:59:55Z", 35 * kSecond},
      {kSince + ", {key: more, effect: NoExecute}",
       "tolerations: [{key: maint, operator: Exists, tolerationSeconds: 100}]", "2026-03-02T10:00:00Z", 0},
  }));
  auto pod = a_pod("d/v").on("n1").priority(5).started(each.started);
  if (!each.spec.empty()) pod.spec(each.spec);
  const auto cluster = a_cluster({tainted("n1", each.taints), pod.yaml()});
  const SimulationResult play = simulated(*cluster);
  CAPTURE(each.taints, each.spec);
  CHECK(time_of(play, *cluster, EventKind::deleting, "d/v") == each.deleted);
  CHECK(std::any_of(play.assumed.begin(), play.assumed.end(),
                    [](const Gap& gap) { return gap.rule == GapRule::taint_time_missing; }) == each.told);
}

TEST_CASE("sequence: a deletion by a taint after the simulated hour is still to come", "[sequence][taints]") {
  // 11:59:30 + 7200 s is 13:59:30. Without tolerationSeconds, nothing happens any more.
  const auto is_cut = [](const std::string& seconds) {
    const auto cluster =
        a_cluster({tainted("n1", kSince), a_pod("d/v").on("n1").spec(tolerates_for("maint", seconds)).yaml()});
    return simulated(*cluster).cut;
  };
  CHECK(is_cut("7200"));
  CHECK_FALSE(is_cut(""));
}

TEST_CASE("sequence: the new pod of one that a taint deletes may preempt", "[sequence][taints]") {
  // d/web-a is deleted at 0; its ReplicaSet creates a pod 5 ms later, which takes n2 from d/low.
  const auto cluster = a_cluster({tainted("n1", kMaintenance), a_node("n2", "1"),
                                  owned(a_pod("d/web-a").on("n1").priority(1000).yaml(), "ReplicaSet", "web"),
                                  a_pod("d/low").on("n2").priority(100).yaml()});
  const SimulationResult play = simulated(*cluster);
  CHECK(time_of(play, *cluster, EventKind::created, "d/web-new-1") == 5 * kMillisecond);
  CHECK(time_of(play, *cluster, EventKind::deleting, "d/low") != kNever);
}

TEST_CASE("sequence: a pod that is bound to a node with a taint leaves it after its toleration", "[sequence][taints]") {
  // Bound at 7 ms: a cycle of 2 ms and a call of 5 ms.
  const auto cluster =
      a_cluster({tainted("n1", kSince), a_pod("d/p").priority(5).spec(tolerates_for("maint", "60")).yaml()});
  const SimulationResult play = simulated(*cluster);
  CHECK(time_of(play, *cluster, EventKind::bound, "d/p") == 7 * kMillisecond);
  CHECK(time_of(play, *cluster, EventKind::deleting, "d/p") == 60 * kSecond + 7 * kMillisecond);
}

// Source: pkg/controller/devicetainteviction/device_taint_eviction.go claimEvictionTime, v1.36.
TEST_CASE("sequence: NoExecute taints of devices delete the pods that use them", "[sequence][taints]") {
  struct Case {
    std::string release;
    std::string taint;
    std::string tolerations;
    Time deleted;
  };
  const std::string execute = "{key: bad, effect: NoExecute, timeAdded: \"2026-03-02T11:59:30Z\"}";
  const Case each = GENERATE_COPY(values<Case>({
      {"v1.36.0", execute, "", 0},
      {"v1.35.0", execute, "", kNever},  // the feature gate is off
      {"v1.36.0", "{key: bad, effect: NoSchedule}", "", kNever},
      {"v1.36.0", execute, "{operator: Exists, effect: NoExecute}", kNever},
      // 11:59:30 + 60 s; of several tolerations, the shortest counts.
      {"v1.36.0", execute, "{operator: Exists, effect: NoExecute, tolerationSeconds: 60}", 30 * kSecond},
      {"v1.36.0", execute,
       "{operator: Exists, effect: NoExecute, tolerationSeconds: 60}, {key: bad, operator: Exists, effect: NoExecute, "
       "tolerationSeconds: 40}",
       10 * kSecond},
      // A toleration of all effects does not count.
      {"v1.36.0", execute, "{operator: Exists}", 0},
      {"v1.36.0", execute, "{key: other, operator: Exists, effect: NoExecute}", 0},
  }));
  const auto cluster = a_cluster(
      {"apiVersion: v1\nkind: Node\nmetadata: {name: n1}\nstatus: {allocatable: {cpu: '1', memory: 16Gi, pods: '9'}, "
       "nodeInfo: {kubeletVersion: " +
           each.release + "}}\n",
       "apiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {name: s}\nspec: {driver: gpu.x, nodeName: n1, "
       "pool: {name: n1, generation: 1, resourceSliceCount: 1}, devices: [{name: g0, taints: [" +
           each.taint + "]}]}\n",
       "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {namespace: d, name: c}\nstatus: {reservedFor: "
       "[{resource: pods, name: v, uid: uid-d-v}], allocation: {devices: {results: [{request: r, driver: gpu.x, pool: "
       "n1, device: g0, tolerations: [" +
           each.tolerations + "]}]}}}\n",
       a_pod("d/v").on("n1").spec("resourceClaims: [{name: g, resourceClaimName: c}]").yaml(), a_pod("d/q").yaml()});
  const SimulationResult play = simulated(*cluster);
  CAPTURE(each.release, each.taint, each.tolerations);
  CHECK(time_of(play, *cluster, EventKind::deleting, "d/v") == each.deleted);
  CHECK((time_of(play, *cluster, EventKind::bound, "d/q") != kNever) == (each.deleted != kNever));
  Question question;
  question.ns = "d";
  question.name = "q";
  question.now = kNoon;
  const Answer answer = explain(*find_engine("kube"), *cluster->snapshot, question).value();
  CHECK(std::any_of(answer.gaps.begin(), answer.gaps.end(),
                    [](const Gap& gap) { return gap.rule == GapRule::taints_delete_now; }) == (each.deleted == 0));
}

// Source: the same file, allEvictingDeviceTaints and ruleMatchesDevice, v1.35 and v1.37.
TEST_CASE("sequence: NoExecute taints of DeviceTaintRules delete the pods that use the devices", "[sequence][taints]") {
  struct Case {
    std::string release;
    std::string selector;
    Time deleted;
  };
  const Case each = GENERATE_COPY(values<Case>({
      // 11:59:30 + 60 s. No slice need offer the device.
      {"v1.37.0", "deviceSelector: {driver: gpu.x}, ", 30 * kSecond},
      {"v1.37.0", "deviceSelector: {driver: gpu.x, pool: n1, device: g0}, ", 30 * kSecond},
      {"v1.37.0", "deviceSelector: {device: g1}, ", kNever},
      {"v1.37.0", "", kNever},
      {"v1.36.0", "deviceSelector: {driver: gpu.x}, ", kNever},  // the feature gate is off
  }));
  const auto cluster = a_cluster(
      {"apiVersion: v1\nkind: Node\nmetadata: {name: n1}\nstatus: {allocatable: {cpu: '1', memory: 16Gi, pods: '9'}, "
       "nodeInfo: {kubeletVersion: " +
           each.release + "}}\n",
       "apiVersion: resource.k8s.io/v1\nkind: DeviceTaintRule\nmetadata: {name: t}\nspec: {" + each.selector +
           "taint: {key: bad, effect: NoExecute, timeAdded: \"2026-03-02T11:59:30Z\"}}\n",
       "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {namespace: d, name: c}\nstatus: {reservedFor: "
       "[{resource: pods, name: v, uid: uid-d-v}], allocation: {devices: {results: [{request: r, driver: gpu.x, pool: "
       "n1, device: g0, tolerations: [{operator: Exists, effect: NoExecute, tolerationSeconds: 60}]}]}}}\n",
       a_pod("d/v").on("n1").spec("resourceClaims: [{name: g, resourceClaimName: c}]").yaml()});
  const SimulationResult play = simulated(*cluster);
  CAPTURE(each.release, each.selector);
  CHECK(time_of(play, *cluster, EventKind::deleting, "d/v") == each.deleted);
}

TEST_CASE("sequence: deleted pods of an unreachable node do not end", "[sequence][taints]") {
  const std::string key = "node.kubernetes.io/unreachable";
  const auto cluster = a_cluster(
      {tainted("n1", fmt::format("{{key: {}, effect: NoExecute, timeAdded: \"2026-03-02T11:55:10Z\"}}", key)),
       a_node("n2", "1"),
       owned(a_pod("d/web-a").on("n1").priority(5).spec(tolerates_for(key, "300")).yaml(), "ReplicaSet", "web")});
  const SimulationResult play = simulated(*cluster);
  CHECK(time_of(play, *cluster, EventKind::deleting, "d/web-a") == 10 * kSecond);  // 11:55:10 + 300 s
  CHECK(time_of(play, *cluster, EventKind::gone, "d/web-a") == kNever);
  CHECK(time_of(play, *cluster, EventKind::bound, "d/web-new-1") != kNever);
  CHECK(std::any_of(play.assumed.begin(), play.assumed.end(),
                    [](const Gap& gap) { return gap.rule == GapRule::unreachable_node; }));
}

// podgc/gc_controller.go gcTerminating: of a node that is not ready, and only then.
TEST_CASE("sequence: deleted pods of a node that is out of service end at once", "[sequence][taints]") {
  // The taint deletes d/db-0 at 0, with a grace period of 30 s. That of d/db-1 was over at 11:59.
  const std::string taint = "{key: node.kubernetes.io/out-of-service, value: nodeshutdown, effect: NoExecute}";
  for (const bool ready : {false, true}) {
    const auto cluster =
        a_cluster({node_with_status(taint, ready ? "True" : "Unknown"), a_node("n2", "2"),
                   owned(a_pod("d/db-0").on("n1").yaml(), "StatefulSet", "db"),
                   owned(a_pod("d/db-1").on("n1").deleting("2026-03-02T11:59:00Z").yaml(), "StatefulSet", "db")});
    const SimulationResult play = simulated(*cluster);
    CAPTURE(ready);
    CHECK(time_of(play, *cluster, EventKind::gone, "d/db-0") == (ready ? 30 * kSecond : 0));
    CHECK(time_of(play, *cluster, EventKind::gone, "d/db-1") == (ready ? kNever : 0));
    CHECK(std::any_of(play.assumed.begin(), play.assumed.end(),
                      [](const Gap& gap) { return gap.rule == GapRule::out_of_service; }) == !ready);
  }
}

// node_lifecycle_controller.go doNoScheduleTaintingPass: such a node gets the taint not-ready:NoSchedule.
TEST_CASE("sequence: a pod on a node that is not ready, and not tainted yet, is named", "[sequence][taints]") {
  const auto told = [](const std::string& status, const std::string& taints) {
    const auto cluster =
        a_cluster({node_with_status(taints, status), a_pod("d/p").spec("tolerations: [{operator: Exists}]").yaml()});
    const auto gaps = gaps_of_play(*cluster->snapshot, {}, simulated(*cluster), true);
    return std::any_of(gaps.begin(), gaps.end(), [](const Gap& gap) { return gap.rule == GapRule::untainted_node; });
  };
  CHECK(told("False", ""));
  CHECK(told("Unknown", ""));
  CHECK_FALSE(told("True", ""));
  CHECK_FALSE(told("False", "{key: node.kubernetes.io/not-ready, effect: NoSchedule}"));
}

TEST_CASE("taint evictions: static pods and pods that are being deleted are left out", "[taints]") {
  const auto cluster =
      a_cluster({tainted("n1", kMaintenance), owned(a_pod("d/static").on("n1").yaml(), "Node", "n1"),
                 a_pod("d/ends").on("n1").deleting("2026-03-02T12:00:20Z").yaml(), a_pod("d/v").on("n1").yaml()});
  const auto all = taint_evictions(*cluster->snapshot, kNoon);
  REQUIRE(all.size() == 1);
  CHECK(cluster->snapshot->key(all.front().pod) == "d/v");
}

TEST_CASE("explain: a time in question names the pods that taints delete until then", "[analysis][taints]") {
  // The pod in the way leaves at 12:00:30, which the scheduler's own decisions do not know.
  const auto cluster = a_cluster(
      {tainted("n1", kSince),
       a_pod("d/v").on("n1").priority(9).started("2026-03-02T10:00:00Z").spec(tolerates_for("maint", "60")).yaml(),
       a_pod("d/p").priority(1).spec(tolerates_for("maint", "")).yaml()});
  Question question;
  question.ns = "d";
  question.name = "p";
  question.now = kNoon;
  const Engine& kube = *find_engine("kube");
  const auto named = [](const Result<std::vector<Interval>>& intervals) {
    REQUIRE(intervals);
    const auto& gaps = intervals->front().answer.gaps;
    const auto found = std::find_if(gaps.begin(), gaps.end(),
                                    [](const Gap& gap) { return gap.rule == GapRule::taints_not_simulated; });
    return found == gaps.end() ? std::vector<std::string>() : found->operands;
  };
  CHECK(named(timeline(kube, cluster->objects, *cluster->snapshot, question, kNoon.plus_seconds(3600))) ==
        std::vector<std::string>{"1", "d/v", "12:00:30", "13:00:00"});
  CHECK(named(timeline(kube, cluster->objects, *cluster->snapshot, question, kNoon.plus_seconds(20))).empty());
  CHECK(named(answers_at(kube, cluster->objects, *cluster->snapshot, question, {kNoon, kNoon.plus_seconds(60)})) ==
        std::vector<std::string>{"1", "d/v", "12:00:30", "12:01:00"});
}

TEST_CASE("sequence: a bound pod that a taint deletes was not preempted", "[sequence][taints]") {
  // d/p tolerates the taint for 60 s.
  const auto cluster =
      a_cluster({tainted("n1", kSince), a_pod("d/p").priority(9).spec(tolerates_for("maint", "60")).yaml()});
  const SimulationResult play = simulated(*cluster);
  REQUIRE(play.ends.size() == 1);
  CHECK(play.ends.front().kind == End::Kind::evicted);
  CHECK(play.ends.front().why == "was bound, and then deleted: taint maint:NoExecute");
}

TEST_CASE("explain: the deletion of a pod by a taint is a next change", "[taints]") {
  // d/p waits for the CPU of d/v, which is as important. The taint of 11:59:30 deletes d/v after 60 s.
  const auto change = [](const std::string& taint, const std::string& seconds) {
    const auto cluster = a_cluster(
        {tainted("n1", taint),
         a_pod("d/v").on("n1").priority(9).started("2026-03-02T10:00:00Z").spec(tolerates_for("maint", seconds)).yaml(),
         a_pod("d/p").priority(9).spec(tolerates_for("maint", "")).yaml()});
    Question question;
    question.ns = "d";
    question.name = "p";
    question.now = kNoon;
    return explain(*find_engine("kube"), *cluster->snapshot, question).value();
  };
  const Answer answer = change(kSince, "60");
  CHECK(answer.next_change == kNoon.plus_seconds(30));
  CHECK(answer.next_change_words == "a NoExecute taint deletes d/v on n1");
  CHECK(change(kSince, "").next_change.is_never());
  // Without the time of the taint, it is not known when.
  CHECK(change(kMaintenance, "60").next_change.is_never());
}

}  // namespace previct::sequence
