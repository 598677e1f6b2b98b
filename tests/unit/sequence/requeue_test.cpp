// Which pods are tried again, for which event, and when.
#include "analysis/subject.h"
#include "api/load.h"
#include "sequence/cycle_simulation.h"
#include "sequence/kube_scenario.h"
#include "sequence/simulated_cluster.h"
#include "support/cluster.h"
#include "support/devices.h"
#include "support/input.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace previct::sequence {
namespace {

using test::a_claim;
using test::a_cluster;
using test::a_device_class;
using test::a_device_on;
using test::a_node;
using test::a_pod;
using test::TestCluster;

auto settings_for(const Snapshot& cluster, const std::string& release = "1.35") -> Settings {
  Settings settings;
  settings.question.now = parse_instant("2026-03-02T12:00:00Z").value();
  settings.question.k8s_version = release;
  for (const Subject& subject : pending_subjects(cluster, "")) settings.pods.push_back(subject.pod);
  return settings;
}

auto played(Objects& objects, const Settings& settings) -> SimulationResult {
  auto play = simulate_kube(objects, settings, {});
  if (!play) FAIL(play.error().message);
  return *std::move(play);
}

auto end_of(const SimulationResult& play, const std::string& pod) -> End {
  for (const End& end : play.ends) {
    if (end.name == pod) return end;
  }
  FAIL(pod);
  return {};
}

auto grace(int seconds) -> std::string {
  return "terminationGracePeriodSeconds: " + std::to_string(seconds);
}

}  // namespace

TEST_CASE("requeue: a pod is tried again only after an event that may help it", "[sequence][requeue]") {
  // d/x keeps d/p away by its anti-affinity. Both d/other and d/x are evicted for d/q, d/other six seconds earlier.
  const std::string away =
      "affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: "
      "kubernetes.io/hostname, labelSelector: {matchLabels: {app: p}}}]}}";
  const auto cluster = a_cluster(
      {a_node("n1", "3"),
       a_pod("d/x").on("n1").priority(1).started("2026-03-02T10:00:00Z").spec(grace(8) + "\n  " + away).yaml(),
       a_pod("d/other").on("n1").priority(1).started("2026-03-02T10:00:00Z").spec(grace(2)).yaml(),
       a_pod("d/p").priority(8).cpu("0").labels("{app: p}").never_preempts().yaml(),
       a_pod("d/q").priority(9).cpu("3").yaml()});
  const SimulationResult play = played(cluster->objects, settings_for(*cluster->snapshot, "1.36"));
  const End p = end_of(play, "d/p");
  CHECK(p.kind == End::Kind::bound);
  CHECK(p.at / kSecond == 8);
  CHECK(p.attempts == 2);
  CHECK(end_of(play, "d/q").attempts == 3);

  // Up to 1.35, the deletion of a pod is compared only with the terms of d/p itself, so that only the periodic flush,
  // five minutes later, tries it again.
  const End before = end_of(played(cluster->objects, settings_for(*cluster->snapshot, "1.35")), "d/p");
  CHECK(before.at / kSecond == 300);
  CHECK(before.attempts == 2);
}

// d/p waits for a disk that d/x uses until 20 s. The end of d/w at 10 s, which uses another
// one, is no event for it; nor is that of a pod of another namespace with a claim of the same name. Source:
// plugins/volumerestrictions/volume_restrictions.go isSchedulableAfterPodDeleted; v1.35.
TEST_CASE("requeue: a disk is free once the pod that uses it is gone", "[sequence][requeue]") {
  const auto disk = [](const std::string& name) {
    return "volumes: [{name: v, gcePersistentDisk: {pdName: " + name + "}}]";
  };
  for (const std::string ns : {"d", "e"}) {
    const auto cluster = a_cluster(
        {a_node("n1", "9"), a_pod("d/x").on("n1").deleting("2026-03-02T12:00:20Z").spec(disk("one")).yaml(),
         a_pod("d/w").on("n1").deleting("2026-03-02T12:00:10Z").spec(disk("two")).yaml(),
         a_pod(ns + "/z").on("n1").deleting("2026-03-02T12:00:15Z").spec(disk(ns == "d" ? "three" : "one")).yaml(),
         a_pod("d/p").priority(9).never_preempts().spec(disk("one")).yaml()});
    const End p = end_of(played(cluster->objects, settings_for(*cluster->snapshot, "1.35")), "d/p");
    INFO(ns << " " << p.why);
    CHECK(p.kind == End::Kind::bound);
    CHECK(p.at / kSecond == 20);
    CHECK(p.attempts == 2);
  }
}

TEST_CASE("requeue: a device is allocated to another pod once its holder is gone", "[sequence][requeue]") {
  const std::string held = a_claim(
      "held",
      "{reservedFor: [{resource: pods, name: holder, uid: uid-holder}], allocation: {devices: {results: [{request: r, "
      "driver: gpu.x, pool: n1, device: d0}]}}}");
  const std::string pods = R"(
{apiVersion: v1, kind: Node, metadata: {name: n1}, status: {allocatable: {cpu: "2", memory: 16Gi, pods: "110"}, nodeInfo: {kubeletVersion: v1.35.0}}}
---
apiVersion: v1
kind: Pod
metadata: {name: holder, namespace: d, uid: uid-holder}
spec: {nodeName: n1, priority: 1, terminationGracePeriodSeconds: 5, resourceClaims: [{name: c, resourceClaimName: held}], containers: [{name: c, resources: {requests: {cpu: "1"}, claims: [{name: c}]}}]}
status: {phase: Running, startTime: "2026-03-02T10:00:00Z"}
---
apiVersion: v1
kind: Pod
metadata: {name: p, namespace: d}
spec: {priority: 8, resourceClaims: [{name: c, resourceClaimName: wanted}], containers: [{name: c, resources: {requests: {cpu: "0"}, claims: [{name: c}]}}]}
status: {phase: Pending}
)";
  const auto cluster = a_cluster(
      {a_device_class(), a_device_on("n1"), held, a_claim("wanted"), pods, a_pod("d/q").priority(9).cpu("2").yaml()});
  const SimulationResult play = played(cluster->objects, settings_for(*cluster->snapshot));
  const End p = end_of(play, "d/p");
  INFO(p.why);
  CHECK(p.kind == End::Kind::bound);
  CHECK(p.at / kSecond == 5);
  CHECK(p.attempts == 2);
  // The claims are those of the input again.
  CHECK(cluster->objects.resource_claims.size() == 2);

  // The holder has ended before: the controller leaves the claim after 5 ms, and the back-off of d/p ends after 1 s.
  std::string ended = pods;
  ended.replace(ended.find("phase: Running"), 14, "phase: Succeeded");
  const auto after = a_cluster({a_device_class(), a_device_on("n1"), held, a_claim("wanted"), ended});
  const End at_once = end_of(played(after->objects, settings_for(*after->snapshot)), "d/p");
  CHECK(at_once.kind == End::Kind::bound);
  CHECK(at_once.at / kSecond <= 1);
}

// Source: plugins/dynamicresources/dynamicresources.go PostFilter, v1.35: a claim that is allocated for a node on which
// the pod cannot run, and that no pod uses, loses its allocation. That change of the claim requeues the pod.
TEST_CASE("requeue: a claim that is allocated on another node is allocated again", "[sequence][requeue]") {
  const std::string allocated =
      "{allocation: {devices: {results: [{request: r, driver: gpu.x, pool: n1, device: d0}]}, nodeSelector: "
      "{nodeSelectorTerms: [{matchFields: [{key: metadata.name, operator: In, values: [n1]}]}]}}}";
  const std::string claim = "resourceClaims: [{name: c, resourceClaimName: wanted}]";
  const auto cluster = a_cluster({a_device_class(), a_device_on("n1"), a_device_on("n2"), a_claim("wanted", allocated),
                                  a_node("n1", "1"), a_node("n2", "2"), a_pod("d/p").cpu("2").spec(claim).yaml()});
  const SimulationResult play = played(cluster->objects, settings_for(*cluster->snapshot, "1.35"));
  const End p = end_of(play, "d/p");
  INFO(p.why);
  CHECK(p.kind == End::Kind::bound);
  CHECK(cluster->snapshot->name(p.node) == "n2");
  CHECK(p.attempts == 2);
}

// kubernetes issue 141694. The transcript of this input has the scenarios in which d/pod2 waits forever.
TEST_CASE("requeue: a pod that nothing wakes is stuck, whatever happens after the horizon", "[sequence][requeue]") {
  const std::string folder = PREVICT_SOURCE_DIR "/fixtures/cluster/d33-race4-higher-second-preempts-async-on/";
  const auto end_in = [&](const Scenario& course, bool taint) {
    Objects objects;
    REQUIRE(load({folder + "dump.yaml", folder + "later.json"}, {}, objects));
    // The taint deletes x/far ten hours later, on a node that no other pod tolerates.
    if (taint) {
      REQUIRE(test::read_text(
          "apiVersion: v1\nkind: Node\nmetadata: {name: far}\nspec: {taints: [{key: far, effect: NoExecute, timeAdded: "
          "\"2026-11-20T23:24:55Z\"}]}\nstatus: {allocatable: {cpu: '1', memory: 1Gi, pods: '9'}}\n---\n" +
              a_pod("x/far").on("far").spec("tolerations: [{operator: Exists, tolerationSeconds: 36000}]").yaml(),
          objects));
    }
    const Snapshot snapshot(objects);
    Settings settings = settings_for(snapshot);
    settings.question.now = parse_instant("2026-11-20T23:24:55Z").value();
    settings.pace.qps = 2;
    settings.pace.burst = 2;
    settings.pace.initial_backoff = 2;
    settings.arrivals = {{snapshot.find_pod("default", "pod2"), 2 * kSecond}};
    auto play = simulate_kube(objects, settings, course);
    REQUIRE(play);
    CHECK(play->cut == taint);
    return end_of(*play, "default/pod2").kind;
  };
  bool found = false;
  for (const bool reversed : {false, true}) {
    const Scenario course{.calls_first = true, .reversed = reversed};
    if (end_in(course, false) != End::Kind::stuck) continue;
    found = true;
    CHECK(end_in(course, true) == End::Kind::stuck);
  }
  CHECK(found);
}

// Source: pkg/controller/resourceclaim/controller.go handleClaim, v1.36.
TEST_CASE("requeue: a pod waits until the claim of its template is created", "[sequence][requeue]") {
  const auto cluster = a_cluster(
      {"apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: gpu}\nspec: {selectors: [{cel: "
       "{expression: 'true'}}]}\n",
       "apiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {name: s}\nspec: {driver: gpu.x, nodeName: n1, "
       "pool: {name: n1, generation: 1, resourceSliceCount: 1}, devices: [{name: d0}]}\n",
       "apiVersion: resource.k8s.io/v1\nkind: ResourceClaimTemplate\nmetadata: {namespace: d, name: t}\nspec: {spec: "
       "{devices: {requests: [{name: r, exactly: {deviceClassName: gpu}}]}}}\n",
       "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {namespace: d, name: other}\nspec: {devices: "
       "{requests: [{name: r, exactly: {deviceClassName: gpu}}]}}\n",
       a_node("n1", "2"), a_pod("d/p").spec("resourceClaims: [{name: g, resourceClaimTemplateName: t}]").yaml()});
  CHECK(end_of(played(cluster->objects, settings_for(*cluster->snapshot)), "d/p").kind == End::Kind::bound);
  CHECK(cluster->objects.resource_claims.size() == 1);
}

// Source: pkg/controller/resourceclaim/controller.go syncClaim, v1.36. `own` was created for v, which shares `shared`
// with w; x, which also has a device of `other`, is not in the input.
TEST_CASE("claims: those of a pod that leaves lose it as a user, and its own ones are deleted", "[sequence][requeue]") {
  const auto claim = [](const std::string& name, const std::string& users, const std::string& owner = "") {
    std::string reserved;
    for (const char user : users)
      reserved +=
          fmt::format("{}{{resource: pods, name: {}, uid: uid-d-{}}}", reserved.empty() ? "" : ", ", user, user);
    return fmt::format(
        "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {{namespace: d, name: {0}{2}}}\nstatus: "
        "{{reservedFor: [{1}], allocation: {{devices: {{results: [{{request: r, driver: gpu.x, pool: n1, device: "
        "{0}}}]}}}}}}\n",
        name, reserved, owner);
  };
  const auto cluster = a_cluster(
      {a_node("n1", "4"), a_pod("d/v").on("n1").yaml(), a_pod("d/w").on("n1").yaml(),
       claim("own", "v", ", ownerReferences: [{apiVersion: v1, kind: Pod, name: v, uid: uid-d-v, controller: true}]"),
       claim("shared", "vw"), claim("other", "wx")});
  SimulatedCluster simulated(cluster->objects);
  const auto users = [&] {
    std::string text;
    const auto claims = simulated.claims_in_use([&](PodId pod) { return simulated.names({&pod, 1}).front(); });
    std::multiset<std::string> of_claims;  // each is `% DEVICE USER…`
    for (const std::string& each : claims) of_claims.insert(each.substr(std::min(each.find(' ', 2), each.size())));
    for (const std::string& each : of_claims) text += each;
    return text;
  };
  const std::string x = std::to_string(cluster->objects.symbols.intern("x").index);
  CHECK(users() == " d/v\n d/v d/w\n d/w " + x + "\n");
  CHECK(simulated.leave_claims(cluster->snapshot->find_pod("d", "v")).size() == 3);
  CHECK(users() == " d/w\n d/w " + x + "\n");
  CHECK(cluster->objects.resource_claims.size() == 2);
}

// The template d/t is not in the input. The status of d/v names the claim that was created from it.
TEST_CASE("claims: a template that is not in the input is known from a claim that it made", "[sequence][requeue]") {
  const auto made_for_q = [](const std::string& ref, const std::string& claim, const std::string& q = "d/q",
                             const std::string& claims_of_q = "{name: h, resourceClaimTemplateName: t}") {
    const auto cluster =
        a_cluster({a_node("n1", "4"), a_claim("c"), a_claim("other"),
                   a_pod("d/v").on("n1").spec("resourceClaims: [{name: g, resourceClaimTemplateName: t}]").yaml() +
                       fmt::format("  resourceClaimStatuses: [{{name: {}, resourceClaimName: {}}}]\n", ref, claim),
                   a_pod(q).spec(fmt::format("resourceClaims: [{}]", claims_of_q)).yaml() +
                       "  resourceClaimStatuses: [{name: made, resourceClaimName: other}]\n"});
    SimulatedCluster simulated(cluster->objects);
    const PodId pod = cluster->snapshot->find_pod(q.substr(0, 1), "q");
    std::vector<std::string> names;
    for (const SimulatedCluster::ClaimChange& change : simulated.make_claims(pod)) {
      names.emplace_back(cluster->objects.symbols.text(change.after->meta.name));
      CHECK(change.after->spec.devices.requests.size() == 1);
    }
    CHECK(simulated.make_claims(pod).empty());
    return names;
  };
  using Names = std::vector<std::string>;
  CHECK(made_for_q("g", "c") == Names{"q-h"});
  CHECK(made_for_q("another", "c").empty());  // made for another entry of the pod
  CHECK(made_for_q("g", "gone").empty());
  CHECK(made_for_q("g", "c", "e/q").empty());  // a template of another namespace
  const std::string two = "{name: made, resourceClaimTemplateName: t}, {name: h, resourceClaimTemplateName: t}";
  CHECK(made_for_q("g", "c", "d/q", two) == Names{"q-h"});
}

// Source: plugins/dynamicresources/dynamicresources.go PostFilter, v1.35.
TEST_CASE("claims: only the claim that loses its allocation changes", "[sequence][requeue]") {
  const std::string allocated =
      "{allocation: {devices: {results: [{request: r, driver: gpu.x, pool: n1, device: d0}]}}}";
  std::string elsewhere = a_claim("c", allocated);
  elsewhere.replace(elsewhere.find("namespace: d"), 12, "namespace: e");
  const auto cluster = a_cluster({a_node("n1", "4"), a_claim("c", allocated), a_claim("other", allocated), elsewhere});
  Symbols& symbols = cluster->objects.symbols;
  SimulatedCluster simulated(cluster->objects);
  CHECK(simulated.deallocate(symbols.intern("d"), symbols.intern("c")).size() == 1);
  std::vector<std::string> left;
  for (const ResourceClaim& claim : cluster->objects.resource_claims) {
    if (claim.status.allocation)
      left.push_back(fmt::format("{}/{}", symbols.text(claim.meta.ns), symbols.text(claim.meta.name)));
  }
  CHECK(left == std::vector<std::string>{"d/other", "e/c"});
}

TEST_CASE("requeue: the arrival of the last pod of a gang requeues the others", "[sequence][requeue][groups]") {
  // PreEnqueue of GangScheduling holds d/one until the group has two pods.
  // Source: eventhandlers.go addPodToSchedulingQueue, plugins/gangscheduling EventsToRegister, v1.35.4.
  // It has the higher priority, so that it is tried before d/two, whose arrival requeues it.
  const auto member = [](const std::string& name, int priority, const std::string& group) {
    return a_pod("d/" + name)
        .priority(priority)
        .cpu("1")
        .spec("workloadRef: {name: train, podGroup: " + group + "}")
        .yaml();
  };
  const auto plays = [&](const std::string& group_of_second) {
    const auto cluster = a_cluster(
        {a_node("n1", "3"),
         "apiVersion: scheduling.k8s.io/v1alpha1\nkind: Workload\nmetadata: {namespace: d, name: train}\nspec: "
         "{podGroups: [{name: workers, policy: {gang: {minCount: 2}}}, {name: others, policy: {basic: {}}}]}\n",
         member("one", 9, "workers"), member("two", 1, group_of_second)});
    Settings settings = settings_for(*cluster->snapshot);
    settings.question.feature_gates = "GenericWorkload=true,GangScheduling=true";
    settings.arrivals.push_back({cluster->snapshot->find_pod("d", "two"), 30 * kSecond});
    return played(cluster->objects, settings);
  };
  const SimulationResult complete = plays("workers");
  const End one = end_of(complete, "d/one");
  const End two = end_of(complete, "d/two");
  CHECK(one.kind == End::Kind::bound);
  CHECK(one.at / kSecond == 30);
  CHECK(two.kind == End::Kind::bound);
  CHECK(one.at < two.at);
  // A pod of another group does not help.
  const SimulationResult incomplete = plays("others");
  CHECK(end_of(incomplete, "d/one").kind == End::Kind::gated);
  CHECK(end_of(incomplete, "d/two").kind == End::Kind::bound);
}

TEST_CASE("requeue: a pod that arrives is no event unless pods are scheduled in gangs", "[sequence][requeue][groups]") {
  // In 1.30, any event during an attempt sends the pod to back-off. d/p evicts d/x during its first attempt: preemption
  // is synchronous, and its two calls take 400 ms each. d/q arrives in that time. d/p is tried again when d/x is gone.
  const auto cluster = a_cluster({a_node("n1", "1"), a_pod("d/x").on("n1").priority(1).spec(grace(20)).yaml(),
                                  a_pod("d/p").priority(9).yaml(), a_pod("d/q").priority(1).never_preempts().yaml()});
  Settings settings = settings_for(*cluster->snapshot, "1.30");
  settings.api_latency = 400'000'000;
  settings.arrivals.push_back({cluster->snapshot->find_pod("d", "q"), 300'000'000});
  const End p = end_of(played(cluster->objects, settings), "d/p");
  CHECK(p.kind == End::Kind::bound);
  CHECK(p.at / kSecond == 20);
  CHECK(p.attempts == 2);
}

TEST_CASE("requeue: without events, the periodic flush tries in vain, which delays the next attempt",
          "[sequence][flush]") {
  // Checked every 30 s, and tried if more than 45 s have passed: at 0, 60, 120 and 180, as in 1.35.4.
  const auto cluster = a_cluster({a_node("n1", "1"), a_pod("d/full").on("n1").priority(9).yaml(),
                                  a_pod("d/p").priority(1).never_preempts().yaml()});
  Settings settings = settings_for(*cluster->snapshot);
  settings.question.flush_seconds = 45;
  settings.horizon = 215 * kSecond;
  CHECK(end_of(played(cluster->objects, settings), "d/p").attempts == 1);
  settings.to_the_horizon = true;
  const SimulationResult play = played(cluster->objects, settings);
  CHECK(end_of(play, "d/p").attempts == 4);
  CHECK(play.metrics.preemption_attempts == 4);
  CHECK(play.metrics.unschedulable == 4);
}

// Synchronous preemption nominates last: at the end, its calls are not answered. d/z is no victim, and has no node.
TEST_CASE("requeue: a pod without a nomination waits for no terminating pod", "[sequence][requeue]") {
  const auto cluster =
      a_cluster({a_node("n1", "1"), a_pod("d/x").on("n1").priority(1).spec(grace(20)).yaml(),
                 a_pod("d/p").priority(9).yaml(), a_pod("d/z").deleting("2026-03-02T12:00:30Z").yaml()});
  Settings settings = settings_for(*cluster->snapshot, "1.30");
  settings.api_latency = 400'000'000;
  settings.horizon = 300'000'000;
  const End p = end_of(played(cluster->objects, settings), "d/p");
  CHECK(p.kind == End::Kind::waits);
  CHECK(p.why.find("terminating") == std::string::npos);
}

TEST_CASE("sequence, YuniKorn: a node reserved for a pod is not given to another pod", "[sequence][rounds][yunikorn]") {
  // Both ask for the resources of the victim.
  Objects objects;
  REQUIRE(load({std::string(PREVICT_SOURCE_DIR "/fixtures/sequence/reservation.yaml")}, {}, objects));
  const Snapshot snapshot(objects);
  const auto yunikorn =
      std::find_if(engines().begin(), engines().end(), [](const Engine* e) { return e->name() == "yunikorn"; });
  REQUIRE(yunikorn != engines().end());
  Settings settings = settings_for(snapshot);
  settings.question.k8s_version.clear();
  const auto sequence = simulate_cycles(objects, **yunikorn, settings);
  REQUIRE(sequence);
  const End fluentd = end_of(sequence->play, "kube-system/fluentd");
  CHECK(fluentd.kind == End::Kind::bound);
  CHECK(fluentd.at == 30 * kSecond);
  CHECK(end_of(sequence->play, "ml/rival").kind == End::Kind::unschedulable);
}

namespace {

auto yunikorn_sequence(Objects& objects, const Settings& settings) -> SimulationResult {
  const auto yunikorn =
      std::find_if(engines().begin(), engines().end(), [](const Engine* e) { return e->name() == "yunikorn"; });
  REQUIRE(yunikorn != engines().end());
  auto sequence = simulate_cycles(objects, **yunikorn, settings);
  REQUIRE(sequence);
  return std::move(sequence)->play;
}

}  // namespace

TEST_CASE("sequence, YuniKorn: violated budgets are named, and a run ends when it is finished",
          "[sequence][yunikorn]") {
  Objects objects;
  REQUIRE(load({std::string(PREVICT_SOURCE_DIR "/fixtures/sequence/reservation.yaml")}, {}, objects));
  REQUIRE(
      test::read_text("apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: batch, namespace: ml}\n"
                      "spec: {maxUnavailable: 0, selector: {}}\n"
                      "status: {disruptionsAllowed: 0, currentHealthy: 2, desiredHealthy: 2, expectedPods: 2}\n",
                      objects));
  const Snapshot snapshot(objects);
  Settings settings = settings_for(snapshot);
  settings.question.k8s_version.clear();
  settings.run_durations.push_back({"kube-system/fluentd", 60 * kSecond});
  const SimulationResult play = yunikorn_sequence(objects, settings);
  const auto preempts = std::find_if(play.steps.begin(), play.steps.end(),
                                     [](const Step& step) { return step.what == EventKind::preempts; });
  REQUIRE(preempts != play.steps.end());
  using Violated = std::vector<std::pair<PodId, std::string>>;
  CHECK(preempts->violates == Violated{{snapshot.find_pod("ml", "r2"), "ml/batch"}});
  // Bound at 30s, when the victim's grace period ends.
  const End fluentd = end_of(play, "kube-system/fluentd");
  CHECK(fluentd.kind == End::Kind::finished);
  CHECK(fluentd.at == 90 * kSecond);
}

TEST_CASE("sequence, YuniKorn: a pod that the design document does not cover is not simulated",
          "[sequence][yunikorn]") {
  Objects objects;
  REQUIRE(load({std::string(PREVICT_SOURCE_DIR "/fixtures/sequence/reservation.yaml")}, {}, objects));
  const Snapshot snapshot(objects);
  Settings settings = settings_for(snapshot);
  settings.question.k8s_version.clear();
  settings.question.yunikorn_mode = "design-1.5.1";
  const SimulationResult play = yunikorn_sequence(objects, settings);
  const End rival = end_of(play, "ml/rival");
  CHECK(rival.kind == End::Kind::not_simulated);
  CHECK(rival.why.starts_with("is not covered by this algorithm"));
  CHECK(std::none_of(play.steps.begin(), play.steps.end(),
                     [&](const Step& step) { return step.pod == snapshot.find_pod("ml", "rival"); }));
}

}  // namespace previct::sequence
