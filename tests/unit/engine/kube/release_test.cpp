// Which release applies, and what differs between releases. Expected values come from upstream's feature tables and
// from the measured differences between 1.31 and 1.37.
#include "analysis/subject.h"
#include "cluster/changed_cluster.h"
#include "engine/kube/attempt.h"
#include "engine/kube/profile.h"
#include "engine/kube/running_release.h"
#include "overlay/overlay.h"
#include "sequence/lost_nodes.h"
#include "support/cluster.h"
#include "tell/gap_words.h"
#include "tell/kube/messages.h"
#include "tell/tell.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>

using namespace previct;
using namespace previct::test;
using kube::Change;
using kube::Release;

namespace {

auto node_with_kubelet(const std::string& name, const std::string& version, const std::string& label = "x")
    -> std::string {
  return fmt::format(
      "apiVersion: v1\nkind: Node\nmetadata: {{name: {0}, labels: {{{2}: \"\"}}}}\n"
      "status: {{allocatable: {{cpu: \"4\", memory: 16Gi, pods: \"110\"}}, nodeInfo: {{kubeletVersion: {1}}}}}\n",
      name, version, label);
}
auto component(const std::string& name, const std::string& image, const std::string& flags = "[]",
               const std::string& ns = "kube-system") -> std::string {
  return fmt::format(
      "apiVersion: v1\nkind: Pod\nmetadata: {{namespace: {3}, name: {0}-cp, labels: {{component: {0}}}}}\n"
      "spec: {{nodeName: cp, containers: [{{name: {0}, image: \"{1}\", command: {2}}}]}}\nstatus: {{phase: Running}}\n",
      name, image, flags, ns);
}
auto refused_with(const std::string& message) -> std::string {
  return fmt::format(
      "apiVersion: v1\nkind: Pod\nmetadata: {{namespace: ns, name: waiting}}\nspec: {{containers: [{{name: c}}]}}\n"
      "status: {{phase: Pending, conditions: [{{type: PodScheduled, status: \"False\", reason: Unschedulable, "
      "message: \"{}\"}}]}}\n",
      message);
}

auto release_running(const std::vector<std::string>& documents, Question question = {}) -> kube::RunningRelease {
  const auto cluster = a_cluster(documents);
  auto found = kube::running_release(*cluster->snapshot, question);
  if (!found) FAIL(found.error().message);
  return *found;
}
auto release_said_of(const std::vector<std::string>& documents) -> std::string {
  const auto found = release_running(documents);
  return fmt::format("{} ({})", found.release.name(), found.known_by);
}
auto refusal_of(const std::string& version, const std::string& gates) -> std::string {
  Question question;
  question.k8s_version = version;
  question.feature_gates = gates;
  const auto cluster = a_cluster({a_node("a", "1")});
  const auto found = kube::running_release(*cluster->snapshot, question);
  return found ? "" : found.error().message;
}

// Returns the answer for the pod ns/new.
auto answer_of_release(const std::string& version, const TestCluster& cluster, const std::string& gates = {})
    -> Answer {
  Question question;
  question.ns = "ns";
  question.name = "new";
  question.now = parse_instant("2026-03-02T12:00:00Z").value();
  question.toleration_plugin = "off";
  question.k8s_version = version;
  question.feature_gates = gates;
  const Result<const Engine*> kube = main_engine(engines(), "kube", *cluster.snapshot);
  REQUIRE(kube);
  const Result<Answer> answer = explain(**kube, *cluster.snapshot, question);
  if (!answer) FAIL(answer.error().message);
  return *answer;
}

}  // namespace

// SchedulerAsyncAPICalls exists from 1.34 on:
// https://kubernetes.io/docs/reference/command-line-tools-reference/feature-gates/
TEST_CASE("releases: the gates of the input's scheduler are used for a release that has them", "[kube][release]") {
  const auto cluster = a_cluster({component("kube-scheduler", "registry.k8s.io/kube-scheduler:v1.35.4",
                                            "[kube-scheduler, '--feature-gates=SchedulerAsyncAPICalls=true']")});
  const auto gates_of = [&](int minor, std::string_view given) {
    Question question;
    question.feature_gates = given;
    const Question asked = kube::asked_of(minor, *cluster->snapshot, question);
    CHECK(asked.k8s_version == fmt::format("1.{}", minor));
    return std::string(asked.feature_gates);
  };
  CHECK(gates_of(35, "") == "SchedulerAsyncAPICalls=true");
  CHECK(gates_of(33, "").empty());
  CHECK(gates_of(35, "SchedulerAsyncPreemption=false") == "SchedulerAsyncPreemption=false");
}

TEST_CASE("feature gates: each is first known, then on, then locked, then gone", "[kube][release]") {
  std::string_view before;
  for (const kube::Gate& gate : kube::gates()) {
    INFO(gate.name);
    CHECK(before < gate.name);
    before = gate.name;
    CHECK(gate.known > 0);
    CHECK((gate.on == 0 || gate.on >= gate.known));
    CHECK((gate.locked == 0 || (gate.on != 0 && gate.locked >= gate.on)));
    CHECK((gate.gone == 0 || gate.gone > gate.known));
  }
}

TEST_CASE("release: each has its own rules and default gates", "[kube][release]") {
  // Read from the running binaries of each minor release.
  const auto on = [](int minor, std::string_view gate) { return Release(minor).is_on(*kube::find_gate(gate)); };
  CHECK_FALSE(on(32, "InPlacePodVerticalScaling"));
  CHECK(on(33, "InPlacePodVerticalScaling"));
  CHECK_FALSE(on(33, "DynamicResourceAllocation"));
  CHECK(on(34, "DynamicResourceAllocation"));
  CHECK_FALSE(on(35, "NodeDeclaredFeatures"));
  CHECK(on(36, "NodeDeclaredFeatures"));
  CHECK(on(35, "CSIMigrationPortworx"));
  CHECK_FALSE(on(36, "CSIMigrationPortworx"));
  CHECK_FALSE(on(36, "GangScheduling"));

  CHECK_FALSE(Release(33).has(Change::too_small_is_unresolvable));
  CHECK(Release(34).has(Change::too_small_is_unresolvable));
  CHECK(Release(31).has(Change::limits_in_allocatable));
  CHECK_FALSE(Release(32).has(Change::limits_in_allocatable));
  CHECK_FALSE(Release(32).has(Change::asynchronous_preemption));
  CHECK(Release(33).has(Change::asynchronous_preemption));

  Release set(33);
  set.set(*kube::find_gate("PodLevelResources"), true);
  CHECK(set.has(Change::pod_level_requests));
  CHECK(set != Release(33));
}

TEST_CASE("minor_of: reads versions with the suffixes of providers", "[kube][release]") {
  CHECK(kube::minor_of("v1.31.7-eks-473151a") == 31);
  CHECK(kube::minor_of("v1.30.5-gke.1443001") == 30);
  CHECK(kube::minor_of("v1.31.2+k3s1") == 31);
  CHECK(kube::minor_of("v1.30.4+b1a2c3d") == 30);
  CHECK(kube::minor_of("v1.36.0-rc.0") == 36);
  CHECK(kube::minor_of("1.33") == 33);
  CHECK_FALSE(kube::minor_of("").has_value());
  CHECK_FALSE(kube::minor_of("v2.1").has_value());
  CHECK_FALSE(kube::minor_of("1.x").has_value());
  CHECK_FALSE(kube::minor_of("1.33rc").has_value());
}

// The control plane is never older than a kubelet, and stays when the node is lost or removed.
TEST_CASE("release: a node that is lost still shows it", "[kube][release]") {
  const std::vector<std::string> nodes = {node_with_kubelet("a", "v1.31.0"), node_with_kubelet("b", "v1.35.0")};
  const auto running = [](TestCluster& cluster) {
    return kube::running_release(Snapshot(cluster.objects), {})->known_by;
  };
  const auto cluster = a_cluster(nodes);
  {
    ChangedCluster changed(cluster->objects);
    sequence::lose(std::vector{NodeId{1}}, *cluster->snapshot, changed);
    CHECK(running(*cluster) == "nodes run v1.31.0 to v1.35.0");
  }
  CHECK(cluster->objects.overlaid.removed_nodes.empty());
  const auto without = a_cluster(nodes);
  Overlay overlay;
  overlay.without = {"Node/b"};
  REQUIRE(apply_overlay(overlay, {}, without->objects));
  CHECK(running(*without) == "nodes run v1.31.0 to v1.35.0");
}

TEST_CASE("release: taken from the best evidence in the input", "[kube][release]") {
  const std::string node = node_with_kubelet("a", "v1.33.4-gke.1043000");
  CHECK(release_said_of({node}) == "1.33 (nodes run v1.33.4-gke.1043000)");
  CHECK(release_said_of({node, node_with_kubelet("b", "v1.32.1")}) ==
        "1.33 (nodes run v1.32.1 to v1.33.4-gke.1043000)");
  const std::string scheduler = component("kube-scheduler", "registry.k8s.io/kube-scheduler:v1.34.2");
  const std::string api_server = component("kube-apiserver", "example.com:5000/kube-apiserver:v1.35.0@sha256:12");
  CHECK(release_said_of({node, scheduler, api_server}) == "1.34 (its pod runs v1.34.2)");
  CHECK(release_said_of({node, api_server}) == "1.35 (the API server runs v1.35.0)");
  // Another scheduler with the same image does not count; neither does one in a namespace of its own.
  CHECK(release_said_of({node, component("my-scheduler", "registry.k8s.io/kube-scheduler:v1.31.0")}) ==
        "1.33 (nodes run v1.33.4-gke.1043000)");
  CHECK(release_said_of({node, component("kube-scheduler", "kube-scheduler:v1.31.0", "[]", "ml")}) ==
        "1.33 (nodes run v1.33.4-gke.1043000)");
  CHECK(release_said_of({node, component("kube-scheduler", "kube-scheduler@sha256:12")}) ==
        "1.33 (nodes run v1.33.4-gke.1043000)");
  CHECK(release_said_of({node_with_kubelet("cp", "v1.34.1+k3s1", "node-role.kubernetes.io/control-plane"),
                         node_with_kubelet("a", "v1.35.0+k3s1")}) == "1.34 (control-plane nodes run v1.34.1+k3s1)");
  CHECK(release_said_of({a_node("a", "1")}) == "1.36 (assumed)");
  // A kube-proxy is never newer than the API server, so that its release is possible where the kubelets are older.
  const std::string proxy = component("kube-proxy", "registry.k8s.io/kube-proxy:v1.34.1");
  CHECK(release_running({node, proxy}).release.name() == "1.34");
  CHECK(release_running({node}).oldest == 32);
  CHECK(release_running({node}).newest == 36);
  CHECK(release_running({node, scheduler}).newest == 0);
}

TEST_CASE("release: only API servers of different releases are in doubt", "[kube][release]") {
  const auto api_server = [](const std::string& name, const std::string& version) {
    return fmt::format(
        "apiVersion: v1\nkind: Pod\nmetadata: {{namespace: kube-system, name: {0}, labels: {{component: "
        "kube-apiserver}}}}\nspec: {{nodeName: {0}, containers: [{{name: kube-apiserver, image: "
        "\"kube-apiserver:{1}\"}}]}}\nstatus: {{phase: Running}}\n",
        name, version);
  };
  CHECK(release_running({api_server("one", "v1.35.0")}).gaps.empty());
  CHECK(release_running({api_server("one", "v1.35.0"), api_server("two", "v1.35.0")}).gaps.empty());
  const auto differ = release_running({api_server("one", "v1.34.2"), api_server("two", "v1.35.0")});
  CHECK(differ.release.name() == "1.35");
  REQUIRE(differ.gaps.size() == 1);
  CHECK(differ.gaps[0].rule == GapRule::api_servers_differ);
}

TEST_CASE("release: messages of the scheduler on pods are better evidence than kubelets", "[kube][release]") {
  const std::string node = node_with_kubelet("a", "v1.33.4");
  const std::string newer = refused_with(
      "0/1 nodes are available: 1 node(s) had untolerated taint(s). no new claims "
      "to deallocate, preemption: 0/1 nodes are available: 1 Preemption is not "
      "helpful for scheduling.");
  CHECK(release_said_of({node, newer}) ==
        "1.34 (nodes run v1.33.4, but its messages on pods come from another release)");
  const std::string older = refused_with("0/1 nodes are available: 1 node(s) had untolerated taint {a: b}.");
  CHECK(release_said_of({node, older}) == "1.33 (nodes run v1.33.4)");
  CHECK(release_said_of({a_node("a", "1"), older}) == "1.33 (by its messages on pods)");
  const std::string oldest =
      refused_with("0/1 nodes are available: 1 node(s) had taint {a: b}, that the pod didn't tolerate.");
  CHECK(release_said_of({a_node("a", "1"), oldest}) == "1.31 (by its messages on pods)");
  // In this case, some messages are older than an upgrade.
  CHECK(release_said_of({node, older, newer}) == "1.33 (nodes run v1.33.4)");
}

TEST_CASE("release: an unknown one gets the rules of the nearest known one, and a remark", "[kube][release]") {
  const auto older = release_running({node_with_kubelet("a", "v1.29.1")});
  CHECK(older.release.name() == "1.31");
  REQUIRE(older.gaps.size() == 1);
  CHECK(what_words(older.gaps[0]) == "kube-scheduler 1.29");
  CHECK(follows_words(older.gaps[0]) == "the rules and messages of 1.31, the nearest known release, are applied");
  CHECK(release_running({node_with_kubelet("a", "v1.99.1")}).release.minor() == kube::newest_minor());
}

TEST_CASE("release: gates and emulated version of the scheduler's own pod apply, unless the question sets them",
          "[kube][release]") {
  const std::string pod =
      component("kube-scheduler", "kube-scheduler:v1.35.1",
                "[kube-scheduler, \"--feature-gates=NodeDeclaredFeatures=true,NominatedNodeNameForExpectation=false\","
                " --config=/etc/secret]");
  const auto seen = release_running({pod});
  CHECK(seen.release.has(Change::declared_features));
  REQUIRE(seen.gaps.size() == 2);
  CHECK(what_words(seen.gaps[0]) == "NominatedNodeNameForExpectation=false");
  CHECK(follows_words(seen.gaps[1]).find("--scheduler-config") != std::string::npos);
  Question question;
  question.feature_gates = "SchedulerAsyncPreemption=false";
  CHECK_FALSE(release_running({pod}, question).release.has(Change::declared_features));
  const auto emulated = component("kube-scheduler", "kube-scheduler:v1.35.1", "[\"--emulated-version=1.33\"]");
  CHECK(release_said_of({emulated}) == "1.33 (its pod runs v1.35.1 with --emulated-version=1.33)");
}

TEST_CASE("feature gates: those that the release would refuse are refused, with the reason", "[kube][release]") {
  CHECK(refusal_of("1.33", "PodLevelResources=true").empty());
  CHECK(refusal_of("1.33", "NodeDeclaredFeatures=true") ==
        "--feature-gates: kube-scheduler would refuse NodeDeclaredFeatures=true: 1.33 does not know it; 1.35 "
        "introduced it");
  CHECK(refusal_of("1.35", "DynamicResourceAllocation=false") ==
        "--feature-gates: kube-scheduler would refuse DynamicResourceAllocation=false: in 1.35 it is locked to on");
  CHECK(refusal_of("1.36", "CSIMigrationPortworx=true") ==
        "--feature-gates: kube-scheduler would refuse CSIMigrationPortworx=true: 1.36 no longer knows it");
  // What the schedulers of 1.35.4 and 1.36.3 say: "is enabled, but depends on features that are disabled".
  CHECK(refusal_of("1.34", "DRADeviceTaintRules=true").find("1.35 introduced it") != std::string::npos);
  CHECK(refusal_of("1.34", "DRADeviceTaints=true,DynamicResourceAllocation=false").empty());
  CHECK(
      refusal_of("1.35", "DRADeviceTaintRules=true") ==
      "--feature-gates: kube-scheduler 1.35 would refuse DRADeviceTaintRules=true: it needs DRADeviceTaints, which is "
      "disabled");
  CHECK(refusal_of("1.35", "DRADeviceTaintRules=true,DRADeviceTaints=true").empty());
  CHECK(refusal_of("1.35", "WorkloadAwarePreemption=true").find("1.36 introduced it") != std::string::npos);
  CHECK(
      refusal_of("1.36", "WorkloadAwarePreemption=true") ==
      "--feature-gates: kube-scheduler 1.36 would refuse WorkloadAwarePreemption=true: it needs GangScheduling, which "
      "is disabled");
  CHECK_FALSE(refusal_of("1.36", "WorkloadAwarePreemption=true,GangScheduling=true").empty());
  CHECK(refusal_of("1.36", "WorkloadAwarePreemption=true,GangScheduling=true,GenericWorkload=true").empty());
  // The gate is on by default, so the gate that it needs cannot be turned off alone.
  CHECK(refusal_of("1.36", "PodLevelResources=false") ==
        "--feature-gates: kube-scheduler 1.36 would refuse InPlacePodLevelResourcesVerticalScaling=true: it needs "
        "PodLevelResources, which is disabled");
  // kube-scheduler 1.37.2 says "unrecognized feature gate: SidecarContainers".
  CHECK(refusal_of("1.37", "SidecarContainers=true").find("1.37 no longer knows it") != std::string::npos);
  CHECK(refusal_of("1.37", "PodGroupPreemptionPolicy=true").find("it needs GenericWorkload") != std::string::npos);
  CHECK(refusal_of("1.37", "WorkloadAwarePreemption=true").find("1.37 no longer knows it") != std::string::npos);
  CHECK(refusal_of("1.36", "NodeDeclaredFeature=true") == "--feature-gates: unknown gate \"NodeDeclaredFeature\"");
  CHECK(refusal_of("1.36", "NodeDeclaredFeatures") ==
        "--feature-gates: expected NodeDeclaredFeatures=true or NodeDeclaredFeatures=false, found "
        "\"NodeDeclaredFeatures\"");
  CHECK_FALSE(refusal_of("latest", "").empty());
  // A gate that is unrelated to all known ones is named.
  Question question;
  question.feature_gates = "GracefulNodeShutdown=true";
  const auto found = release_running({a_node("a", "1")}, question);
  REQUIRE(found.gaps.size() == 1);
  CHECK(what_words(found.gaps[0]) == "GracefulNodeShutdown=true");
  CHECK(found.gaps[0].decides);
  // A scheduler that runs with a gate knows it, and all gates that decide are in the table: the flag is shared by all
  // components.
  const auto seen = release_running(
      {a_node("a", "1"), component("kube-scheduler", "registry.k8s.io/kube-scheduler:v1.36.0",
                                   "[kube-scheduler, \"--feature-gates=RotateKubeletServerCertificate=true\"]")});
  CHECK(seen.gaps.empty());
  // Of a release that is newer than the table, it may be a new one.
  const auto newer = release_running({component("kube-scheduler", "registry.k8s.io/kube-scheduler:v1.99.0",
                                                "[kube-scheduler, \"--feature-gates=DRAPreemption=true\"]")});
  REQUIRE(!newer.gaps.empty());
  CHECK(newer.gaps[0].rule == GapRule::gate_unknown);
  CHECK(newer.gaps[0].decides);
}

// KEP-5836: pkg/scheduler/framework/plugins/deferredpodscheduling, v1.37: the scheduler also tries pods on nodes whose
// resize is deferred.
TEST_CASE("feature gates: the preemption for a deferred resize is refused", "[kube][release]") {
  const auto refused = [](const std::string& gates, const std::string& reason) {
    const auto cluster =
        a_cluster({node_with_kubelet("a", "v1.37.1"),
                   "apiVersion: v1\nkind: Pod\nmetadata: {namespace: ns, name: db}\nspec: {nodeName: a, "
                   "containers: [{name: c}]}\nstatus: {phase: Running, conditions: [{type: "
                   "PodResizePending, status: \"True\", reason: " +
                       reason + "}]}\n"});
    Question question;
    question.feature_gates = gates;
    const auto checked = find_engine("kube")->check_configuration(*cluster->snapshot, question);
    return checked ? "" : checked.error().message;
  };
  CHECK(refused("", "Deferred").empty());
  CHECK(refused("InPlacePodVerticalScalingSchedulerPreemption=true", "Infeasible").empty());
  CHECK(refused("InPlacePodVerticalScalingSchedulerPreemption=true", "Deferred") ==
        "cannot tell which pods kube-scheduler 1.37 evicts, because the preemption for the deferred resize of ns/db is "
        "not modeled");
}

// Each pod of a claim depends on a gate of devices whose effect is not modeled, and no other pod does.
TEST_CASE("feature gates: one that is not modeled leaves open only what depends on it", "[kube][release]") {
  const auto outcome = [](const std::string& spec) {
    const auto cluster =
        a_cluster({a_node("a", "4"), a_pod("ns/new").spec(spec).yaml(),
                   "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {namespace: ns, name: c}\nspec: "
                   "{devices: {requests: [{name: r, exactly: {deviceClassName: gpu}}]}}\n"});
    const Answer answer = answer_of_release("1.37", *cluster, "DRADerivedAttributes=true");
    return std::any_of(answer.gaps.begin(), answer.gaps.end(),
                       [](const Gap& gap) { return gap.rule == GapRule::gate_unmodelled && gap.decides; });
  };
  CHECK(outcome("resourceClaims: [{name: c, resourceClaimName: c}]"));
  CHECK_FALSE(outcome(""));
}

// The pod needs 2 CPUs, a whole node. Both nodes have one violation. Of worker-1, the most important victim has
// priority 1000; of worker-2, 100, so worker-2 is chosen. Before 1.31.3, the first victim of worker-1 is the one that
// violates a budget, of priority 0 (kubernetes issue 128307).
TEST_CASE("patch releases: before 1.31.3, the first victim is one that violates a budget", "[kube][release]") {
  const auto cluster = a_cluster(
      {a_node("worker-1", "2"), a_node("worker-2", "2"), a_pod("ns/high").on("worker-1").priority(1000).yaml(),
       a_pod("ns/low").on("worker-1").priority(0).labels("{app: low}").yaml(),
       a_pod("ns/mid").on("worker-2").priority(100).cpu("2").labels("{app: mid}").yaml(), a_budget("ns/low", "low", 0),
       a_budget("ns/mid", "mid", 0), a_pod("ns/new").priority(10'000).cpu("2").yaml()});
  const auto doubted = [&](const std::string& version) {
    const Answer answer = answer_of_release(version, *cluster);
    const Gap* const gap = deciding_gap(answer.gaps);
    if (gap != nullptr) CHECK(gap->rule == GapRule::violating_victim_first);
    return gap == nullptr ? answer.node : because_words(*gap).substr(0, 23);
  };
  CHECK(doubted("1.31.0").starts_with("kube-scheduler 1.31.0"));
  CHECK(doubted("v1.31.2-eks-1").starts_with("kube-scheduler 1.31.2"));
  CHECK(doubted("1.31.3") == "worker-2");
  CHECK(doubted("1.31") == "worker-2");
  CHECK(doubted("1.32.0") == "worker-2");
}

// Kubernetes issue 125398: the volume names the hostname n1, and the node with it is n1.example.com.
TEST_CASE("patch releases: before 1.31.3, the hostname of a volume is the name of a node", "[kube][release]") {
  const auto doubted = [](const std::string& version, const std::string& hostname) {
    const auto cluster = a_cluster(
        {"apiVersion: v1\nkind: Node\nmetadata: {name: n1.example.com, labels: {kubernetes.io/hostname: " + hostname +
             "}}\nstatus: {allocatable: {cpu: \"4\", memory: 16Gi, pods: \"110\"}}\n",
         "apiVersion: v1\nkind: PersistentVolume\nmetadata: {name: v}\nspec: {accessModes: [ReadWriteOnce], claimRef: "
         "{namespace: ns, name: c}, nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: "
         "kubernetes.io/hostname, operator: In, values: [" +
             hostname + "]}]}]}}}\nstatus: {phase: Bound}\n",
         "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {namespace: ns, name: c, annotations: "
         "{pv.kubernetes.io/bind-completed: \"yes\"}}\nspec: {accessModes: [ReadWriteOnce], volumeName: v}\nstatus: "
         "{phase: Bound}\n",
         a_pod("ns/new").spec("volumes: [{name: v, persistentVolumeClaim: {claimName: c}}]").yaml()});
    const Answer answer = answer_of_release(version, *cluster);
    return std::any_of(answer.gaps.begin(), answer.gaps.end(),
                       [](const Gap& gap) { return gap.rule == GapRule::hostname_as_node_name && gap.decides; });
  };
  CHECK(doubted("1.31.2", "n1"));
  CHECK_FALSE(doubted("1.31.2", "n1.example.com"));
  CHECK_FALSE(doubted("1.31.3", "n1"));
}

// Kubernetes issue 126643: the status of the preemptor, which is Burstable, would be written into that of the victim.
TEST_CASE("patch releases: 1.31.0 evicts no pod of another QoS class", "[kube][release]") {
  const auto doubted = [](const std::string& version, const std::string& limits) {
    const auto cluster = a_cluster({a_node("n1", "1"),
                                    "apiVersion: v1\nkind: Pod\nmetadata: {namespace: ns, name: old}\nspec: {nodeName: "
                                    "n1, priority: 0, containers: [{name: c, resources: {requests: {cpu: 1, memory: "
                                    "1Gi}, limits: " +
                                        limits + "}}]}\nstatus: {phase: Running}\n",
                                    a_pod("ns/new").priority(9).yaml()});
    const Answer answer = answer_of_release(version, *cluster);
    return std::any_of(answer.gaps.begin(), answer.gaps.end(),
                       [](const Gap& gap) { return gap.rule == GapRule::status_of_other_class && gap.decides; });
  };
  CHECK(doubted("1.31.0", "{cpu: 1, memory: 1Gi}"));  // Guaranteed
  CHECK_FALSE(doubted("1.31.0", "{cpu: 1}"));         // Burstable
  CHECK_FALSE(doubted("1.31.1", "{cpu: 1, memory: 1Gi}"));
}

TEST_CASE("scheduler message: has the wording of the release", "[kube][release]") {
  const auto cluster = a_cluster({a_node("a", "1") + "spec: {taints: [{key: dedicated, effect: NoSchedule}]}\n",
                                  a_pod("ns/new").priority(9).yaml()});
  const auto message = [&](const std::string& version) {
    return answer_of_release(version, *cluster).scheduler_message;
  };
  const std::string rest = "preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.";
  CHECK(message("1.33") == "0/1 nodes are available: 1 node(s) had untolerated taint {dedicated: }. " + rest);
  CHECK(message("1.34") ==
        "0/1 nodes are available: 1 node(s) had untolerated taint(s). no new claims to deallocate, " + rest);
  // dynamicresources.go PostFilter of 1.37.2 gives no reason any more.
  CHECK(message("1.37") == "0/1 nodes are available: 1 node(s) had untolerated taint(s). " + rest);
}

TEST_CASE("dropped fields: one that the API server would have dropped makes the answer unknown", "[kube][release]") {
  // 4 CPUs, of which the running pod uses 3 by spec.resources and 1 by its container. 2 more fit only if spec.resources
  // does not count, as in 1.33 with its default gates. But then the field would not be in the input.
  const auto cluster = a_cluster({node_with_kubelet("a", "v1.33.4"),
                                  a_pod("ns/r").on("a").spec("resources: {requests: {cpu: \"3\"}}").yaml(),
                                  a_pod("ns/new").cpu("2").yaml()});
  CHECK(answer_of_release("", *cluster).outcome == Outcome::unknown);
  CHECK(answer_of_release("1.33", *cluster).outcome == Outcome::fits);
  CHECK(answer_of_release("1.34", *cluster).outcome == Outcome::pending);
}

TEST_CASE("release: of schedulers that run side by side, the leader decides", "[kube][release]") {
  // 1.33 ignores spec.resources by default, 1.34 counts them: 5 of 4 CPUs.
  const auto scheduler = [](const std::string& name, const std::string& version) {
    return "apiVersion: v1\nkind: Pod\nmetadata: {namespace: kube-system, name: " + name +
           "}\nspec: {nodeName: a, containers: [{name: kube-scheduler, image: 'kube-scheduler:" + version +
           "'}]}\nstatus: {phase: Running}\n";
  };
  const auto ask = [&](const std::string& second, const std::string& spec) {
    return answer_of_release("", *a_cluster({node_with_kubelet("a", "v1.33.4"), scheduler("one", "v1.34.2"),
                                             scheduler("two", second), a_pod("ns/new").spec(spec).yaml()}));
  };
  const std::string large = "resources: {requests: {cpu: 5}}";
  CHECK(ask("v1.34.1", large).outcome == Outcome::pending);
  const Answer differ = ask("v1.33.0", large);
  CHECK(differ.outcome == Outcome::unknown);
  CHECK(
      differ.sentence.find("the scheduler's pods run v1.33.0 to v1.34.2, it is not known which of them is the leader, "
                           "and with 1.33, it fits on a") != std::string::npos);
  // Both decide alike.
  CHECK(ask("v1.33.0", "resources: {requests: {cpu: 2}}").outcome == Outcome::fits);
}

TEST_CASE("release: a release that decides alike is not listed, although a gate is in doubt", "[kube][release]") {
  // The group makes the answer unknown; kubelets of 1.36 allow a scheduler of 1.35, which ignores the field, too.
  const Answer answer =
      answer_of_release("", *a_cluster({node_with_kubelet("a", "v1.36.1"), a_pod("ns/r").on("a").yaml(),
                                        a_pod("ns/new").spec("schedulingGroup: {podGroupName: g}").yaml()}));
  CHECK(answer.outcome == Outcome::unknown);
  CHECK(std::none_of(answer.gaps.begin(), answer.gaps.end(),
                     [](const Gap& gap) { return gap.rule == GapRule::other_releases_differ; }));
}

TEST_CASE("release: one that leaves another choice of nodes is listed", "[kube][release]") {
  // The pod requests nothing and fits on both nodes. LeastAllocated gives 47 points to each of them: half of the CPUs
  // and of the memory are requested on a, and three quarters and one quarter on b. 1.32 also compares how balanced that
  // is, which later releases do not for such a pod. Source: noderesources/balanced_allocation.go PreScore, v1.33.
  const auto is_listed = [](const std::string& cpu, const std::string& memory) {
    const auto running = [](const std::string& on, const std::string& cpus, const std::string& bytes) {
      return fmt::format(
          "apiVersion: v1\nkind: Pod\nmetadata: {{namespace: ns, name: r{0}}}\nspec: {{nodeName: {0}, containers: "
          "[{{name: c, resources: {{requests: {{cpu: '{1}', memory: {2}}}}}}}]}}\nstatus: {{phase: Running}}\n",
          on, cpus, bytes);
    };
    const Answer answer = answer_of_release(
        "", *a_cluster({node_with_kubelet("a", "v1.32.1"), node_with_kubelet("b", "v1.32.1"), running("a", "2", "8Gi"),
                        running("b", cpu, memory),
                        "apiVersion: v1\nkind: Pod\nmetadata: {namespace: ns, name: new}\nspec: {containers: [{name: "
                        "c}]}\nstatus: {phase: Pending}\n"}));
    CHECK(answer.outcome == Outcome::fits);
    return std::any_of(answer.gaps.begin(), answer.gaps.end(),
                       [](const Gap& gap) { return gap.rule == GapRule::other_releases_differ; });
  };
  CHECK(is_listed("3", "4Gi"));
  CHECK_FALSE(is_listed("2", "8Gi"));
}

TEST_CASE("feature gates: one that the scheduler's own flag turns off is off", "[kube][release]") {
  // The gates of the API server are set by its own flag, so that it may keep the field.
  const std::string claims = "resourceClaims: [{name: gpu, resourceClaimName: gpu}]";
  const auto ask = [&](const std::string& flag, const std::string& gates) {
    return answer_of_release(
        "",
        *a_cluster({node_with_kubelet("a", "v1.34.4"), component("kube-scheduler", "kube-scheduler:v1.34.2", flag),
                    a_pod("ns/new").spec(claims).yaml()}),
        gates);
  };
  const auto ignored = [](const Answer& answer) {
    const auto found = std::find_if(answer.gaps.begin(), answer.gaps.end(),
                                    [](const Gap& gap) { return gap.rule == GapRule::gated_off; });
    return found == answer.gaps.end() ? std::string() : what_words(*found);
  };
  const Answer by_pod = ask("['--feature-gates=A=true,DynamicResourceAllocation=false']", "");
  CHECK(by_pod.outcome == Outcome::fits);
  CHECK(ignored(by_pod) ==
        "kube-scheduler 1.34 ignores spec.resourceClaims of pods, because --feature-gates of its pod disables "
        "DynamicResourceAllocation");
  CHECK(ignored(ask("[]", "DynamicResourceAllocation=false")) ==
        "kube-scheduler 1.34 ignores spec.resourceClaims of pods, because --feature-gates disables "
        "DynamicResourceAllocation");
  CHECK(ignored(ask("[]", "")).empty());
}

TEST_CASE("tolerations: compare numbers if the gate is on", "[kube][release]") {
  // Source: api: core/v1/toleration.go compareNumericValues, 1.35: Gt tolerates a taint whose value is greater than its
  // own.
  const auto outcome = [](const std::string& op, const std::string& bound, const std::string& taint) {
    const auto cluster = a_cluster(
        {"apiVersion: v1\nkind: Node\nmetadata: {name: a}\nspec: {taints: [{key: sla, effect: NoSchedule, value: '" +
             taint + "'}]}\nstatus: {allocatable: {cpu: 4, memory: 16Gi, pods: 110}}\n",
         a_pod("ns/r").on("a").yaml(),
         a_pod("ns/new").spec("tolerations: [{key: sla, operator: " + op + ", value: '" + bound + "'}]").yaml()});
    return answer_of_release("1.35", *cluster, "TaintTolerationComparisonOperators=true").outcome;
  };
  CHECK(outcome("Gt", "900", "950") == Outcome::fits);
  CHECK(outcome("Gt", "950", "950") == Outcome::pending);
  CHECK(outcome("Lt", "-3", "-5") == Outcome::fits);
  CHECK(outcome("Lt", "-5", "-3") == Outcome::pending);
  // Source: apimachinery: pkg/api/validate/content/decimal_int.go: no leading zeros, no plus sign, no -0, no empty
  // value.
  CHECK(outcome("Gt", "0900", "950") == Outcome::pending);
  CHECK(outcome("Gt", "900", "+950") == Outcome::pending);
  CHECK(outcome("Lt", "1", "-0") == Outcome::pending);
  CHECK(outcome("Lt", "1", "0") == Outcome::fits);
  CHECK(outcome("Lt", "1", "") == Outcome::pending);
  CHECK(outcome("Lt", "9223372036854775808", "1") == Outcome::pending);
}

TEST_CASE("tolerations: those that the API server refuses by default make the answer unknown", "[kube][release]") {
  const std::string tolerates = "tolerations: [{key: sla, operator: Gt, value: '900'}]";
  const std::string taints = "spec: {taints: [{key: sla, effect: NoSchedule, value: '950'}]}\n";
  const auto cluster = a_cluster({node_with_kubelet("a", "v1.35.4") + taints, a_pod("ns/r").on("a").yaml(),
                                  a_pod("ns/new").spec(tolerates).yaml()});
  CHECK(answer_of_release("", *cluster).outcome == Outcome::unknown);
  CHECK(answer_of_release("1.35", *cluster).outcome == Outcome::pending);
  // With the gate on, the pod would not fit either.
  const auto full = a_cluster({node_with_kubelet("a", "v1.35.4") + taints, a_pod("ns/r").on("a").cpu("4").yaml(),
                               a_pod("ns/new").cpu("4").spec(tolerates).yaml()});
  CHECK(answer_of_release("", *full).outcome == Outcome::pending);
}

TEST_CASE("dropped fields: groups that the API server drops by default make the answer unknown", "[kube][release]") {
  // With the gate on, the pod waits for its Workload or PodGroup, which the input does not hold.
  const auto ask = [](const std::string& kubelet, const std::string& spec, const std::string& release = {}) {
    return answer_of_release(release, *a_cluster({node_with_kubelet("a", kubelet), a_pod("ns/r").on("a").yaml(),
                                                  a_pod("ns/new").spec(spec).yaml()}))
        .outcome;
  };
  const std::string workload = "workloadRef: {name: w, podGroup: g}";
  const std::string group = "schedulingGroup: {podGroupName: g}";
  CHECK(ask("v1.35.4", workload) == Outcome::unknown);
  CHECK(ask("v1.36.3", group) == Outcome::unknown);
  // A field of 1.36: the API server is newer than its nodes.
  CHECK(ask("v1.35.4", group) == Outcome::unknown);
  CHECK(ask("v1.35.4", workload, "1.35") == Outcome::fits);
  CHECK(ask("v1.36.3", group, "1.36") == Outcome::fits);
  // A pod without a group is scheduled as usual, whichever gates are on: 1.36 has gates for groups alone, for gangs,
  // and for their preemption; 1.37 has one gate for all of it.
  for (const char* kubelet : {"v1.36.3", "v1.37.2"})
    CHECK(answer_of_release("", *a_cluster({node_with_kubelet("a", kubelet), a_pod("ns/r").on("a").spec(group).yaml(),
                                            a_pod("ns/new").yaml()}))
              .outcome == Outcome::fits);
}

TEST_CASE("topology spread: matchLabelKeys do not count if the gate is off", "[kube][release]") {
  // Both pods of app a are in domain a; there is no pod of the same version (v: 2). Source: podtopologyspread/common.go
  // filterTopologySpreadConstraints, 1.35.
  const auto node = [](const std::string& name) {
    return "apiVersion: v1\nkind: Node\nmetadata: {name: " + name + ", labels: {zone: " + name +
           "}}\nstatus: {allocatable: {cpu: 4, memory: 16Gi, pods: 110}}\n";
  };
  const auto cluster = a_cluster(
      {node("a"), node("b"), a_pod("ns/r").on("a").labels("{app: a, v: '1'}").yaml(),
       a_pod("ns/s").on("a").labels("{app: a, v: '1'}").yaml(), a_pod("ns/full").on("b").cpu("4").yaml(),
       a_pod("ns/new")
           .labels("{app: a, v: '2'}")
           .spec("topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule, "
                 "labelSelector: {matchLabels: {app: a}}, matchLabelKeys: [v]}]")
           .yaml()});
  CHECK(answer_of_release("1.35", *cluster).outcome == Outcome::fits);
  CHECK(answer_of_release("1.35", *cluster,
                          "MatchLabelKeysInPodTopologySpread=false,"
                          "MatchLabelKeysInPodTopologySpreadSelectorMerge=false")
            .outcome == Outcome::pending);
}

TEST_CASE("dropped fields: one whose gate the release does not know leaves open only what depends on it",
          "[kube][release]") {
  // 1.31 does not know PodLevelResources, 1.32 does. Of 4 CPUs, the running pod uses 3 by spec.resources or 1 by its
  // container.
  const auto with = [](const char* cpu) {
    const auto cluster = a_cluster({node_with_kubelet("a", "v1.31.4"),
                                    a_pod("ns/r").on("a").spec("resources: {requests: {cpu: \"3\"}}").yaml(),
                                    a_pod("ns/new").cpu(cpu).yaml()});
    return answer_of_release("", *cluster).outcome;
  };
  CHECK(with("1") == Outcome::fits);
  CHECK(with("2") == Outcome::unknown);
  CHECK(with("4") == Outcome::pending);
}

TEST_CASE("device claims: count if the input has them, whatever the default of the gate", "[kube][release]") {
  // In 1.33 DynamicResourceAllocation is off by default, and then the scheduler ignores claims.
  const std::string claims = "resourceClaims: [{name: gpu, resourceClaimName: gpu}]";
  const auto cluster =
      a_cluster({node_with_kubelet("a", "v1.33.4"), a_pod("ns/r").on("a").yaml(), a_pod("ns/new").spec(claims).yaml()});
  CHECK(answer_of_release("", *cluster).outcome == Outcome::unknown);
  CHECK(answer_of_release("1.33", *cluster).outcome == Outcome::fits);
  // The pod does not fit either way.
  const auto full = a_cluster({node_with_kubelet("a", "v1.33.4"), a_pod("ns/r").on("a").cpu("4").yaml(),
                               a_pod("ns/new").cpu("4").spec(claims).yaml()});
  CHECK(answer_of_release("", *full).outcome == Outcome::pending);
}

TEST_CASE("scheduler message: since 1.37 it names the preemptor's node and the number of victims", "[kube][release]") {
  // Source: preemption/preemption.go Evaluator.Preempt, 1.37.2. If two nodes tie, upstream names either.
  const auto victim = [](const std::string& name, const std::string& node) {
    return a_pod("ns/" + name).on(node).started("2026-03-02T11:00:00Z").yaml();
  };
  const auto one =
      a_cluster({a_node("n1", "2"), victim("a", "n1"), victim("b", "n1"), a_pod("ns/new").priority(9).cpu("2").yaml()});
  CHECK(answer_of_release("1.36", *one).scheduler_message == "0/1 nodes are available: 1 Insufficient cpu.");
  CHECK(answer_of_release("1.37", *one).scheduler_message ==
        "0/1 nodes are available: 1 Insufficient cpu. preemption: found a potential placement for pod on node n1, "
        "preempting 2 victims");
  const auto two = a_cluster(
      {a_node("n1", "1"), a_node("n2", "1"), victim("a", "n1"), victim("b", "n2"), a_pod("ns/new").priority(9).yaml()});
  CHECK(kube::info(kube::Rule::placement_found).id == "kube.preempt.placement");
  const Answer tied = answer_of_release("1.37", *two);
  CHECK(tied.tied.size() == 2);
  CHECK(tied.scheduler_message ==
        "0/2 nodes are available: 2 Insufficient cpu. preemption: found a potential placement for pod on node n1, "
        "preempting 1 victims");
}

TEST_CASE("victim order: since 1.37 pods without a start time are in the order of the node's list", "[kube][release]") {
  // One of two pods is evicted. Up to 1.36 each compares as more important than the other, and sorting swaps them;
  // since 1.37 the first of the list is more important.
  const auto cluster = a_cluster({a_node("n", "2"), a_pod("ns/a").on("n").yaml(), a_pod("ns/b").on("n").yaml(),
                                  a_pod("ns/new").priority(9).yaml()});
  const auto victim = [&](const std::string& version) {
    const Answer answer = answer_of_release(version, *cluster);
    REQUIRE(answer.victims.size() == 1);
    return cluster->snapshot->key(answer.victims[0].pod);
  };
  CHECK(victim("1.36") == "ns/a");
  CHECK(victim("1.37") == "ns/b");
  CHECK(Release(36).has(Change::selector_meets_no_labels));
  CHECK_FALSE(Release(37).has(Change::selector_meets_no_labels));
}

TEST_CASE("budgets: since 1.37 the first violated budget ends the count for a pod", "[kube][release]") {
  // Two of three pods can stay. p is in both budgets and violates a. Up to 1.36 p is charged to b as well, so q
  // violates b, and both are reprieved before r. Since 1.37 b is charged only if it comes first, which is random: if it
  // does not, q comes after r, which is more important.
  const auto guarded = [](const std::string& name, int priority, const std::string& labels) {
    return a_pod("ns/" + name).on("n").priority(priority).labels(labels).yaml();
  };
  const auto budget = [](const std::string& name, int allowed) {
    return fmt::format(
        "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {{namespace: ns, name: {0}}}\n"
        "spec: {{selector: {{matchLabels: {{{0}: \"1\"}}}}}}\nstatus: {{disruptionsAllowed: {1}}}\n",
        name, allowed);
  };
  const std::string node = a_node("n", "3");
  const std::string p = guarded("p", 30, "{a: \"1\", b: \"1\"}");
  const std::string q = guarded("q", 10, "{b: \"1\"}");
  const std::string r = guarded("r", 20, "{c: \"1\"}");
  const std::string pod = a_pod("ns/new").priority(100).yaml();
  const auto open = a_cluster({node, p, q, r, budget("a", 0), budget("b", 1), pod});
  const Answer before = answer_of_release("1.36", *open);
  CHECK(before.outcome == Outcome::preempts);
  REQUIRE(before.victims.size() == 1);
  CHECK(open->snapshot->key(before.victims[0].pod) == "ns/r");
  const Answer since = answer_of_release("1.37", *open);
  CHECK(since.outcome == Outcome::unknown);
  CHECK(std::any_of(since.gaps.begin(), since.gaps.end(),
                    [](const Gap& gap) { return gap.rule == GapRule::budgets_in_any_order; }));
  // If no other pod is in the budgets of p, nothing depends on their order.
  const auto closed = a_cluster({node, p, guarded("q", 10, "{c: \"1\"}"), r, budget("a", 0), budget("b", 1), pod});
  CHECK(answer_of_release("1.37", *closed).outcome == Outcome::preempts);
}

TEST_CASE("release: if known from nodes only, the answer names releases that would decide otherwise",
          "[kube][release]") {
  // Up to 1.33 a node is never given up for being too small, so the pod waits for the victim on it; since 1.34 it may
  // preempt elsewhere.
  const auto cluster = a_cluster(
      {node_with_kubelet("a", "v1.33.4"),
       "apiVersion: v1\nkind: Node\nmetadata: {name: b}\nstatus: {allocatable: {cpu: \"8\", memory: 16Gi, "
       "pods: \"110\"}}\n",
       a_pod("ns/victim").on("a").deleting("2026-03-02T12:00:30Z").yaml() +
           "  conditions: [{type: DisruptionTarget, status: \"True\", reason: PreemptionByScheduler}]\n",
       a_pod("ns/old").on("b").cpu("6").yaml(), a_pod("ns/new").priority(900).cpu("5").nominated("a").yaml()});
  const Answer answer = ask_kube(*cluster, "ns/new");
  CHECK(answer.outcome == Outcome::waits);
  REQUIRE_FALSE(answer.gaps.empty());
  CHECK(what_words(answer.gaps.back()) ==
        "kube-scheduler 1.33, like the newest kubelet; version skew allows 1.32 to 1.36");
  CHECK(follows_words(answer.gaps.back()) ==
        "with 1.34 to 1.36, it preempts 1 pod on b; "
        "--k8s-version sets the release that runs");
}

namespace {

/// Returns the first rule that keeps ns/new off the first node in that release; empty if the node fits the pod.
auto filter_of(const TestCluster& cluster, const std::string& version, const std::string& gates = "") -> std::string {
  Question q;
  q.ns = "ns";
  q.name = "new";
  q.now = parse_instant("2026-03-02T12:00:00Z").value();
  q.toleration_plugin = "off";
  q.k8s_version = version;
  q.feature_gates = gates;
  const Snapshot& snapshot = *cluster.snapshot;
  const PodId pod = snapshot.find_pod(q.ns, q.name);
  const auto running = kube::running_release(snapshot, q);
  if (!running) FAIL(running.error().message);
  const auto profile = kube::profile_for(snapshot, scheduler_of(snapshot, pod), q);
  if (!profile) FAIL(profile.error().message);
  kube::NodeInfoSnapshot node_infos(snapshot, running->release);
  const auto decision =
      kube::attempt(node_infos, kube::Budgets(node_infos), pod, **profile, q.now, {.records_results = true});
  const kube::Status& status = decision.nodes[NodeId{0}].filter;
  return status.reasons.empty() ? std::string() : std::string(kube::info(status.reasons.front().rule).id);
}

// Source: kubernetes v1.31 pkg/apis/core/v1/helper/qos/qos.go ComputePodQOS: Guaranteed if each container limits CPU
// and memory to what it requests, BestEffort if none requests or limits anything, Burstable otherwise.
TEST_CASE("patch releases: the QoS class follows from the requests and limits of all containers", "[kube][release]") {
  // `old` is Burstable, so that its eviction is in doubt if the preemptor has another class.
  const auto is_burstable = [](const std::string& containers) {
    const auto cluster =
        a_cluster({a_node("n1", "1"), a_pod("ns/old").on("n1").yaml(),
                   "apiVersion: v1\nkind: Pod\nmetadata: {namespace: ns, name: new}\nspec: {priority: 9, " +
                       containers + "}\nstatus: {phase: Pending}\n"});
    const Answer answer = answer_of_release("1.31.0", *cluster);
    CHECK(answer.victims.size() == 1);
    return std::none_of(answer.gaps.begin(), answer.gaps.end(),
                        [](const Gap& gap) { return gap.rule == GapRule::status_of_other_class; });
  };
  const auto one = [](const std::string& name, const std::string& requests, const std::string& limits) {
    return "{name: " + name + ", resources: {requests: {" + requests + "}, limits: {" + limits + "}}}";
  };
  const auto of = [&](const std::string& requests, const std::string& limits) {
    return is_burstable("containers: [" + one("c", requests, limits) + "]");
  };
  CHECK_FALSE(of("cpu: 1, memory: 1Gi", "cpu: 1, memory: 1Gi"));  // Guaranteed
  CHECK(of("cpu: 1, memory: 1Gi", "cpu: 2, memory: 1Gi"));
  CHECK(of("cpu: 1, memory: 1Gi", "cpu: 1, memory: 2Gi"));
  CHECK(of("cpu: 1, memory: 1Gi", "cpu: 1"));
  CHECK(of("cpu: 1, memory: 1Gi", "memory: 1Gi"));
  CHECK(of("cpu: 1", ""));
  CHECK(of("cpu: 1, memory: 0", "cpu: 1, memory: 0"));  // an amount of 0 is none
  // One container more: all of them count, also those that end before the others start.
  const std::string full = one("c", "cpu: 1, memory: 1Gi", "cpu: 1, memory: 1Gi");
  CHECK(is_burstable("containers: [" + full + ", " + one("d", "cpu: 0", "") + "]"));
  CHECK_FALSE(is_burstable("initContainers: [" + one("i", "cpu: 1m, memory: 1", "cpu: 1m, memory: 1") +
                           "], containers: [" + full + "]"));
  CHECK(is_burstable("initContainers: [" + one("i", "", "") + "], containers: [" + full + "]"));
}

}  // namespace

TEST_CASE("declared features: what a pod needs from the kubelet counts from 1.36 on", "[kube][release]") {
  const auto cluster =
      a_cluster({a_node("a", "4") + "  declaredFeatures: [Other]\n", a_pod("ns/new").spec("hostNetwork: true").yaml()});
  CHECK(filter_of(*cluster, "1.36").empty());
  const auto own_users = a_cluster({a_node("a", "4") + "  declaredFeatures: [Other]\n",
                                    a_pod("ns/new").spec("hostNetwork: true\n  hostUsers: false").yaml()});
  CHECK(filter_of(*own_users, "1.35").empty());
  CHECK(filter_of(*own_users, "1.36") == "kube.filter.declared-features");
  // Source: component-helpers: nodedeclaredfeatures/features/volumebindmountoptions, v0.37.2.
  const std::string mounts = "initContainers: [{name: i, volumeMounts: [{name: v, bindMountOptions: [noexec]}]}]";
  const auto options =
      a_cluster({a_node("a", "4") + "  declaredFeatures: [Other]\n", a_pod("ns/new").spec(mounts).yaml()});
  CHECK(filter_of(*options, "1.36").empty());
  CHECK(filter_of(*options, "1.37") == "kube.filter.declared-features");
  // 1.35 checks only the other feature.
  CHECK(filter_of(*own_users, "1.35", "NodeDeclaredFeatures=true").empty());
}

TEST_CASE("volume claim: an attributes class is an error up to 1.33", "[kube][release]") {
  const auto cluster = a_cluster(
      {a_node("a", "4"),
       "apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: wait}\nprovisioner: csi.example.com\n"
       "volumeBindingMode: WaitForFirstConsumer\n",
       "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {namespace: ns, name: data}\n"
       "spec: {storageClassName: wait, volumeAttributesClassName: gold}\nstatus: {phase: Pending}\n",
       a_pod("ns/new").spec("volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]").yaml()});
  CHECK(filter_of(*cluster, "1.33") == "kube.filter.attributes-class-off");
  CHECK(filter_of(*cluster, "1.33", "VolumeAttributesClass=true").empty());
  CHECK(filter_of(*cluster, "1.34").empty());
}

TEST_CASE("CSI driver: preventPodSchedulingIfMissing keeps pods off nodes without it from 1.37 on", "[kube][release]") {
  const auto cluster = a_cluster(
      {a_node("a", "4"),
       "apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: wait}\nprovisioner: csi.example.com\n"
       "volumeBindingMode: WaitForFirstConsumer\n",
       "apiVersion: storage.k8s.io/v1\nkind: CSIDriver\nmetadata: {name: csi.example.com}\n"
       "spec: {preventPodSchedulingIfMissing: true}\n",
       "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {namespace: ns, name: data}\n"
       "spec: {storageClassName: wait}\nstatus: {phase: Pending}\n",
       a_pod("ns/new").spec("volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]").yaml()});
  CHECK(filter_of(*cluster, "1.36").empty());
  CHECK(filter_of(*cluster, "1.36", "VolumeLimitScaling=true") == "kube.filter.driver-missing");
  CHECK(filter_of(*cluster, "1.37") == "kube.filter.driver-missing");
}

TEST_CASE("CSI driver: refuses pods by its own field from 1.36 on, and always in 1.35 with the gate",
          "[kube][release]") {
  // Source: nodevolumelimits/csi.go checkCSIDriverOnNode: v1.35.4 checks only whether there is a CSIDriver.
  const auto cluster = a_cluster(
      {a_node("a", "4"),
       "apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: wait}\nprovisioner: csi.example.com\n"
       "volumeBindingMode: WaitForFirstConsumer\n",
       "apiVersion: storage.k8s.io/v1\nkind: CSIDriver\nmetadata: {name: csi.example.com}\nspec: {}\n",
       "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {namespace: ns, name: data}\n"
       "spec: {storageClassName: wait}\nstatus: {phase: Pending}\n",
       a_pod("ns/new").spec("volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]").yaml()});
  CHECK(filter_of(*cluster, "1.35").empty());
  CHECK(filter_of(*cluster, "1.35", "VolumeLimitScaling=true") == "kube.filter.driver-missing");
  CHECK(filter_of(*cluster, "1.36", "VolumeLimitScaling=true").empty());
  CHECK(filter_of(*cluster, "1.37").empty());
}

TEST_CASE("declared features: up to 1.35 the message names the missing feature", "[kube][release]") {
  const auto cluster =
      a_cluster({a_node("a", "4") + "  declaredFeatures: [Other]\n",
                 "apiVersion: v1\nkind: Pod\nmetadata: {namespace: ns, name: new}\n"
                 "spec: {containers: [{name: c, restartPolicyRules: [{action: RestartAllContainers}]}]}\n"
                 "status: {phase: Pending}\n"});
  const auto said = [&](const char* version) {
    return answer_of_release(version, *cluster, "NodeDeclaredFeatures=true").scheduler_message;
  };
  CHECK(said("1.35").starts_with(
      "0/1 nodes are available: 1 node declared features check failed - unsatisfied requirements: "
      "RestartAllContainersOnContainerExits. "));
  CHECK(said("1.36").starts_with("0/1 nodes are available: 1 node(s) didn't match Pod's required features. "));
}

TEST_CASE("DRA search: if it is not modeled, a selector may fail before another claim refuses the node",
          "[kube][release]") {
  // Source: dynamicresources.go Filter, v1.35.4: the search for devices comes before claims that are allocated
  // elsewhere refuse the node, and a selector that fails ends the attempt with an error. With DRAPartitionableDevices,
  // that search is not modeled.
  const auto asked = [](const std::string& selectors) {
    const auto cluster = a_cluster(
        {a_node("a", "4"),
         "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: gpus}\nspec: {selectors: [" + selectors +
             "]}\n",
         "apiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {name: s}\nspec: {driver: gpu.example.com, "
         "pool: {name: a, generation: 1, resourceSliceCount: 1}, nodeName: a, devices: [{name: d0}]}\n",
         "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {namespace: ns, name: held}\n"
         "spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpus}}]}}\nstatus: {allocation: {devices: "
         "{results: [{request: r, driver: gpu.example.com, pool: b, device: d0}]}, nodeSelector: {nodeSelectorTerms: "
         "[{matchFields: [{key: metadata.name, operator: In, values: [b]}]}]}}}\n",
         "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {namespace: ns, name: mine}\n"
         "spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpus}}]}}\nstatus: {}\n",
         a_pod("ns/new")
             .spec("resourceClaims: [{name: a, resourceClaimName: mine}, {name: b, resourceClaimName: held}]")
             .yaml()});
    return answer_of_release("1.35", *cluster, "DRAPartitionableDevices=true");
  };
  const Answer unknown = asked("{cel: {expression: 'device.attributes[\"gpu.example.com\"].rank == 1'}}");
  CHECK(unknown.outcome == Outcome::unknown);
  CHECK(
      unknown.sentence.starts_with("cannot tell, because the choice of devices with "
                                   "DRAPartitionableDevices=true is not modeled for this release."));
  CHECK(asked("").outcome == Outcome::pending);
}

TEST_CASE("DynamicResources PostFilter: only 1.33 ignores a pod without claims", "[kube][release]") {
  // Source: dynamicresources.go PostFilter, v1.32.13, v1.33.13 and v1.34.4: only 1.33 returns before it reads the state
  // of PreFilter, and gives no reason. The claim of a volume is missing, so PreFilter ends before DynamicResources.
  const auto missing =
      a_cluster({a_node("a", "4"),
                 a_pod("ns/new").spec("volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]").yaml(),
                 "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {namespace: ns, name: other}\n"
                 "spec: {storageClassName: s}\nstatus: {phase: Pending}\n"});
  const auto full = a_cluster({a_node("a", "1"), a_pod("ns/a").on("a").yaml(), a_pod("ns/new").yaml()});
  const auto said = [](const TestCluster& cluster, const char* version) {
    return answer_of_release(version, cluster, "DynamicResourceAllocation=true").scheduler_message;
  };
  const std::string refused = "0/1 nodes are available: persistentvolumeclaim \"data\" not found.";
  CHECK(said(*missing, "1.32") == refused + " not found");
  CHECK(said(*missing, "1.33") ==
        refused + " preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.");
  CHECK(said(*missing, "1.34") == refused + " not found");
  const std::string no_victims = "preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.";
  const std::string short_of = "0/1 nodes are available: 1 Insufficient cpu. ";
  CHECK(said(*full, "1.32") == short_of + "no new claims to deallocate, " + no_victims);
  CHECK(said(*full, "1.33") == short_of + no_victims);
  CHECK(said(*full, "1.34") == short_of + "no new claims to deallocate, " + no_victims);
}

TEST_CASE("extended resource: one that a device class provides is left to it, and the answer is unknown",
          "[kube][release]") {
  const auto cluster = a_cluster(
      {a_node("a", "4"),
       "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: gpu}\n"
       "spec: {extendedResourceName: example.com/gpu}\n",
       "apiVersion: v1\nkind: Pod\nmetadata: {namespace: ns, name: new}\nspec: {containers: [{name: c, resources: "
       "{requests: {example.com/gpu: \"1\"}}}]}\nstatus: {phase: Pending}\n"});
  CHECK(filter_of(*cluster, "1.35") == "kube.filter.resources");
  CHECK(filter_of(*cluster, "1.36").empty());
  const Answer answer = ask_kube(*cluster, "ns/new");
  CHECK(answer.outcome == Outcome::unknown);
}

TEST_CASE("scheduler configuration: a removed API version is read by the releases that still have it",
          "[kube][release][config]") {
  const auto cluster = a_cluster({a_node("a", "4"), a_pod("ns/new").yaml()});
  const auto checked = [&](const std::string& version, const std::string& release) {
    Question q;
    q.k8s_version = release;
    q.scheduler_config = ConfigFile{
        FileId{}, "apiVersion: kubescheduler.config.k8s.io/" + version + "\nkind: KubeSchedulerConfiguration\n"};
    const auto result = kube::check_profiles(*cluster->snapshot, q);
    return result ? std::string() : result.error().message;
  };
  CHECK(checked("v1", "1.33").empty());
  CHECK(checked("v1beta3", "1.28").empty());
  CHECK(checked("v1beta3", "1.33") ==
        "apiVersion \"kubescheduler.config.k8s.io/v1beta3\" is not one that kube-scheduler 1.33 reads; releases before "
        "1.29 did");
  CHECK(checked("v1beta2", "1.27") ==
        "apiVersion \"kubescheduler.config.k8s.io/v1beta2\" is not modeled: its defaults are not those of v1");
  CHECK(checked("v2", "1.36") ==
        "apiVersion \"kubescheduler.config.k8s.io/v2\" is not one that kube-scheduler 1.36 reads");
}

TEST_CASE("extended resource: one that no node offers may come from devices if the input lacks classes",
          "[kube][release]") {
  const auto cluster = a_cluster(
      {node_with_kubelet("a", "v1.36.1"),
       "apiVersion: v1\nkind: Pod\nmetadata: {namespace: ns, name: new}\nspec: {containers: [{name: c, resources: "
       "{requests: {example.com/gpu: \"1\"}}}]}\nstatus: {phase: Pending}\n"});
  CHECK(ask_kube(*cluster, "ns/new").outcome == Outcome::unknown);
  // 1.35 leaves no resource to device classes.
  const auto before = a_cluster(
      {node_with_kubelet("a", "v1.35.1"),
       "apiVersion: v1\nkind: Pod\nmetadata: {namespace: ns, name: new}\nspec: {containers: [{name: c, resources: "
       "{requests: {example.com/gpu: \"1\"}}}]}\nstatus: {phase: Pending}\n"});
  CHECK(ask_kube(*before, "ns/new").outcome == Outcome::pending);
  // If a node offers the resource, the answer holds for that node; a gap says what is not known about the others.
  const auto of_a_class = [](const Answer& answer) {
    return std::any_of(answer.gaps.begin(), answer.gaps.end(),
                       [](const Gap& gap) { return gap.rule == GapRule::class_of_resource_missing; });
  };
  const std::string wants_two =
      "apiVersion: v1\nkind: Pod\nmetadata: {namespace: ns, name: new}\nspec: {containers: [{name: c, resources: "
      "{requests: {example.com/gpu: \"2\"}}}]}\nstatus: {phase: Pending}\n";
  const std::string with_one =
      "apiVersion: v1\nkind: Node\nmetadata: {name: b}\nstatus: {allocatable: {cpu: \"4\", memory: 16Gi, pods: "
      "\"110\", example.com/gpu: \"1\"}, nodeInfo: {kubeletVersion: v1.36.1}}\n";
  const auto one = a_cluster({with_one, node_with_kubelet("a", "v1.36.1"), wants_two});
  const Answer told = ask_kube(*one, "ns/new");
  CHECK(told.outcome == Outcome::pending);
  CHECK(of_a_class(told));
  const auto all = a_cluster({with_one, wants_two});
  CHECK_FALSE(of_a_class(ask_kube(*all, "ns/new")));
}

// Source: dynamic-resource-allocation: deviceclass/extendedresourcecache updateResourceName2class, v0.37.
TEST_CASE("extended resource: the resource name of a class may be lost to a newer class", "[kube][release]") {
  const auto with_classes = [](std::string_view a_created, std::string_view b_created, std::string_view resource) {
    const auto a_class = [](std::string_view name, std::string_view created) {
      return fmt::format(
          "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {{name: {}, creationTimestamp: '{}'}}\n"
          "spec: {{extendedResourceName: example.com/gpu}}\n",
          name, created);
    };
    return ask_kube(
        *a_cluster(
            {node_with_kubelet("node-a", "v1.36.1"), a_class("a", a_created), a_class("b", b_created),
             "apiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {name: s}\nspec: {driver: d, pool: {name: "
             "p, generation: 1, resourceSliceCount: 1}, allNodes: true, devices: [{name: d0}]}\n",
             fmt::format("apiVersion: v1\nkind: Pod\nmetadata: {{namespace: ns, name: new}}\nspec: {{containers: "
                         "[{{name: c, resources: {{requests: {{{}: \"1\"}}}}}}]}}\nstatus: {{phase: Pending}}\n",
                         resource)}),
        "ns/new");
  };
  constexpr std::string_view kOld = "2026-01-01T00:00:00Z";
  constexpr std::string_view kNew = "2026-02-01T00:00:00Z";
  const std::string of_b = "deviceclass.resource.kubernetes.io/b";
  // When it starts, the scheduler reads b after a; if a is newer, it drops b.
  const Answer open = with_classes(kNew, kOld, of_b);
  CHECK(open.outcome == Outcome::unknown);
  CHECK(std::any_of(open.gaps.begin(), open.gaps.end(),
                    [](const Gap& gap) { return gap.rule == GapRule::class_of_resource_open; }));
  CHECK(with_classes(kOld, kOld, of_b).outcome == Outcome::unknown);
  // In any order, a is read before b, or as the newer one.
  CHECK(with_classes(kOld, kNew, of_b).outcome == Outcome::fits);
  CHECK(with_classes(kOld, kNew, "deviceclass.resource.kubernetes.io/a").outcome == Outcome::fits);
  CHECK(with_classes(kNew, kOld, "example.com/gpu").outcome == Outcome::fits);
}
