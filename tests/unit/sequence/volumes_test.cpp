// Volumes in a simulation: a pod that is placed takes the volumes that its claims wait for.
#include "analysis/subject.h"
#include "sequence/kube_scenario.h"
#include "sequence/simulated_cluster.h"
#include "support/cluster.h"
#include "support/owned.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace previct::sequence {
namespace {

using test::a_cluster;
using test::a_pod;
using test::TestCluster;

auto zonal_node(const std::string& name, const std::string& zone) -> std::string {
  return fmt::format(
      "apiVersion: v1\nkind: Node\nmetadata: {{name: {0}, labels: {{kubernetes.io/hostname: {0}, zone: {1}}}}}\n"
      "status: {{allocatable: {{cpu: '1', memory: 16Gi, pods: '110'}}}}\n",
      name, zone);
}

auto waiting_class(const std::string& provisioner) -> std::string {
  return "apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: s}\nvolumeBindingMode: "
         "WaitForFirstConsumer\nprovisioner: " +
         provisioner + "\n";
}

auto waiting_claim(const std::string& name) -> std::string {
  return fmt::format(
      "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {{namespace: d, name: {}}}\nspec: {{accessModes: "
      "[ReadWriteMany], storageClassName: s, resources: {{requests: {{storage: 1Gi}}}}}}\n"
      "status: {{phase: Pending}}\n",
      name);
}

auto free_volume(const std::string& name, const std::string& node) -> std::string {
  return fmt::format(
      "apiVersion: v1\nkind: PersistentVolume\nmetadata: {{name: {}}}\nspec: {{capacity: {{storage: 1Gi}}, "
      "accessModes: [ReadWriteMany], storageClassName: s, nodeAffinity: {{required: {{nodeSelectorTerms: "
      "[{{matchExpressions: [{{key: kubernetes.io/hostname, operator: In, values: [{}]}}]}}]}}}}}}\n"
      "status: {{phase: Available}}\n",
      name, node);
}

auto csi_node_of(const std::string& node, const std::string& drivers) -> std::string {
  return fmt::format("apiVersion: storage.k8s.io/v1\nkind: CSINode\nmetadata: {{name: {}}}\nspec: {{drivers: [{}]}}\n",
                     node, drivers);
}

auto user_of(const std::string& claim, const std::string& pod, int priority, const std::string& selector = "{}",
             const std::string& cpu = "100m") -> std::string {
  return a_pod(pod)
      .priority(priority)
      .cpu(cpu)
      .spec(fmt::format("nodeSelector: {}\n  volumes: [{{name: v, persistentVolumeClaim: {{claimName: {}}}}}]",
                        selector, claim))
      .yaml();
}

auto simulated_volumes(TestCluster& cluster) -> SimulationResult {
  Settings settings;
  settings.question.now = parse_instant("2026-03-02T12:00:00Z").value();
  settings.question.k8s_version = "1.35";
  settings.controllers = true;
  for (const Subject& subject : pending_subjects(*cluster.snapshot, "")) settings.pods.push_back(subject.pod);
  auto play = simulate_kube(cluster.objects, settings, {});
  if (!play) FAIL(play.error().message);
  return *std::move(play);
}

auto end_called(const SimulationResult& play, const std::string& pod) -> const End& {
  const auto found = std::find_if(play.ends.begin(), play.ends.end(), [&](const End& end) { return end.name == pod; });
  REQUIRE(found != play.ends.end());
  INFO(found->why);
  return *found;
}

}  // namespace

// Source: plugins/volumebinding Reserve, binder.go AssumePodVolumes, v1.35.
TEST_CASE("volumes: one that a pod has taken is not free for the next pod", "[sequence][volumes]") {
  const auto documents = [](int volumes) {
    std::vector<std::string> all = {
        zonal_node("n1", "a"),  zonal_node("n2", "b"), waiting_class("kubernetes.io/no-provisioner"),
        waiting_claim("c"),     waiting_claim("e"),    csi_node_of("n1", ""),
        user_of("c", "d/p", 9), user_of("e", "d/q", 8)};
    for (int i = 0; i < volumes; ++i) all.push_back(free_volume(fmt::format("v{}", i), "n1"));
    return all;
  };
  const auto one = a_cluster(documents(1));
  const SimulationResult play = simulated_volumes(*one);
  CHECK(end_called(play, "d/p").kind == End::Kind::bound);
  const End& left = end_called(play, "d/q");
  CHECK(left.kind == End::Kind::unschedulable);
  CHECK(left.why.find("2 node(s) didn't find available persistent volumes to bind") != std::string::npos);
  // The volume and the claims are those of the input again.
  CHECK_FALSE(one->objects.persistent_volumes.front().spec.claim);
  CHECK_FALSE(one->objects.persistent_volume_claims.front().spec.volume_name);

  const auto two = a_cluster(documents(2));
  CHECK(end_called(simulated_volumes(*two), "d/q").kind == End::Kind::bound);
}

// Source: plugins/volumebinding Unreserve, binder.go RevertAssumedPodVolumes, v1.35. The API server is down when d/p
// would be bound; d/q, which arrives while d/p backs off, takes the volume.
TEST_CASE("volumes: one that was assumed for a pod is free again when its binding fails", "[sequence][volumes]") {
  const auto cluster = a_cluster({zonal_node("n1", "a"), waiting_class("kubernetes.io/no-provisioner"),
                                  waiting_claim("c"), waiting_claim("e"), csi_node_of("n1", ""), user_of("c", "d/p", 9),
                                  user_of("e", "d/q", 8), free_volume("v0", "n1")});
  Settings settings;
  settings.question.now = parse_instant("2026-03-02T12:00:00Z").value();
  settings.question.k8s_version = "1.35";
  settings.pods = {cluster->snapshot->find_pod("d", "p"), cluster->snapshot->find_pod("d", "q")};
  settings.arrivals = {{settings.pods.back(), kSecond / 10}};
  settings.failures = {{Failure::Verb::any, {}, 0, kSecond / 20}};
  const auto play = simulate_kube(cluster->objects, settings, {});
  REQUIRE(play);
  CHECK(end_called(*play, "d/q").kind == End::Kind::bound);
  CHECK(end_called(*play, "d/p").kind == End::Kind::unschedulable);
}

// The capacity of 1Gi is that of the input for both claims of 1Gi, which is said once there are two.
TEST_CASE("volumes: the capacity is assumed to be enough for all new volumes", "[sequence][volumes]") {
  const auto assumes = [](const std::string& other) {
    const auto cluster = a_cluster(
        {zonal_node("n1", "a"), waiting_class("csi.x"), waiting_claim("c"), waiting_claim("e"),
         csi_node_of("n1", "{name: csi.x, nodeID: n1}"), user_of("c", "d/p", 9), user_of(other, "d/q", 8),
         "apiVersion: storage.k8s.io/v1\nkind: CSIDriver\nmetadata: {name: csi.x}\nspec: {storageCapacity: true}\n",
         "apiVersion: storage.k8s.io/v1\nkind: CSIStorageCapacity\nmetadata: {namespace: d, name: s}\n"
         "storageClassName: s\nnodeTopology: {}\ncapacity: 1Gi\n"});
    const SimulationResult play = simulated_volumes(*cluster);
    return std::any_of(play.decision_gaps.begin(), play.decision_gaps.end(),
                       [](const Gap& gap) { return gap.rule == GapRule::capacity_for_all; });
  };
  CHECK(assumes("e"));
  CHECK_FALSE(assumes("c"));
}

// d/p takes all CPU of n1, in zone a. While the volume is being created, its claim names n1: then no other node suits
// the claim. The new volume can be reached from zone a, as the driver's topologyKeys say.
TEST_CASE("volumes: the new volume of a shared claim has the topology of its first node", "[sequence][volumes]") {
  const auto documents = [](const std::string& drivers) {
    return std::vector<std::string>{
        zonal_node("n1", "a"),
        zonal_node("n2", "b"),
        zonal_node("n3", "a"),
        waiting_class("csi.x"),
        waiting_claim("c"),
        "apiVersion: storage.k8s.io/v1\nkind: CSIDriver\nmetadata: {name: csi.x}\nspec: {}\n",
        free_volume("v", "n9"),
        csi_node_of("n1", drivers),
        user_of("c", "d/p", 9, "{kubernetes.io/hostname: n1}", "1"),
        user_of("c", "d/other-zone", 8, "{zone: b}"),
        user_of("c", "d/same-zone", 7)};
  };
  const auto told = [](const SimulationResult& play) {
    return std::any_of(play.decision_gaps.begin(), play.decision_gaps.end(),
                       [](const Gap& gap) { return gap.rule == GapRule::topology_of_new_volume; });
  };
  const auto zonal = a_cluster(documents("{name: csi.x, topologyKeys: [zone]}"));
  const SimulationResult play = simulated_volumes(*zonal);
  CHECK(end_called(play, "d/p").kind == End::Kind::bound);
  CHECK(end_called(play, "d/other-zone").kind == End::Kind::unschedulable);
  const End& same_zone = end_called(play, "d/same-zone");
  CHECK(same_zone.kind == End::Kind::bound);
  CHECK(zonal->snapshot->name(same_zone.node) == "n3");
  CHECK(told(play));

  // A driver without topology serves all nodes.
  const auto anywhere = a_cluster(documents("{name: csi.x}"));
  const SimulationResult free = simulated_volumes(*anywhere);
  CHECK(end_called(free, "d/other-zone").kind == End::Kind::bound);
  CHECK_FALSE(told(free));

  const auto unknown = a_cluster(documents(""));
  const SimulationResult without_driver = simulated_volumes(*unknown);
  const End& open = end_called(without_driver, "d/same-zone");
  CHECK(open.kind == End::Kind::not_simulated);
  REQUIRE(open.unknown);
  CHECK(open.unknown->rule == GapRule::volume_to_be_made);
}

// Source: pkg/controller/volume/ephemeral/controller.go handleVolume, v1.36.
TEST_CASE("volumes: a new pod gets the claims of its ephemeral volumes", "[sequence][volumes]") {
  const std::string scratch = "volumes: [{name: scratch, ephemeral: {volumeClaimTemplate: {spec: {}}}}]";
  std::string claim = waiting_claim("web-1-scratch");
  claim.replace(claim.find("namespace: d,"), 13,
                "namespace: d, ownerReferences: [{kind: Pod, name: web-1, uid: uid-d-web-1, controller: true}],");
  const auto cluster =
      a_cluster({zonal_node("n1", "a"), zonal_node("n2", "a"), waiting_class("csi.x"), claim, free_volume("v", "n9"),
                 "apiVersion: storage.k8s.io/v1\nkind: CSIDriver\nmetadata: {name: csi.x}\nspec: {}\n",
                 csi_node_of("n2", "{name: csi.x}"),
                 test::owned(a_pod("d/web-1").on("n1").spec(scratch).yaml(), "ReplicaSet", "web"),
                 a_pod("d/p").priority(9).spec("nodeSelector: {kubernetes.io/hostname: n1}").yaml(),
                 a_pod("d/alone").priority(-1).cpu("0").spec(scratch).yaml()});
  const SimulationResult play = simulated_volumes(*cluster);
  CHECK(end_called(play, "d/p").kind == End::Kind::bound);
  const End& again = end_called(play, "d/web-new-1");
  CHECK(again.kind == End::Kind::bound);
  CHECK(again.attempts == 2);
  CHECK(cluster->objects.persistent_volume_claims.size() == 1);

  // The template of a pod's own manifest is not read, and no other pod shows what its claim would be.
  const End& alone = end_called(play, "d/alone");
  CHECK(alone.kind == End::Kind::not_simulated);
  REQUIRE(alone.unknown);
  CHECK(alone.unknown->rule == GapRule::ephemeral_claim_awaited);
}

// The PersistentVolume controller binds such a claim in its own time.
TEST_CASE("volumes: that an unbound claim of another binding mode stays unbound is an assumption",
          "[sequence][volumes]") {
  const auto told = [](const std::string& mode) {
    const auto cluster =
        a_cluster({zonal_node("n1", "a"), waiting_claim("c"), free_volume("v", "n1"), user_of("c", "d/p", 9),
                   "apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: s}\nprovisioner: csi.x\n"
                   "volumeBindingMode: " +
                       mode + "\n"});
    const SimulationResult play = simulated_volumes(*cluster);
    return std::any_of(play.decision_gaps.begin(), play.decision_gaps.end(),
                       [](const Gap& gap) { return gap.rule == GapRule::claim_stays_unbound; });
  };
  CHECK(told("Immediate"));
  CHECK_FALSE(told("WaitForFirstConsumer"));
}

// Source: pkg/controller/statefulset/stateful_set_utils.go updateStorage, getPersistentVolumeClaimName, v1.35.
TEST_CASE("volumes: another pod of a StatefulSet gets a claim of its own", "[sequence][volumes]") {
  const auto cluster =
      a_cluster({waiting_class("csi.x"), waiting_claim("data-db-0"), waiting_claim("shared"),
                 a_pod("d/db-0")
                     .spec("volumes: [{name: data, persistentVolumeClaim: {claimName: data-db-0}}, {name: s, "
                           "persistentVolumeClaim: {claimName: shared}}]")
                     .yaml()});
  Symbols& symbols = cluster->objects.symbols;
  {
    SimulatedCluster simulated(cluster->objects);
    Pod pod = simulated.pod(PodId{0});
    CHECK(symbols.text(simulated.name_by_ordinal(pod, symbols.intern("db"), 3)) == "db-3");
    CHECK(symbols.text(pod.spec.volumes[0].claim.claim_name) == "data-db-3");
    CHECK(symbols.text(pod.spec.volumes[1].claim.claim_name) == "shared");
    const PersistentVolumeClaim* const made = simulated.cluster().claim(pod.meta.ns, symbols.intern("data-db-3"));
    REQUIRE(made != nullptr);
    CHECK(symbols.text(made->spec.storage_class_name) == "s");
  }
  CHECK(cluster->objects.persistent_volume_claims.size() == 2);
}

// n1 accepts one volume. That of d/old, which terminates until 12:00:10, is attached; d/p waits for it to be detached.
// That d/other ends before does not requeue d/p: it has no volume. Source: plugins/nodevolumelimits/csi.go
// isSchedulableAfterPodDeleted, EventsToRegister, v1.35.
TEST_CASE("volumes: those of a pod that has left its node are detached", "[sequence][volumes]") {
  std::vector<std::string> documents = {
      zonal_node("n1", "a"), csi_node_of("n1", "{name: csi.x, allocatable: {count: 1}}"),
      "apiVersion: storage.k8s.io/v1\nkind: VolumeAttachment\nmetadata: {name: x}\nspec: {attacher: csi.x, nodeName: "
      "n1, source: {persistentVolumeName: v}}\nstatus: {attached: true}\n"};
  for (const char* name : {"v", "w"})
    documents.push_back(fmt::format(
        "apiVersion: v1\nkind: PersistentVolume\nmetadata: {{name: {0}}}\nspec: {{capacity: {{storage: 1Gi}}, "
        "accessModes: [ReadWriteOnce], csi: {{driver: csi.x, volumeHandle: {0}}}}}\nstatus: {{phase: Bound}}\n---\n"
        "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {{namespace: d, name: {0}, annotations: "
        "{{pv.kubernetes.io/bind-completed: 'yes'}}}}\nspec: {{accessModes: [ReadWriteOnce], volumeName: {0}}}\n"
        "status: {{phase: Bound}}\n",
        name));
  documents.push_back(a_pod("d/old")
                          .on("n1")
                          .cpu("0")
                          .deleting("2026-03-02T12:00:10Z")
                          .spec("volumes: [{name: v, persistentVolumeClaim: {claimName: v}}]")
                          .yaml());
  documents.push_back(a_pod("d/other").on("n1").cpu("0").deleting("2026-03-02T12:00:05Z").yaml());
  documents.push_back(user_of("w", "d/p", 0));
  const auto cluster = a_cluster(documents);
  const SimulationResult play = simulated_volumes(*cluster);
  const End& end = end_called(play, "d/p");
  CHECK(end.kind == End::Kind::bound);
  CHECK(end.attempts == 2);
  CHECK(end.at / kSecond == 10);
  CHECK(cluster->objects.volume_attachments.size() == 1);
}

}  // namespace previct::sequence
