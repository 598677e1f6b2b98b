// Whole simulations, step by step. A cycle takes 2 ms, a call to the API server 5 ms.
#include "support/devices.h"
#include "support/owned.h"
#include "support/traced.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace previct::sequence {
namespace {

using test::a_claim;
using test::a_cluster;
using test::a_device_class;
using test::a_device_on;
using test::a_node;
using test::a_pod;
using test::owned;

}  // namespace

// d/p needs both victims. If asynchronous, the thread only writes the status; the goroutine evicts the last victim once
// the others are deleted. Otherwise the thread evicts both at the same time, and then writes the status.
// Source: framework/preemption/preemption.go prepareCandidate, prepareCandidateAsync; v1.35.4.
TEST_CASE("trace: preemption of two pods in both modes", "[sequence]") {
  const auto cluster =
      a_cluster({a_node("n1", "2"), a_pod("d/v1").on("n1").priority(1).started("2026-03-02T10:00:00Z").yaml(),
                 a_pod("d/v2").on("n1").priority(1).started("2026-03-02T11:00:00Z").yaml(),
                 a_pod("d/p").priority(9).cpu("2").yaml()});
  const Trace end = {"30000 gone d/v1", "30000 gone d/v2", "30002 takes d/p", "30007 bound d/p"};
  Trace asynchronous = {"2 preempts d/p",   "7 nominated d/p", "7 marked d/v1",
                        "12 deleting d/v1", "17 marked d/v2",  "22 deleting d/v2"};
  Trace synchronous = {"2 preempts d/p",   "7 marked d/v1",    "7 marked d/v2",
                       "12 deleting d/v1", "12 deleting d/v2", "17 nominated d/p"};
  asynchronous.insert(asynchronous.end(), end.begin(), end.end());
  synchronous.insert(synchronous.end(), end.begin(), end.end());
  const SimulationResult first = traced(*cluster, "1.35", "SchedulerAsyncPreemption=true");
  CHECK(trace_of(first, *cluster) == asynchronous);
  const SimulationResult other = traced(*cluster, "1.35", "SchedulerAsyncPreemption=false");
  CHECK(trace_of(other, *cluster) == synchronous);
  for (const SimulationResult& play : {first, other}) {
    CHECK(play.metrics.time_to_bind == std::vector<Time>{30'005 * kMillisecond});  // since its first decision
    CHECK(play.ends.front().at == 30'007 * kMillisecond);
    CHECK(play.ends.front().deleted == std::vector<std::string>{"d/v1", "d/v2"});
    CHECK_FALSE(play.ends.front().why == "fits");
  }
}

// n1 is full of a pod of higher priority, so that d/p fails, and loses the nomination that it has. Then d/q, for which
// the nominated d/p of higher priority counted on n1, fits: 2 ms after the status of d/p is written.
// Source: schedule_one.go handleSchedulingFailure; framework/preemption/preemption.go Preempt, which clears it;
// v1.32, in which the end of a nomination does not requeue d/p itself yet.
TEST_CASE("trace: a pod that no preemption helps loses its nomination", "[sequence]") {
  const auto cluster =
      a_cluster({a_node("n1", "3"), a_pod("d/v").on("n1").priority(20).cpu("2").yaml(),
                 a_pod("d/p").priority(9).cpu("2").nominated("n1").yaml(), a_pod("d/q").priority(1).cpu("1").yaml()});
  const SimulationResult play = traced(*cluster, "1.32");
  // The periodic flush tries d/p again after 5 minutes: it fails in other words, as d/q may be evicted, but does not
  // help.
  CHECK(trace_of(play, *cluster) ==
        Trace{"2 fails d/p", "7 cleared d/p", "9 takes d/q", "14 bound d/q", "300002 fails d/p"});
  for (const End& end : play.ends) {
    CHECK(end.kind == (end.name == "d/q" ? End::Kind::bound : End::Kind::unschedulable));
    CHECK(bool{end.node} == (end.name == "d/q"));
    if (end.name == "d/q") CHECK(end.why == "fits");
  }
}

// A pod that may not preempt keeps its nomination, so that d/q does not fit.
// Source: framework/preemption/preemption.go Preempt, which returns no result for a pod that is not eligible; v1.35.4.
TEST_CASE("trace: a pod that never preempts keeps its nomination", "[sequence]") {
  const auto cluster = a_cluster({a_node("n1", "3"), a_pod("d/v").on("n1").priority(20).cpu("2").yaml(),
                                  a_pod("d/p").priority(9).cpu("2").nominated("n1").never_preempts().yaml(),
                                  a_pod("d/q").priority(1).cpu("1").yaml()});
  const SimulationResult play = traced(*cluster, "1.35");
  CHECK(trace_of(play, *cluster) == Trace{"2 fails d/p", "9 fails d/q"});
  for (const End& end : play.ends) CHECK(bool{end.node} == (end.name == "d/p"));
}

// Source: pkg/scheduler/eventhandlers.go addPodToCache: the binding of a pod requeues those with an affinity for it.
TEST_CASE("trace: the binding of a pod requeues one that needs it on its node", "[sequence][requeue]") {
  const auto cluster = a_cluster({a_node("n1", "2"),
                                  a_pod("d/first")
                                      .priority(9)
                                      .spec("affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
                                            "[{labelSelector: {matchLabels: {app: a}}, topologyKey: "
                                            "kubernetes.io/hostname}]}}")
                                      .yaml(),
                                  a_pod("d/partner").priority(1).labels("{app: a}").yaml()});
  CHECK(trace_of(traced(*cluster, "1.35"), *cluster) ==
        Trace{"2 fails d/first", "9 takes d/partner", "14 bound d/partner", "16 takes d/first", "21 bound d/first"});
}

// The API server is down when d/p would be bound. Such an error is no rejection by a plugin, so the pod backs off for a
// second, and is tried when the next whole second is over; meanwhile, d/q gets the node.
// Source: schedule_one.go handleBindingCycleError; backend/queue/backoff_queue.go alignToWindow; v1.35.4.
TEST_CASE("trace: a pod whose binding fails gives back its node, and backs off", "[sequence]") {
  const auto cluster =
      a_cluster({a_node("n1", "1"), a_pod("d/p").priority(9).never_preempts().yaml(), a_pod("d/q").priority(1).yaml()});
  const std::vector<Failure> down = {{Failure::Verb::any, {}, 0, 50 * kMillisecond}};
  const SimulationResult alone = traced(*cluster, "1.35", "", false, {{"q", 9 * kSecond}}, down);
  CHECK(trace_of(alone, *cluster) ==
        Trace{"2 takes d/p", "7 call failed d/p", "2002 takes d/p", "2007 bound d/p", "9002 fails d/q"});
  const SimulationResult taken = traced(*cluster, "1.35", "", false, {{"q", 100 * kMillisecond}}, down);
  CHECK(trace_of(taken, *cluster) ==
        Trace{"2 takes d/p", "7 call failed d/p", "102 takes d/q", "107 bound d/q", "2002 fails d/p"});
  for (const End& end : taken.ends) {
    if (end.name != "d/p") continue;
    CHECK(end.kind == End::Kind::unschedulable);
    CHECK(end.attempts == 2);
    CHECK_FALSE(end.node);
  }
}

// d/p is too large for the node. The end of d/v requeues it, and it fails as before: its status is not written again,
// so that the cycle of d/r begins at once.
// Source: pkg/scheduler/schedule_one.go updatePod; util.PatchPodStatus without a change; v1.35.4.
TEST_CASE("trace: a status that stays as it is takes no call", "[sequence]") {
  const auto cluster =
      a_cluster({a_node("n1", "2"), a_pod("d/v").on("n1").priority(20).deleting("2026-03-02T12:00:10Z").yaml(),
                 a_pod("d/p").priority(9).cpu("4").yaml(), a_pod("d/r").priority(1).yaml()});
  const SimulationResult play = traced(*cluster, "1.35", "", false, {{"r", 10 * kSecond + kMillisecond}});
  CHECK(trace_of(play, *cluster) == Trace{"2 fails d/p", "10000 gone d/v", "10004 takes d/r", "10009 bound d/r"});
}

// d/j-0 waits for d/v, whose grace period ends after 30 s, on n1, of which it needs both CPUs; so d/q does not fit
// there while d/j-0 is nominated. The Job of d/j-0, which began at 11:00:00, fails after 3610 s, and deletes it.
// From 1.33 on, a nomination that ends requeues pods of at most that priority; before, only the end of d/v does.
// Source: pkg/scheduler/eventhandlers.go deletePodFromSchedulingQueue, v1.33.
TEST_CASE("trace: the deletion of a nominated pod requeues others", "[sequence][requeue]") {
  const int priority = GENERATE(5, 9);
  const auto cluster = a_cluster(
      {a_node("n1", "2"), a_pod("d/v").on("n1").priority(1).started("2026-03-02T10:00:00Z").yaml(),
       owned(a_pod("d/j-0").priority(9).cpu("2").yaml(), "Job", "j"),
       a_pod("d/q").priority(priority).never_preempts().yaml(),
       "apiVersion: batch/v1\nkind: Job\nmetadata: {namespace: d, name: j, uid: u-j}\nspec: {completions: 1, "
       "parallelism: "
       "1, backoffLimit: 6, activeDeadlineSeconds: 3610}\nstatus: {startTime: \"2026-03-02T11:00:00Z\", active: 1}\n"});
  const auto bound_at = [&](const std::string& release) {
    const SimulationResult play =
        traced(*cluster, release, release == "1.31" ? "" : "SchedulerAsyncPreemption=false", true);
    const Trace trace = trace_of(play, *cluster);
    INFO(release << " " << fmt::format("{}", fmt::join(trace, ", ")));
    CHECK(std::find(trace.begin(), trace.end(), "10000 gives up d/j-0") != trace.end());
    const auto bound = std::find_if(play.steps.begin(), play.steps.end(),
                                    [](const Step& step) { return step.what == EventKind::bound; });
    REQUIRE(bound != play.steps.end());
    CHECK(play.key(bound->pod, *cluster->snapshot) == "d/q");
    return bound->at / kMillisecond;
  };
  CHECK(bound_at("1.35") == 10'007);
  CHECK(bound_at("1.33") == 10'007);
  CHECK(bound_at("1.32") == 30'007);
  CHECK(bound_at("1.31") == 30'007);  // without queueing hints
}

// d/p preempts d/w-0 on n1; the ReplicaSet replaces it by d/w-new-1, which fits nowhere, as d/x is on n2 until 20 s.
// Then n2 has two CPUs, or only one: whatever is known of the replica's earlier attempt, it is tried on what is free
// now.
TEST_CASE("trace: a replica that has failed is tried again where a pod has ended", "[sequence]") {
  for (const std::string_view cpu : {"2", "1"}) {
    const auto cluster = a_cluster(
        {a_node("n1", "3"), a_node("n2", std::string(cpu)),
         owned(a_pod("d/w-0").on("n1").priority(1).cpu("2").started("2026-03-02T10:00:00Z").yaml(), "ReplicaSet", "w"),
         a_pod("d/x").on("n2").priority(5).cpu(std::string(cpu)).deleting("2026-03-02T12:00:20Z").yaml(),
         a_pod("d/p").priority(9).cpu("3").yaml()});
    Trace of_replica = trace_of(traced(*cluster, "1.35", "", true), *cluster);
    std::erase_if(of_replica, [](const std::string& step) { return !step.ends_with(" d/w-new-1"); });
    REQUIRE(!of_replica.empty());
    CHECK(of_replica.front().ends_with(" fails d/w-new-1"));
    of_replica.erase(of_replica.begin());
    const Trace fits = {"20009 takes d/w-new-1", "20014 bound d/w-new-1"};
    CHECK(of_replica == (cpu == "2" ? fits : Trace{}));
  }
}

// d/l (priority 1) fits nowhere until d/x ends on n2 at 6 s. d/p preempts d/w-0 at 5 s, and the replica d/w-new-1
// (priority 5) fits nowhere and can preempt nothing: d/x is more important. At 6 s, the replica backs off, so that d/l
// is tried before it, and takes n2. From then on, the replica can preempt d/l.
TEST_CASE("trace: a replica that could preempt no pod preempts one that comes later", "[sequence]") {
  const auto cluster = a_cluster(
      {a_node("n1", "3"), a_node("n2", "3"),
       owned(a_pod("d/w-0").on("n1").priority(5).cpu("3").started("2026-03-02T10:00:00Z").yaml(), "ReplicaSet", "w"),
       a_pod("d/x").on("n2").priority(10).cpu("3").deleting("2026-03-02T12:00:06Z").yaml(),
       a_pod("d/l").priority(1).cpu("1").yaml(), a_pod("d/p").priority(9).cpu("3").yaml()});
  const Trace trace = trace_of(traced(*cluster, "1.35", "", true, {{"p", 5 * kSecond}}), *cluster);
  const auto at = [&](const std::string& end) {
    return std::find_if(trace.begin(), trace.end(), [&](const std::string& step) { return step.ends_with(end); });
  };
  const auto takes = at(" takes d/l");
  REQUIRE(takes != trace.end());
  CHECK(takes->starts_with("600"));
  CHECK(at(" fails d/w-new-1") < takes);
  const auto preempts = at(" preempts d/w-new-1");
  REQUIRE(preempts != trace.end());
  CHECK(takes < preempts);
}

// The replica d/w-new-1 needs a device: that of n2 is allocated to d/x, whose claim is deallocated after d/x has ended
// at 40 s. The attempt between the two fails, although n2 has capacity; the update of the claim requeues the pod.
TEST_CASE("trace: a replica that has failed is tried again when a device is free", "[sequence]") {
  const std::string taken =
      "{allocation: {devices: {results: [{request: r, driver: gpu.x, pool: n2, device: d0}]}}, "
      "reservedFor: [{resource: pods, name: x, uid: uid-d-x}]}";
  const auto cluster = a_cluster({a_node("n1", "3"), a_node("n2", "3"), a_device_class(), a_device_on("n2"),
                                  a_claim("theirs", taken), a_claim("mine"),
                                  owned(a_pod("d/w-0")
                                            .on("n1")
                                            .priority(5)
                                            .started("2026-03-02T10:00:00Z")
                                            .spec("resourceClaims: [{name: gpu, resourceClaimName: mine}]")
                                            .yaml(),
                                        "ReplicaSet", "w"),
                                  a_pod("d/x")
                                      .on("n2")
                                      .priority(10)
                                      .deleting("2026-03-02T12:00:40Z")
                                      .spec("resourceClaims: [{name: gpu, resourceClaimName: theirs}]")
                                      .yaml(),
                                  a_pod("d/p").priority(9).cpu("3").yaml()});
  const Trace trace = trace_of(traced(*cluster, "1.35", "", true), *cluster);
  const auto is = [](const std::string& end) { return [end](const std::string& step) { return step.ends_with(end); }; };
  CHECK(std::any_of(trace.begin(), trace.end(), is(" fails d/w-new-1")));
  const auto takes = std::find_if(trace.begin(), trace.end(), is(" takes d/w-new-1"));
  REQUIRE(takes != trace.end());
  CHECK(takes->starts_with("400"));
}

}  // namespace previct::sequence
