// Rules that no recorded case of the real scheduler reaches. Expected values are derived by hand from upstream's code
// (v1.35.4).
#include "engine/kube/attempt.h"
#include "engine/kube/profile.h"
#include "engine/kube/running_release.h"
#include "engine/kube/unknown_volumes.h"
#include "support/cluster.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

using namespace previct;
using namespace previct::test;

namespace {

constexpr std::string_view kAllPlugins = R"(apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
)";

auto without(std::string_view plugin) -> std::string {
  return fmt::format("{}profiles:\n- plugins:\n    multiPoint:\n      disabled: [{{name: {}}}]\n", kAllPlugins, plugin);
}

auto decide(const TestCluster& cluster, std::string config = std::string(kAllPlugins), std::string_view plugin = "off")
    -> kube::Decision {
  Question q;
  q.ns = "ns";
  q.name = "new";
  q.now = parse_instant("2026-03-02T12:00:00Z").value();
  q.toleration_plugin = plugin;
  q.scheduler_config = ConfigFile{FileId{}, std::move(config)};
  const Snapshot& snapshot = *cluster.snapshot;
  const PodId pod = snapshot.find_pod(q.ns, q.name);
  const auto profile = kube::profile_for(snapshot, scheduler_of(snapshot, pod), q);
  if (!profile) FAIL(profile.error().message);
  const auto running = kube::running_release(snapshot, q);
  if (!running) FAIL(running.error().message);
  kube::NodeInfoSnapshot node_infos(snapshot, running->release);
  return kube::attempt(node_infos, kube::Budgets(node_infos), pod, **profile, q.now, {.records_results = true});
}

auto id(const kube::Status& status) -> std::string_view {
  return kube::info(status.reasons.front().rule).id;
}
auto first_node(const kube::Decision& d) -> std::string_view {
  return id(d.nodes[NodeId{0}].filter);
}

auto pod_with_volume_claim() -> std::string {
  return a_pod("ns/new").priority(9).spec("volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]").yaml();
}
auto the_volume_claim(std::string_view spec, std::string_view more_meta = "", std::string_view phase = "Pending")
    -> std::string {
  return fmt::format(
      "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {{namespace: ns, name: data, {}}}\nspec: {{{}}}\n"
      "status: {{phase: {}}}\n",
      more_meta, spec, phase);
}

}  // namespace

TEST_CASE("node affinity: addedAffinity of the scheduler's arguments keeps every pod off other nodes") {
  const auto cluster = a_cluster({a_node("a", "4"), a_pod("ns/new").yaml()});
  const std::string config = fmt::format("{}{}", kAllPlugins, R"(profiles:
- pluginConfig:
  - name: NodeAffinity
    args:
      addedAffinity:
        requiredDuringSchedulingIgnoredDuringExecution:
          nodeSelectorTerms: [{matchExpressions: [{key: pool, operator: Exists}]}]
)");
  CHECK(first_node(decide(*cluster, config)) == "kube.filter.added-affinity");
}

// Source: plugins/nodeaffinity/node_affinity.go PreFilter: only terms that all name nodes, and no node together, are a
// conflict. component-helpers: scheduling/corev1/nodeaffinity: no term, and an empty term, match no node.
TEST_CASE("node affinity: terms conflict only if they name nodes") {
  const auto rule = [](const std::string& terms) {
    const auto cluster = a_cluster({a_node("a", "4"), a_pod("ns/new")
                                                          .spec("affinity: {nodeAffinity: "
                                                                "{requiredDuringSchedulingIgnoredDuringExecution: "
                                                                "{nodeSelectorTerms: [" +
                                                                terms + "]}}}")
                                                          .yaml()});
    return std::string(first_node(decide(*cluster)));
  };
  const auto named = [](const std::string& name) {
    return "{key: metadata.name, operator: In, values: [" + name + "]}";
  };
  const std::string conflict = "{matchFields: [" + named("a") + ", " + named("b") + "]}";
  CHECK(rule(conflict) == "kube.prefilter.affinity-conflict");
  CHECK(rule(conflict + ", " + conflict) == "kube.prefilter.affinity-conflict");
  for (const std::string& terms : {std::string(), std::string("{}"), conflict + ", {}",
                                   conflict + ", {matchExpressions: [{key: x, operator: Exists}]}"})
    CHECK(rule(terms) == "kube.filter.node-affinity");
}

TEST_CASE("volume claim: one whose class does not exist does not wait for a consumer") {
  // Source: component-helpers: storage/volume/helpers.go IsDelayBindingMode: false, and no error, without the class.
  const auto unbound = [](const std::string& name) {
    const auto cluster = a_cluster(
        {a_node("a", "4"), the_volume_claim("storageClassName: fast"), pod_with_volume_claim(),
         fmt::format("apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {{name: {}}}\nprovisioner: "
                     "x\nvolumeBindingMode: Immediate\n",
                     name)});
    const auto decision = decide(*cluster);
    const kube::Status& status = decision.nodes[NodeId{0}].filter;
    CHECK(id(status) == "kube.prefilter.claim-unbound");
    return status.reasons.front().rule;
  };
  CHECK(unbound("fast") == kube::Rule::claim_unbound);
  CHECK(unbound("slow") == kube::Rule::claim_class_missing);
}

// Source: plugins/volumebinding/binder.go GetPodVolumeClaims: a claim with volumeName is bound only with the annotation
// pv.kubernetes.io/bind-completed, and waits for no consumer.
TEST_CASE("volume claim: one that names a volume, or has no class, is not the matter of a class") {
  const auto rule = [](const std::string& spec) {
    const auto cluster = a_cluster({a_node("a", "4"), the_volume_claim(spec, "", "Pending"), pod_with_volume_claim(),
                                    "apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: "
                                    "late}\nprovisioner: x\nvolumeBindingMode: WaitForFirstConsumer\n"});
    const auto decision = decide(*cluster);
    const kube::Status& status = decision.nodes[NodeId{0}].filter;
    CHECK(id(status) == "kube.prefilter.claim-unbound");
    CHECK_FALSE(kube::unknown_volumes(*cluster->snapshot, cluster->objects.pods.items().front()));
    return status.reasons.front().rule;
  };
  CHECK(rule("storageClassName: late, volumeName: v") == kube::Rule::claim_names_volume);
  CHECK(rule("storageClassName: ''") == kube::Rule::claim_without_class);
}

TEST_CASE("volume claim: one that lost its volume, or is being deleted, rejects the pod on every node") {
  const auto lost =
      a_cluster({a_node("a", "4"), the_volume_claim("volumeName: v", "", "Lost"), pod_with_volume_claim()});
  CHECK(first_node(decide(*lost)) == "kube.prefilter.claim-lost");
  const auto deleting =
      a_cluster({a_node("a", "4"), the_volume_claim("volumeName: v", "deletionTimestamp: '2026-03-02T11:00:00Z'"),
                 pod_with_volume_claim()});
  CHECK(first_node(decide(*deleting)) == "kube.prefilter.claim-deleting");
}

TEST_CASE("volume claim: a missing claim rejects the pod on every node") {
  const auto cluster = a_cluster({a_node("a", "4"), pod_with_volume_claim()});
  CHECK(first_node(decide(*cluster)) == "kube.prefilter.claim-missing");
}

TEST_CASE("volume claim: VolumeZone reports a missing volume first, VolumeBinding only without it") {
  const auto cluster =
      a_cluster({a_node("a", "4"),
                 the_volume_claim("volumeName: v", "annotations: {pv.kubernetes.io/bind-completed: 'yes'}", "Bound"),
                 pod_with_volume_claim()});
  CHECK(first_node(decide(*cluster)) == "kube.prefilter.volume-missing");
  CHECK(first_node(decide(*cluster, without("VolumeZone"))) == "kube.filter.volume-gone");
}

TEST_CASE("volume claim: without VolumeBinding, VolumeZone rejects unbound claims") {
  const std::string config = without("VolumeBinding");
  const auto with_class = [](std::string_view spec, std::string_view mode) {
    return a_cluster({a_node("a", "4"), the_volume_claim(spec), pod_with_volume_claim(),
                      fmt::format("apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {{name: fast}}\n"
                                  "provisioner: p\nvolumeBindingMode: {}\n",
                                  mode)});
  };
  CHECK(first_node(decide(*with_class("accessModes: []", "Immediate"), config)) == "kube.prefilter.claim-classless");
  CHECK(first_node(decide(*with_class("storageClassName: slow", "Immediate"), config)) ==
        "kube.filter.storage-class-missing");
  CHECK(first_node(decide(*with_class("storageClassName: fast", "Immediate"), config)) ==
        "kube.prefilter.volume-unnamed");
  CHECK(decide(*with_class("storageClassName: fast", "WaitForFirstConsumer"), config).ending ==
        kube::Ending::scheduled);
}

TEST_CASE("node choice: with equal violations, first victim and priority sum, fewer victims are better") {
  // Each victim adds its priority + 2³¹ to the sum, so one of priority -2³¹ adds nothing: {5} and {5, -2³¹} are equal
  // in sum, and 1 < 2 victims decides (kube.pick.victim-count).
  const auto cluster =
      a_cluster({a_node("two", "2"), a_node("one", "2"), a_pod("ns/a").on("two").priority(5).yaml(),
                 a_pod("ns/b").on("two").priority(-2147483647 - 1).yaml(),
                 a_pod("ns/c").on("one").priority(5).cpu("2").yaml(), a_pod("ns/new").priority(9).cpu("2").yaml()});
  const kube::Decision d = decide(*cluster);
  REQUIRE(d.choice.chosen.size() == 1);
  const NodeId best = d.choice.chosen.front();
  CHECK(cluster->snapshot->name(best) == "one");
  const NodeId other{1 - best.index};
  CHECK(kube::info(kube::deciding_rule(*d.nodes[best].run, *d.nodes[other].run)).id == "kube.pick.victim-count");
}

TEST_CASE("node choice: with equal violations and first victim, a smaller priority sum is better") {
  // {5, 1} and {5, 2}, each with 2³¹ added twice: 6 < 7 decides (kube.pick.priority-sum).
  const auto cluster =
      a_cluster({a_node("more", "2"), a_node("less", "2"), a_pod("ns/a").on("more").priority(5).yaml(),
                 a_pod("ns/b").on("more").priority(2).yaml(), a_pod("ns/c").on("less").priority(5).yaml(),
                 a_pod("ns/d").on("less").priority(1).yaml(), a_pod("ns/new").priority(9).cpu("2").yaml()});
  const kube::Decision d = decide(*cluster);
  REQUIRE(d.choice.chosen.size() == 1);
  const NodeId best = d.choice.chosen.front();
  CHECK(cluster->snapshot->name(best) == "less");
  const NodeId other{1 - best.index};
  CHECK(kube::info(kube::deciding_rule(*d.nodes[best].run, *d.nodes[other].run)).id == "kube.pick.priority-sum");
}

TEST_CASE("preemption toleration: without PriorityClasses in the input, it is reported as unknown") {
  const auto cluster = a_cluster({a_node("a", "1"), a_pod("ns/old").on("a").priority(1).priority_class("low").yaml(),
                                  a_pod("ns/new").priority(9).yaml()});
  const kube::Decision d = decide(*cluster, std::string(kAllPlugins), "on");
  REQUIRE(d.tolerances.size() == 1);
  CHECK(kube::info(d.tolerances.front().tolerance.reason.rule).id == "kube.tolerance.unknown");
}

TEST_CASE("topology spread: nodeAffinityPolicy decides whether nodes that the pod may not use are domains") {
  for (const bool ignore : {false, true}) {
    const auto zoned = [](const std::string& name, const std::string& zone) {
      std::string node = a_node(name, "4");
      return node.insert(node.find("labels: {") + 9, "zone: " + zone + ", ");
    };
    const std::string policy = ignore ? ", nodeAffinityPolicy: Ignore" : "";
    const auto cluster = a_cluster(
        {zoned("n1", "a"), zoned("n2", "b"), a_pod("ns/web").on("n1").labels("{app: web}").yaml(),
         a_pod("ns/new")
             .labels("{app: web}")
             .spec(
                 "nodeSelector: {zone: a}\n  topologySpreadConstraints: [{maxSkew: 1, topologyKey: "
                 "kubernetes.io/hostname, whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {app: web}}" +
                 policy + "}]")
             .yaml()});
    const kube::Decision d = decide(*cluster);
    // n1 has one pod, and would have two. If n2 counts, it has none: 2 - 0 is above maxSkew. Otherwise n1 is alone, and
    // 2 - 1 is not.
    CHECK(d.feasible.size() == (ignore ? 0 : 1));
    if (ignore) CHECK(first_node(d) == "kube.filter.spread-skew");
  }
}

TEST_CASE("topology spread: default constraints of the arguments apply to pods of a Service") {
  const std::string config =
      std::string(kAllPlugins) +
      "profiles:\n- pluginConfig:\n  - name: PodTopologySpread\n    args: {defaultingType: List, "
      "defaultConstraints: [{maxSkew: 1, topologyKey: kubernetes.io/hostname, "
      "whenUnsatisfiable: DoNotSchedule}]}\n";
  for (const bool served : {false, true}) {
    std::vector<std::string> documents = {a_node("n1", "4"), a_node("n2", "4"),
                                          a_pod("ns/web").on("n1").labels("{app: web}").yaml(),
                                          a_pod("ns/new").labels("{app: web}").yaml()};
    if (served)
      documents.emplace_back(
          "apiVersion: v1\nkind: Service\nmetadata: {namespace: ns, name: web}\nspec: {selector: {app: web}}\n");
    const auto cluster = a_cluster(documents);
    const kube::Decision d = decide(*cluster, config);
    // Source: buildDefaultConstraints. The selector is that of the Services; without a Service there is none.
    CHECK(d.feasible.size() == (served ? 1 : 2));
    if (served) CHECK(first_node(d) == "kube.filter.spread-skew");
  }
  // Source: plugins/helper/spread.go DefaultSelector. A controller of another API group has no selector, whatever its
  // kind.
  for (const std::string version : {"apps/v1", "apps.kruise.io/v1beta1"}) {
    std::string owned = a_pod("ns/new").labels("{app: web}").yaml();
    const std::string name = "  name: new\n";
    owned.insert(owned.find(name), "  ownerReferences: [{apiVersion: " + version +
                                       ", kind: StatefulSet, name: web, controller: true}]\n");
    const auto cluster =
        a_cluster({a_node("n1", "4"), a_node("n2", "4"), a_pod("ns/web").on("n1").labels("{app: web}").yaml(), owned,
                   "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {namespace: ns, name: web}\nspec: {selector: "
                   "{matchLabels: {app: web}}}\n"});
    CHECK(decide(*cluster, config).feasible.size() == (version == "apps/v1" ? 1 : 2));
  }
}
