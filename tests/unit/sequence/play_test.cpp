#include "sequence/controllers.h"
#include "sequence/cost.h"
#include "sequence/drained_nodes.h"
#include "sequence/kube_scenario.h"
#include "sequence/report.h"
#include "support/bound_then_evicted.h"
#include "support/cluster.h"
#include "support/devices.h"
#include "support/owned.h"
#include "tell/gap_words.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace previct::sequence {
namespace {

using test::a_budget;
using test::a_claim;
using test::a_cluster;
using test::a_device_class;
using test::a_device_on;
using test::a_node;
using test::a_pod;
using test::TestCluster;

auto settings_for(const TestCluster& cluster) -> Settings {
  Settings settings;
  settings.question.now = parse_instant("2026-03-02T12:00:00Z").value();
  for (const PodId pod : cluster.snapshot->pods().ids()) {
    if (cluster.snapshot->pending(pod)) settings.pods.push_back(pod);
  }
  return settings;
}

auto played(TestCluster& cluster, const Settings& settings) -> SimulationResult {
  auto play = simulate_kube(cluster.objects, settings, {});
  if (!play) FAIL(play.error().message);
  return *std::move(play);
}

auto times(const SimulationResult& play, EventKind what) -> std::size_t {
  return static_cast<std::size_t>(
      std::count_if(play.steps.begin(), play.steps.end(), [&](const Step& s) { return s.what == what; }));
}
auto first(const SimulationResult& play, EventKind what) -> Time {
  for (const Step& step : play.steps) {
    if (step.what == what) return step.at;
  }
  return kNever;
}

// Two victims of 1 CPU. The second started later, so it is less important and is evicted last.
auto two_victims() -> std::unique_ptr<TestCluster> {
  return a_cluster({a_node("n1", "2"), a_pod("d/v1").on("n1").priority(1).started("2026-03-02T10:00:00Z").yaml(),
                    a_pod("d/v2").on("n1").priority(1).started("2026-03-02T11:00:00Z").yaml(),
                    a_pod("d/p").priority(9).cpu("2").yaml()});
}

}  // namespace

TEST_CASE("sequence: a pod that arrives when another one ends may come second", "[sequence]") {
  // d/v ends at 5 s. If d/b has arrived by then, it takes the place, as it has the higher priority; otherwise d/a does,
  // which d/b does not preempt.
  const auto cluster = a_cluster({a_node("n1", "1"), a_pod("d/v").on("n1").deleting("2026-03-02T12:00:05Z").yaml(),
                                  a_pod("d/a").priority(1).yaml(), a_pod("d/b").priority(9).never_preempts().yaml()});
  Settings settings = settings_for(*cluster);
  settings.arrivals = {{cluster->snapshot->find_pod("d", "b"), 5 * kSecond}};
  const auto bound = [&] {
    const auto sequence = kube_sequence(cluster->objects, settings);
    REQUIRE(sequence);
    std::set<std::string> names;
    for (const Ending& ending : sequence->endings) {
      for (const End& end : ending.ends) {
        if (end.kind == End::Kind::bound) names.insert(end.name);
      }
    }
    return names;
  };
  CHECK(bound() == std::set<std::string>{"d/a", "d/b"});
  settings.arrivals.front().at = kSecond;
  CHECK(bound() == std::set<std::string>{"d/b"});
}

TEST_CASE("sequence: a pod that was not tried is pending since its arrival", "[sequence]") {
  // The horizon is in the first cycle, of d/q, which takes 2 ms.
  const auto cluster = a_cluster({a_node("n1", "2"), a_pod("d/p").yaml(), a_pod("d/q").priority(9).yaml()});
  Settings settings = settings_for(*cluster);
  for (const PodId pod : settings.pods) settings.arrivals.push_back({pod, 5 * kSecond});
  settings.horizon = 5 * kSecond + kMillisecond;
  const SimulationResult play = played(*cluster, settings);
  const auto p = std::find_if(play.ends.begin(), play.ends.end(), [](const End& end) { return end.name == "d/p"; });
  REQUIRE(p != play.ends.end());
  CHECK(p->kind == End::Kind::pending);
  CHECK(p->at == 5 * kSecond);
}

TEST_CASE("sequence: a call that is to fail and is not made is named", "[sequence]") {
  for (const int priority : {1, 9}) {  // d/p, of priority 9, evicts d/v or not
    const auto cluster = a_cluster(
        {a_node("n1", "1"), a_pod("d/v").on("n1").priority(priority).yaml(), a_pod("d/p").priority(9).yaml()});
    Settings settings = settings_for(*cluster);
    settings.failures = {{.verb = Failure::Verb::remove, .pod = cluster->snapshot->find_pod("d", "v")}};
    CHECK(played(*cluster, settings).calls_not_made ==
          (priority == 9 ? std::vector<std::string>{"delete:d/v"} : std::vector<std::string>()));
  }
}

// Source: framework/preemption/executor.go prepareCandidateAsync, PreemptPod, v1.35: when the patch of a victim's
// status or a delete call fails, the preemption fails, and a later attempt of the preemptor repeats it.
TEST_CASE("sequence: each kind of call can fail once", "[sequence]") {
  struct Case {
    Failure::Verb verb;
    std::string pod;
    std::string why;
    std::string not_made;
    std::size_t preemptions;  // how many it takes
  };
  const Case each =
      GENERATE(values<Case>({{Failure::Verb::mark, "v1", "the DisruptionTarget patch fails: injected", "", 2},
                             {Failure::Verb::remove, "v1", "the delete call fails: injected", "", 2},
                             {Failure::Verb::nominate, "p", "the status patch fails: injected", "", 1},
                             {Failure::Verb::mark, "p", "", "patch-status:d/p", 1},
                             {Failure::Verb::nominate, "v1", "", "nominate:d/v1", 1}}));
  INFO(each.why << each.not_made);
  const auto cluster = two_victims();
  Settings settings = settings_for(*cluster);
  settings.failures = {{.verb = each.verb, .pod = cluster->snapshot->find_pod("d", each.pod)}};
  const SimulationResult play = played(*cluster, settings);
  std::vector<std::string> failed;
  for (const Step& step : play.steps) {
    if (step.what == EventKind::call_failed) failed.push_back(step.why);
  }
  CHECK(failed == (each.why.empty() ? std::vector<std::string>() : std::vector{each.why}));
  CHECK(play.calls_not_made == (each.not_made.empty() ? std::vector<std::string>() : std::vector{each.not_made}));
  CHECK(times(play, EventKind::marked) == 2);  // a victim that has the condition is not patched again
  CHECK(times(play, EventKind::deleting) == 2);
  CHECK(play.metrics.preemptions == each.preemptions);
  CHECK(play.ends.front().kind == End::Kind::bound);
}

// Source: framework/preemption/executor.go prepareCandidateAsync, v1.35: a preemptor takes the nominations of pods of
// lower priority on its node. d/first waits for d/v2 when d/second, which needs all of n1, evicts d/v1, too.
TEST_CASE("sequence: a preemptor clears the nominations of lower priority on its node", "[sequence]") {
  for (const char* gates : {"SchedulerAsyncPreemption=true", "SchedulerAsyncPreemption=false"}) {
    INFO(gates);
    const auto cluster =
        a_cluster({a_node("n1", "2"), a_pod("d/v1").on("n1").priority(1).started("2026-03-02T10:00:00Z").yaml(),
                   a_pod("d/v2").on("n1").priority(1).started("2026-03-02T11:00:00Z").yaml(),
                   a_pod("d/first").priority(5).yaml(), a_pod("d/second").priority(9).cpu("2").yaml()});
    Settings settings = settings_for(*cluster);
    settings.question.feature_gates = gates;
    const PodId first = cluster->snapshot->find_pod("d", "first");
    const PodId second = cluster->snapshot->find_pod("d", "second");
    settings.arrivals = {{second, kSecond}};
    const SimulationResult play = played(*cluster, settings);
    const auto cleared = std::find_if(play.steps.begin(), play.steps.end(),
                                      [](const Step& step) { return step.what == EventKind::cleared; });
    REQUIRE(cleared != play.steps.end());
    CHECK(cleared->pod == first);
    CHECK(cleared->by == second);
    CHECK(cluster->snapshot->name(cleared->node) == "n1");
    CHECK(times(play, EventKind::cleared) == 1);
    for (const End& end : play.ends) {
      const bool is_first = end.pod == first;
      CHECK(end.kind == (is_first ? End::Kind::unschedulable : End::Kind::bound));
      CHECK(bool{end.node} == !is_first);
      CHECK(end.deleted == std::vector<std::string>{is_first ? "d/v2" : "d/v1"});
    }
  }
}

// Source: framework/preemption/executor.go prepareCandidateAsync, v1.37: the delete calls of a preemption run at the
// same time. When one fails, its context is canceled, and with it the others: the goroutine ends at that moment. With a
// burst of 4 calls and then 10 calls per second, the call for one victim would end a tenth of a second later.
TEST_CASE("sequence: a failed delete call cancels the others of its preemption", "[sequence]") {
  const auto cluster =
      a_cluster({a_node("n1", "3"), a_pod("d/v1").on("n1").priority(1).started("2026-03-02T09:00:00Z").yaml(),
                 a_pod("d/v2").on("n1").priority(1).started("2026-03-02T10:00:00Z").yaml(),
                 a_pod("d/v3").on("n1").priority(1).started("2026-03-02T11:00:00Z").yaml(),
                 a_pod("d/p").priority(9).cpu("3").yaml()});
  Settings settings = settings_for(*cluster);
  settings.question.k8s_version = "1.37";
  settings.pace.qps = 10;
  settings.pace.burst = 4;
  settings.failures = {{.verb = Failure::Verb::remove, .pod = cluster->snapshot->find_pod("d", "v1")}};
  const SimulationResult play = played(*cluster, settings);
  std::vector<Time> begins;
  std::vector<Time> ends;
  for (const Step& step : play.steps) {
    if (step.what == EventKind::preempts) begins.push_back(step.at);
    if (step.what == EventKind::call_failed) ends.push_back(step.at);
  }
  REQUIRE(begins.size() == 2);
  REQUIRE(ends.size() == 1);
  ends.push_back(0);
  for (const Step& step : play.steps) {
    if (step.what == EventKind::deleting) ends.back() = step.at;
  }
  CHECK(times(play, EventKind::deleting) == 3);
  CHECK(play.metrics.goroutines_took == (ends[0] - begins[0]) + (ends[1] - begins[1]));
}

// The status of d/p names no node, as no eviction helps it: that call is another one.
TEST_CASE("sequence: only a status that nominates counts as the call that nominates", "[sequence]") {
  const auto cluster = a_cluster({a_node("n1", "1"), a_pod("d/p").priority(9).cpu("2").yaml()});
  Settings settings = settings_for(*cluster);
  settings.failures = {{.verb = Failure::Verb::nominate, .pod = cluster->snapshot->find_pod("d", "p")}};
  const SimulationResult play = played(*cluster, settings);
  CHECK(play.calls_not_made == std::vector<std::string>{"nominate:d/p"});
  CHECK(times(play, EventKind::call_failed) == 0);
}

TEST_CASE("sequence: a pending pod of a manifest is created as it is written, which is assumed", "[sequence]") {
  // The node comes from an API server, which gave it a uid. d/p has one, too, or none.
  std::string node = a_node("n1", "1");
  node.insert(node.find("  name:"), "  uid: of-n1\n");
  const auto is_assumed = [&](const std::string& pod) {
    const auto cluster = a_cluster({node, pod});
    const SimulationResult play = played(*cluster, settings_for(*cluster));
    return std::any_of(play.decision_gaps.begin(), play.decision_gaps.end(),
                       [](const Gap& gap) { return gap.rule == GapRule::manifest_as_written; });
  };
  const std::string stored = a_pod("d/p").yaml();
  std::string written = stored;
  written.erase(written.find("  uid: "), written.find('\n', written.find("  uid: ")) + 1 - written.find("  uid: "));
  CHECK(is_assumed(written));
  CHECK_FALSE(is_assumed(stored));
}

TEST_CASE("sequence: a profile that is not known is not assumed", "[sequence]") {
  const auto cluster = a_cluster({a_node("n1", "1"), a_pod("d/p").spec("schedulerName: mine").yaml()});
  const SimulationResult play = played(*cluster, settings_for(*cluster));
  REQUIRE(play.ends.size() == 1);
  REQUIRE(play.ends[0].unknown);
  CHECK(play.ends[0].unknown->rule == GapRule::profile_not_played);
  CHECK(std::none_of(play.decision_gaps.begin(), play.decision_gaps.end(),
                     [](const Gap& gap) { return gap.rule == GapRule::default_profile; }));
}

// The claim of d/p has an allocation that cannot be read: In without values. Such an error requeues the pod after a
// back-off, clears its nomination, and does not keep the scheduler from d/q. Source: schedule_one.go schedulingCycle
// (clearNominatedNode), handleSchedulingFailure; backend/queue determineSchedulingHintForInFlightPod, v1.35.4.
TEST_CASE("sequence: a pod whose attempts end in errors is retried, and others take the node", "[sequence]") {
  const auto cluster = a_cluster(
      {a_node("n1", "4"),
       "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {namespace: d, name: gpu, uid: c}\nspec: "
       "{devices: {requests: [{name: r, exactly: {deviceClassName: gpus}}]}}\nstatus: {allocation: {nodeSelector: "
       "{nodeSelectorTerms: [{matchExpressions: [{key: a, operator: In}]}]}}}\n",
       a_pod("d/p")
           .priority(9)
           .cpu("4")
           .nominated("n1")
           .spec("resourceClaims: [{name: gpu, resourceClaimName: gpu}]")
           .yaml(),
       a_pod("d/q").priority(1).cpu("4").yaml()});
  const SimulationResult play = played(*cluster, settings_for(*cluster));
  REQUIRE(play.ends.size() == 2);
  for (const End& end : play.ends) CHECK(end.kind == (end.name == "d/p" ? End::Kind::error : End::Kind::bound));
  CHECK(play.metrics.error > 1);
  CHECK(play.metrics.scheduled == 1);
}

// A group that does not fit stays pending as a whole. What happens once it fits, or preempts, is not simulated.
TEST_CASE("sequence: a pod group is simulated as long as it is not placed", "[sequence][groups]") {
  const auto ends = [](const std::string& cpu_of_each, int priority_of_running) {
    const auto member = [&](const std::string& name) {
      return a_pod("d/" + name).cpu(cpu_of_each).spec("schedulingGroup: {podGroupName: job}").yaml();
    };
    const auto cluster =
        a_cluster({a_node("n1", "6"), a_pod("d/running").on("n1").priority(priority_of_running).cpu("2").yaml(),
                   "apiVersion: scheduling.k8s.io/v1alpha2\nkind: PodGroup\nmetadata: {namespace: d, name: job}\nspec: "
                   "{schedulingPolicy: {gang: {minCount: 2}}, priority: 1000}\n",
                   member("one"), member("two")});
    Settings settings = settings_for(*cluster);
    settings.question.k8s_version = "1.36";
    settings.question.feature_gates = "GenericWorkload=true,GangScheduling=true,WorkloadAwarePreemption=true";
    const SimulationResult play = played(*cluster, settings);
    REQUIRE(play.ends.size() == 2);
    CHECK(play.ends[0].kind == play.ends[1].kind);
    if (play.ends[0].unknown) CHECK(play.ends[0].unknown->rule == GapRule::group_not_played);
    return play.ends[0].kind;
  };
  CHECK(ends("2", 9) == End::Kind::not_simulated);     // both fit
  CHECK(ends("3", 9) == End::Kind::not_simulated);     // they preempt d/running
  CHECK(ends("3", 2000) == End::Kind::unschedulable);  // its priority is higher
  CHECK(ends("4", 9) == End::Kind::unschedulable);     // one does not fit into an empty node
}

// A scheduler of kubelets 1.37 may be of 1.36, which would refuse the gate.
TEST_CASE("sequence: a release that would refuse the feature gates does not run", "[sequence]") {
  const auto cluster = a_cluster({a_node("n1", "1") + "  nodeInfo: {kubeletVersion: v1.37.1}\n",
                                  a_pod("d/v").on("n1").priority(1).yaml(), a_pod("d/p").priority(9).yaml()});
  Settings settings = settings_for(*cluster);
  settings.question.feature_gates = "SchedulerPreQueueingHints=true";
  CHECK(kube_sequence(cluster->objects, settings));
}

// Source: pkg/scheduler/eventhandlers.go responsibleForPod: a kube-scheduler queues the pods of its own profiles. Both
// pods request 1 CPU; on one node with 1 CPU, the scheduler that is faster gets it.
TEST_CASE("sequence: it is not known which of two schedulers is faster", "[sequence]") {
  const auto config = [](const std::string& name, const std::string& profiles) {
    return fmt::format(
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {{namespace: kube-system, name: {}}}\ndata:\n  config.yaml: |\n"
        "    apiVersion: kubescheduler.config.k8s.io/v1\n    kind: KubeSchedulerConfiguration\n    profiles: [{}]\n",
        name, profiles);
  };
  const std::string first = "{schedulerName: default-scheduler}";
  const std::string second = "{schedulerName: second}";
  const auto of = [](const std::vector<std::string>& documents) {
    const auto cluster = a_cluster(documents);
    const SimulationResult play = played(*cluster, settings_for(*cluster));
    std::string text;
    for (const End& end : play.ends) {
      text += fmt::format("{} {} ", end.name, end_name(end.kind));
      if (end.kind == End::Kind::not_simulated) {
        REQUIRE(end.unknown);
        CHECK(end.unknown->rule == GapRule::schedulers_race);
        CHECK(end.unknown->operands == std::vector<std::string>{"default-scheduler", "second"});
      }
    }
    return text;
  };
  const auto ends = [&](const std::vector<std::string>& configs, const std::string& cpus) {
    std::vector<std::string> documents = {a_node("n1", cpus), a_pod("d/p").priority(9).yaml(),
                                          a_pod("d/x").spec("schedulerName: second").yaml()};
    documents.insert(documents.end(), configs.begin(), configs.end());
    return of(documents);
  };
  CHECK(ends({config("a", first), config("b", second)}, "1") == "d/p not-simulated d/x not-simulated ");
  CHECK(ends({config("b", second)}, "1") == "d/p not-simulated d/x not-simulated ");
  CHECK(ends({config("a", first), config("b", second)}, "2") == "d/p bound d/x bound ");
  CHECK(ends({config("a", first + ", " + second)}, "1") == "d/p bound d/x unschedulable ");
  // Both have been tried before two nodes become free, at once. d/x may take the one that d/p needs.
  const auto only = [](const std::string& node) {
    return "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: "
           "[{matchFields: [{key: metadata.name, operator: In, values: [" +
           node + "]}]}]}}}";
  };
  const auto later = [&](const std::string& more_of_x) {
    const std::string soon = "2026-03-02T12:00:05Z";
    return of({a_node("n1", "1"), a_node("n2", "1"), a_pod("d/v").on("n1").deleting(soon).yaml(),
               a_pod("d/w").on("n2").deleting(soon).yaml(), a_pod("d/p").priority(9).spec(only("n1")).yaml(),
               a_pod("d/x").spec("schedulerName: second\n  " + more_of_x).yaml(), config("a", first),
               config("b", second)});
  };
  CHECK(later("") == "d/p not-simulated d/x not-simulated ");
  CHECK(later(only("n2")) == "d/p bound d/x bound ");
}

// drain.go evictPods: one goroutine for each pod. The budget allows one disruption.
TEST_CASE("sequence: chance decides which pod of a budget a drain evicts", "[sequence][drain]") {
  const auto cluster = a_cluster({a_node("n1", "2"), a_pod("d/a").on("n1").labels("{app: x}").yaml(),
                                  a_pod("d/b").on("n1").labels("{app: x}").yaml(), a_budget("d/x", "x", 1)});
  Settings settings = settings_for(*cluster);
  settings.drained = {cluster->snapshot->find_pod("d", "a"), cluster->snapshot->find_pod("d", "b")};
  const auto sequence = kube_sequence(cluster->objects, settings);
  REQUIRE(sequence);
  std::set<std::vector<std::string>> evicted;
  for (const Ending& ending : sequence->endings) evicted.insert(ending.evicted);
  CHECK(evicted == std::set<std::vector<std::string>>{{"d/a"}, {"d/b"}});
  CHECK_FALSE(sequence->more_orders);
}

// The budget allows one disruption at a time, and the new pods are ready as soon as they are bound. kubectl drain tries
// again after 5 s. A control plane of 1.35.4 evicted the second of two such pods 0.5 s after the first for 3 of 8
// budgets, and after 5 s for the others.
TEST_CASE("sequence: an eviction that conflicts with another one is repeated half a second later",
          "[sequence][drain]") {
  using test::owned;
  struct Case {
    std::string cpus;  // of the node for the new pods
    bool conflicts = false;
    std::vector<Time> deletions;
    Time refused = kNever;
  };
  const Case each = GENERATE(values<Case>({
      {"2", false, {0, 5 * kSecond}, 0},
      {"2", true, {0, kSecond / 2}},
      // The new pod does not fit, so that the budget allows nothing half a second later either.
      {"0", true, {0}, kSecond / 2},
  }));
  const auto pod = [](const std::string& name) {
    return owned(a_pod("d/" + name).on("n1").labels("{app: x}").yaml(), "ReplicaSet", "web");
  };
  const auto cluster = a_cluster({a_node("n1", "2") + "spec: {unschedulable: true}\n", a_node("n2", each.cpus),
                                  pod("a"), pod("b"), a_budget("d/x", "x", 1)});
  Settings settings = settings_for(*cluster);
  settings.controllers = true;
  settings.drained = {cluster->snapshot->find_pod("d", "a"), cluster->snapshot->find_pod("d", "b")};
  Scenario scenario;
  scenario.conflicts = each.conflicts;
  const auto play = simulate_kube(cluster->objects, settings, scenario);
  REQUIRE(play);
  std::vector<Time> deletions;
  for (const Step& step : play->steps) {
    if (step.what == EventKind::deleting) deletions.push_back(step.at);
  }
  CHECK(deletions == each.deletions);
  CHECK(first(*play, EventKind::refused) == each.refused);
}

// Source: kubectl pkg/drain/filters.go daemonSetFilter, mirrorPodFilter, localStorageFilter, unreplicatedFilter.
TEST_CASE("drain: each flag is needed for its pods only, and pods of DaemonSets and static ones stay", "[drain]") {
  using test::owned;
  const std::string volumes = "volumes: [{name: v, emptyDir: {}}]";
  const auto drained = [](const std::vector<std::string>& pods) {
    std::vector<std::string> documents = {a_node("n1", "9"), a_node("n2", "9"), a_pod("d/elsewhere").on("n2").yaml()};
    documents.insert(documents.end(), pods.begin(), pods.end());
    const auto cluster = a_cluster(documents);
    const std::vector<NodeId> nodes = {cluster->snapshot->find_node(cluster->snapshot->symbol("n1"))};
    const Drain drain = drain_of(nodes, *cluster->snapshot);
    std::string text;
    for (const PodId pod : drain.evicted) text += cluster->snapshot->key(pod) + " ";
    for (const std::string& flag : drain.flags) text += flag + " ";
    return text;
  };
  const auto on_n1 = [](const std::string& name, const std::string& spec = "") {
    auto pod = a_pod("d/" + name).on("n1");
    if (!spec.empty()) pod.spec(spec);
    return pod.yaml();
  };
  CHECK(drained({owned(on_n1("web"), "ReplicaSet", "web")}) == "d/web ");
  CHECK(drained({owned(on_n1("cache", volumes), "ReplicaSet", "cache")}) == "d/cache --delete-emptydir-data ");
  CHECK(drained({on_n1("b"), on_n1("a")}) == "d/a d/b --force ");
  CHECK(drained({owned(on_n1("agent", volumes), "DaemonSet", "agent")}) == "--ignore-daemonsets ");
  CHECK(drained({owned(on_n1("proxy", volumes), "Node", "n1")}).empty());
  CHECK(drained({owned(on_n1("agent"), "DaemonSet", "agent"), on_n1("one", volumes), on_n1("two", volumes)}) ==
        "d/one d/two --delete-emptydir-data --force --ignore-daemonsets ");
}

TEST_CASE("sequence: pods that fail alike have messages with their own names", "[sequence]") {
  // d/p evicts both pods of the ReplicaSet. Those in their place are alike and can evict no pod, and
  // PreemptionToleration names the preemptor in its message. Source: kubernetes-sigs/scheduler-plugins:
  // pkg/preemptiontoleration SelectVictimsOnNode ("No victims found on node %v for preemptor pod %v").
  const auto low = [](const std::string& name) {
    return test::owned(a_pod(name).on("n1").priority(5).priority_class("low").yaml(), "ReplicaSet", "web");
  };
  const auto cluster = a_cluster(
      {a_node("n1", "2"),
       test::a_class("low", 5, "{preemption-toleration.scheduling.x-k8s.io/minimum-preemptable-priority: \"9\"}"),
       low("d/a"), low("d/b"), a_pod("d/p").priority(9).cpu("2").yaml()});
  Settings settings = settings_for(*cluster);
  settings.controllers = true;
  settings.controller_objects = controller_objects_of(cluster->objects);
  const SimulationResult play = played(*cluster, settings);
  std::size_t failed = 0;
  for (const End& end : play.ends) {
    if (end.name == "d/p") continue;
    INFO(end.name);
    ++failed;
    CHECK(end.why == fmt::format("0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, 0/1 nodes "
                                 "are available: 1 No victims found on node n1 for preemptor pod {}.",
                                 end.name.substr(2)));
  }
  CHECK(failed == 2);
}

TEST_CASE("sequence: schedulers of pods that take no part do not count", "[sequence]") {
  // By the annotation, default-scheduler runs PreemptionToleration, which has one mode. Scheduler other wrote a message
  // of DefaultPreemption, which has two. Its pod takes part only if it runs and a controller may recreate it.
  const auto has_other_mode = [](const std::string& node, bool controllers) {
    const auto cluster = a_cluster(
        {a_node("n1", "4"),
         test::a_class("low", 5, "{preemption-toleration.scheduling.x-k8s.io/minimum-preemptable-priority: \"9\"}"),
         a_pod("d/p").yaml(), a_pod("d/idle").on(node).spec("schedulerName: other").yaml(),
         "apiVersion: v1\nkind: Event\nmetadata: {namespace: d, name: e}\ninvolvedObject: {kind: Pod, namespace: d, "
         "name: gone}\nreason: FailedScheduling\nreportingComponent: other\nmessage: \"0/1 nodes are available: 1 "
         "Insufficient cpu. no new claims to deallocate, preemption: 0/1 nodes are available: 1 No preemption victims "
         "found for incoming pod.\"\n"});
    Settings settings;
    settings.question.now = parse_instant("2026-03-02T12:00:00Z").value();
    settings.controllers = controllers;
    settings.pods.push_back(cluster->snapshot->find_pod("d", "p"));
    return played(*cluster, settings).has_other_mode;
  };
  CHECK_FALSE(has_other_mode("", true));
  CHECK_FALSE(has_other_mode("n1", false));
  CHECK(has_other_mode("n1", true));
}

// The kubelet stops the containers at 12:30:00, and they use their grace period of 30 s.
TEST_CASE("sequence: a kubelet ends a pod by its activeDeadlineSeconds", "[sequence]") {
  const auto cluster = a_cluster(
      {a_node("n1", "2"),
       a_pod("d/soon").on("n1").priority(9).started("2026-03-02T11:30:00Z").spec("activeDeadlineSeconds: 3600").yaml(),
       a_pod("d/later").on("n1").priority(9).started("2026-03-02T11:30:00Z").spec("activeDeadlineSeconds: 7200").yaml(),
       a_pod("d/p").yaml()});
  const Settings settings = settings_for(*cluster);  // from 12:00 to 13:00
  const SimulationResult play = played(*cluster, settings);
  CHECK(times(play, EventKind::finished) == 1);
  CHECK(first(play, EventKind::finished) == (30 * 60 + 30) * kSecond);
  CHECK(times(play, EventKind::bound) == 1);
}

TEST_CASE("sequence: activeDeadlineSeconds of a pod of a Job are named, not simulated", "[sequence]") {
  const auto cluster = a_cluster(
      {a_node("n1", "4"),
       test::owned(a_pod("d/soon").on("n1").started("2026-03-02T11:30:00Z").spec("activeDeadlineSeconds: 3600").yaml(),
                   "Job", "j"),
       // 11:30 + 2 h is after the horizon of an hour, but nothing else happens until then.
       test::owned(a_pod("d/later").on("n1").started("2026-03-02T11:30:00Z").spec("activeDeadlineSeconds: 7200").yaml(),
                   "Job", "j"),
       a_pod("d/p").yaml()});
  const Settings settings = settings_for(*cluster);
  const SimulationResult play = played(*cluster, settings);
  CHECK(times(play, EventKind::finished) == 0);
  const auto gaps = gaps_of_play(*cluster->snapshot, settings, play, true);
  const auto named = std::find_if(gaps.begin(), gaps.end(),
                                  [](const Gap& gap) { return gap.rule == GapRule::deadline_not_simulated; });
  REQUIRE(named != gaps.end());
  CHECK(named->operands == std::vector<std::string>{"2", "d/soon", "12:30:00"});
}

TEST_CASE("sequence: what any decision does not know is reported, not only what the first ones do not know",
          "[sequence]") {
  // Both pods fit on n2, and the first one gets it. The second one then preempts on n1 or n3, which budgets compare.
  const auto cluster =
      a_cluster({a_node("n1", "2"), a_node("n2", "2"), a_node("n3", "2"), a_pod("d/v1").on("n1").cpu("2").yaml(),
                 a_pod("d/v3").on("n3").cpu("2").yaml(), a_pod("d/p1").priority(9).cpu("2").yaml(),
                 a_pod("d/p2").priority(9).cpu("2").yaml()});
  Settings settings = settings_for(*cluster);
  const auto lacks_budgets = [&] {
    const auto gaps = gaps_of_play(*cluster->snapshot, settings, played(*cluster, settings), true);
    return std::any_of(gaps.begin(), gaps.end(), [](const Gap& gap) { return gap.lacks("PodDisruptionBudget"); });
  };
  CHECK(lacks_budgets());
  settings.pods.pop_back();
  CHECK_FALSE(lacks_budgets());
}

TEST_CASE("sequence: times beyond a hundred years count as forever", "[sequence]") {
  const Instant start = parse_instant("2026-03-02T12:00:00Z").value();
  constexpr Time kHundredYears = 100LL * 365 * 86400 * kSecond;
  CHECK(since(start, start.plus_nanos(-1)) == -1);
  CHECK(since(start, parse_instant("9999-12-31T00:00:00Z").value()) == kHundredYears);
  CHECK(since(start, Instant::never()) == kHundredYears);
  CHECK(since(start, {INT64_MIN, 0}) == -kHundredYears);
}

TEST_CASE("sequence: asynchronous preemption nominates first, synchronous preemption last", "[sequence]") {
  const auto cluster = two_victims();
  Settings settings = settings_for(*cluster);
  const SimulationResult async = played(*cluster, settings);
  CHECK(first(async, EventKind::nominated) < first(async, EventKind::deleting));
  settings.question.feature_gates = "SchedulerAsyncPreemption=false";
  const SimulationResult sync = played(*cluster, settings);
  CHECK(first(sync, EventKind::nominated) > first(sync, EventKind::deleting));
  CHECK(sync.ends.front().kind == End::Kind::bound);
  CHECK(async.ends.front().kind == End::Kind::bound);
}

TEST_CASE("sequence: a pod with unknown start is evicted like any other, without a run length", "[sequence]") {
  const auto cluster =
      a_cluster({a_node("n1", "1"), a_pod("d/v").on("n1").priority(1).yaml(), a_pod("d/p").priority(9).yaml()});
  const Settings settings = settings_for(*cluster);
  const SimulationCosts tolls(played(*cluster, settings), settings, *cluster->snapshot);
  CHECK(tolls.evictions() == 1);
  REQUIRE(tolls.all().size() == 1);
  CHECK(tolls.all()[0].evictions == 1);
  CHECK_FALSE(tolls.all()[0].longest_run);
  CHECK_FALSE(tolls.all()[0].lost);
  Json data;
  tolls.add_to(data);
  CHECK(data["workloads"] == Json::array({{{"workload", "Pod d/v"}, {"evictions", 1}}}));

  const auto known = two_victims();
  const Settings of_known = settings_for(*known);
  const SimulationCosts both(played(*known, of_known), of_known, *known->snapshot);
  CHECK(both.evictions() == 2);
  CHECK(both.all()[0].longest_run > 3600 * kSecond);
}

TEST_CASE("sequence: one of several equal pods is chosen, and this is reported", "[sequence]") {
  // One of the two is evicted, and MoreImportantPod ranks neither before the other.
  const auto cluster =
      a_cluster({a_node("n1", "2"), a_pod("d/a").on("n1").started("2026-03-02T10:00:00Z").yaml(),
                 a_pod("d/b").on("n1").started("2026-03-02T10:00:00Z").yaml(), a_pod("d/p").priority(9).yaml()});
  const Settings settings = settings_for(*cluster);
  const SimulationResult play = played(*cluster, settings);
  const auto step =
      std::find_if(play.steps.begin(), play.steps.end(), [](const Step& s) { return s.what == EventKind::preempts; });
  REQUIRE(step != play.steps.end());
  CHECK(step->open.taken == step->victims);
  CHECK(step->open.out_of.size() == 2);
  CHECK(step->open.equal);
  const auto gaps = gaps_of_play(*cluster->snapshot, settings, play, true);
  const auto is_open = [](const Gap& gap) { return gap.rule == GapRule::one_choice_of_victims; };
  CHECK(std::any_of(gaps.begin(), gaps.end(), is_open));

  // Both are evicted, so nothing is open; the pod that started later is evicted first.
  const auto certain = two_victims();
  const SimulationResult of_certain = played(*certain, settings_for(*certain));
  CHECK(std::all_of(of_certain.steps.begin(), of_certain.steps.end(),
                    [](const Step& s) { return s.open.taken.empty(); }));
}

TEST_CASE("sequence: of schedulers that run side by side, the leader decides", "[sequence]") {
  // 1.33 ignores spec.resources by default, 1.34 counts them: 5 of 4 CPUs.
  const auto scheduler = [](const std::string& name, const std::string& version) {
    return "apiVersion: v1\nkind: Pod\nmetadata: {namespace: kube-system, name: " + name +
           "}\nspec: {nodeName: n1, containers: [{name: kube-scheduler, image: 'kube-scheduler:" + version +
           "'}]}\nstatus: {phase: Running}\n";
  };
  const auto gaps_of = [&](const std::string& requests) {
    const auto cluster = a_cluster({a_node("n1", "4"), scheduler("one", "v1.34.2"), scheduler("two", "v1.33.0"),
                                    a_pod("d/p").spec("resources: {requests: " + requests + "}").yaml()});
    const auto sequence = kube_sequence(cluster->objects, settings_for(*cluster));
    REQUIRE(sequence.has_value());
    CHECK(std::count_if(sequence->gaps.begin(), sequence->gaps.end(),
                        [](const Gap& gap) { return gap.rule == GapRule::schedulers_differ; }) == 1);
    return sequence->gaps;
  };
  const std::vector<Gap> differ = gaps_of("{cpu: 5}");
  REQUIRE(deciding_gap(differ) != nullptr);
  CHECK(because_words(*deciding_gap(differ)) ==
        "the scheduler's pods run v1.33.0 to v1.34.2, it is not known which of them is the leader, and with 1.33, d/p "
        "ends as bound on n1");
  CHECK(deciding_gap(gaps_of("{cpu: 2}")) == nullptr);
}

TEST_CASE("sequence: of equal pods that request different amounts, one may be evicted in every order", "[sequence]") {
  // The node has 3 CPUs. Beside d/p (2), d/b (1) fits, and d/a (2) does not, whichever of them is reprieved first.
  const auto cluster = a_cluster(
      {a_node("n1", "3"), a_pod("d/a").on("n1").cpu("2").started("2026-03-02T10:00:00Z").yaml(),
       a_pod("d/b").on("n1").started("2026-03-02T10:00:00Z").yaml(), a_pod("d/p").priority(9).cpu("2").yaml()});
  const SimulationResult play = played(*cluster, settings_for(*cluster));
  CHECK(times(play, EventKind::preempts) == 1);
  CHECK_FALSE(chose_among_equals(play));
}

TEST_CASE("sequence: a pod that was bound and then evicted for another one says so", "[sequence]") {
  const auto cluster = test::bound_then_evicted();
  const Settings settings = settings_for(*cluster);
  const SimulationResult play = played(*cluster, settings);
  const auto low = std::find_if(play.ends.begin(), play.ends.end(),
                                [&](const End& end) { return end.pod == cluster->snapshot->find_pod("d", "low"); });
  REQUIRE(low != play.ends.end());
  CHECK(low->kind == End::Kind::evicted);
  CHECK(low->why == "was bound, and then preempted by a pod of higher priority");
}

TEST_CASE("sequence: a pod with scheduling gates waits for no preemption", "[sequence]") {
  const auto cluster = a_cluster({a_node("n1", "1"), a_pod("d/v").on("n1").priority(1).yaml(),
                                  a_pod("d/gated").priority(9).spec("schedulingGates: [{name: quota}]").yaml(),
                                  a_pod("d/p").priority(5).yaml()});
  Settings settings = settings_for(*cluster);
  settings.pods = {cluster->snapshot->find_pod("d", "gated"), cluster->snapshot->find_pod("d", "p")};
  const SimulationResult play = played(*cluster, settings);
  for (const Step& step : play.steps) {
    CHECK((step.what != EventKind::held || step.pod != settings.pods[0]));
  }
  for (const End& end : play.ends) {
    CHECK(end.kind == (end.pod == settings.pods[0] ? End::Kind::gated : End::Kind::bound));
  }
}

TEST_CASE("sequence: the last victim is deleted alone, after the others", "[sequence]") {
  const auto cluster = two_victims();
  const SimulationResult play = played(*cluster, settings_for(*cluster));
  std::vector<std::string> deleted;
  for (const Step& step : play.steps) {
    if (step.what == EventKind::deleting) deleted.push_back(cluster->snapshot->key(step.pod));
  }
  CHECK(deleted == std::vector<std::string>{"d/v1", "d/v2"});
  // The default grace period of 30 s is counted from whole seconds; the preemptor fits once the last victim is gone.
  CHECK(first(play, EventKind::bound) > 30 * kSecond);
}

TEST_CASE("sequence: a failed delete call abandons the others, and the preemptor is activated with its nomination",
          "[sequence]") {
  const auto cluster = two_victims();
  Settings settings = settings_for(*cluster);
  settings.failures.push_back({Failure::Verb::remove, cluster->snapshot->find_pod("d", "v1"), 0, 0});
  const SimulationResult play = played(*cluster, settings);
  CHECK(times(play, EventKind::call_failed) == 1);
  CHECK(times(play, EventKind::requeued) == 1);
  CHECK(times(play, EventKind::preempts) == 2);  // tried again at once, with success
  CHECK(times(play, EventKind::cleared) == 0);   // KEP-4832 would clear the nomination; the code does not
  CHECK(play.ends.front().kind == End::Kind::bound);
}

TEST_CASE("sequence: a victim of two preemptions is deleted once and counted once", "[sequence]") {
  // p1 evicts v2, which started later; p2 counts p1 as placed and must evict both, of which v2 is terminating already.
  const auto cluster =
      a_cluster({a_node("n1", "2"), a_pod("d/v1").on("n1").priority(1).started("2026-03-02T10:00:00Z").yaml(),
                 a_pod("d/v2").on("n1").priority(1).started("2026-03-02T11:00:00Z").yaml(),
                 a_pod("d/p1").priority(9).yaml(), a_pod("d/p2").priority(9).yaml()});
  const SimulationResult play = played(*cluster, settings_for(*cluster));
  CHECK(times(play, EventKind::deleting) == 2);
  std::set<PodId> counted;
  std::size_t sum = 0;
  for (const End& end : play.ends) {
    CHECK(end.kind == End::Kind::bound);
    counted.insert(end.victims.begin(), end.victims.end());
    sum += end.victims.size();
  }
  CHECK(sum == counted.size());
}

TEST_CASE("sequence: a budget that is lowered between two cycles changes the second decision", "[sequence]") {
  // v1 and v2 share a budget that allows one disruption. The first preemptor gets n1. If the second decides before the
  // budget is lowered, n2 costs nothing, and v3 has a higher priority; if later, n2 violates the budget.
  const auto cluster =
      a_cluster({a_node("n1", "1"), a_node("n2", "1"), a_node("n3", "1"), a_budget("ns/guard", "web", 1),
                 a_pod("ns/v1").on("n1").labels("{app: web}").started("2026-03-02T10:00:02Z").yaml(),
                 a_pod("ns/v2").on("n2").labels("{app: web}").started("2026-03-02T10:00:01Z").yaml(),
                 a_pod("ns/v3").on("n3").priority(1).started("2026-03-02T10:00:00Z").yaml(),
                 a_pod("ns/p1").priority(9).yaml(), a_pod("ns/p2").priority(8).yaml()});
  Settings settings;
  settings.question.now = parse_instant("2026-03-02T12:00:00Z").value();
  for (const char* name : {"p1", "p2"}) settings.pods.push_back(cluster->snapshot->find_pod("ns", name));
  const auto sequence = kube_sequence(cluster->objects, settings);
  REQUIRE(sequence);
  std::set<std::string> nodes;
  for (const Ending& ending : sequence->endings) {
    for (const End& end : ending.ends) {
      if (end.name == "ns/p2") nodes.insert(std::string(cluster->snapshot->name(end.node)));
    }
  }
  CHECK(nodes == std::set<std::string>{"n2", "n3"});
}

TEST_CASE("sequence: an unavailable API server fails the whole preemption, which is retried later", "[sequence]") {
  const auto cluster = two_victims();
  Settings settings = settings_for(*cluster);
  settings.failures.push_back({Failure::Verb::any, {}, 0, 20 * kSecond});
  const SimulationResult play = played(*cluster, settings);
  CHECK(first(play, EventKind::deleting) >= 20 * kSecond);
  CHECK(play.ends.front().kind == End::Kind::bound);
}

// The binding is sent at 2 ms, and each call takes 5 ms. Retries leave 10, 50 and 250 ms after an answer: the third one
// is answered at 332 ms. Source: client-go util/retry/util.go DefaultBackoff.
TEST_CASE("sequence: from 1.37 on, a binding that an unavailable API server does not answer is retried", "[sequence]") {
  const auto cluster = a_cluster({a_node("n1", "2"), a_pod("d/p").yaml()});
  Settings settings = settings_for(*cluster);
  settings.failures.push_back({Failure::Verb::any, {}, 0, kSecond / 10});
  const auto end = [&](const std::string& release) {
    settings.question.k8s_version = release;
    return played(*cluster, settings).ends.front();
  };
  CHECK(end("1.37").at == 332 * kMillisecond);
  CHECK(end("1.37").attempts == 1);
  CHECK(end("1.36").at > kSecond);
  CHECK(end("1.36").attempts == 2);
}

TEST_CASE("sequence: an update of claims that an unavailable API server does not answer is not retried", "[sequence]") {
  const auto cluster = a_cluster({a_device_class(), a_device_on("n1"), a_claim("wanted"), R"(
apiVersion: v1
kind: Pod
metadata: {namespace: d, name: p}
spec: {resourceClaims: [{name: c, resourceClaimName: wanted}], containers: [{name: c, resources: {claims: [{name: c}]}}]}
)",
                                  a_node("n1", "2")});
  Settings settings = settings_for(*cluster);
  settings.question.k8s_version = "1.37";
  settings.failures.push_back({Failure::Verb::any, {}, 0, kSecond / 10});
  const End end = played(*cluster, settings).ends.front();
  CHECK(end.kind == End::Kind::bound);
  CHECK(end.at > kSecond);
  CHECK(end.attempts == 2);
}

TEST_CASE("sequence: the input is restored, and the result is the same for any number of threads", "[sequence]") {
  std::vector<std::string> documents;
  for (int n = 0; n < 150; ++n) {
    const std::string node = fmt::format("n{:03}", n);
    documents.push_back(a_node(node, "4"));
    for (int v = 0; v < 4; ++v) {
      documents.push_back(a_pod(fmt::format("d/v{:03}-{}", n, v))
                              .on(node)
                              .priority(n % 7)
                              .started(fmt::format("2026-03-02T10:{:02}:{:02}Z", n % 60, v))
                              .yaml());
    }
  }
  for (int p = 0; p < 30; ++p)
    documents.push_back(a_pod(fmt::format("d/p{:02}", p)).priority(10 + p % 3).cpu("2").yaml());
  const auto cluster = a_cluster(documents);
  Settings settings = settings_for(*cluster);
  std::set<std::string> reports;
  for (const unsigned threads : {1U, 2U, 7U}) {
    settings.question.threads = threads;
    const auto sequence = kube_sequence(cluster->objects, settings);
    REQUIRE(sequence);
    const Snapshot after(cluster->objects);
    const ReportContext context{.cluster = after, .now = settings.question.now, .now_source = "flag", .input_gaps = {}};
    reports.insert(sequence_report(*sequence, settings, context).data.dump());
    for (const PodId pod : settings.pods) CHECK(after.pending(pod));
  }
  CHECK(reports.size() == 1);
}

}  // namespace previct::sequence
