// Which volume is found for a claim that waits for its first consumer. Expected values are derived by hand from
// upstream's pkg/volume/util FindMatchingVolume, CheckVolumeModeMismatches, CheckAccessModes, and
// plugins/volumebinding/binder.go (v1.35.4). No volume can be provisioned here, so the pod fits if a volume is found
// for each claim.
#include "unit/engine/kube/ask.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

using namespace previct;
using namespace previct::test;

namespace {

const std::string kLocal =
    "apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: local}\n"
    "provisioner: kubernetes.io/no-provisioner\nvolumeBindingMode: WaitForFirstConsumer\n";

struct FreeVolume {
  std::string size = "2Gi";
  std::string modes = "ReadWriteOnce";
  std::string more = "storageClassName: local";  // more fields of its spec
  std::string phase = "Available";
  std::string meta = "labels: {tier: fast}";
};
struct OpenClaim {
  std::string size = "2Gi";
  std::string modes = "ReadWriteOnce";
  std::string more = "";
};

auto found(const std::vector<OpenClaim>& claims, const std::vector<FreeVolume>& volumes) -> bool {
  std::vector<std::string> documents = {
      "apiVersion: v1\nkind: Node\nmetadata: {name: a, labels: {zone: east}}\n"
      "status: {allocatable: {cpu: '4', memory: 8Gi, pods: '110'}}\n",
      kLocal};
  std::string used;
  for (std::size_t i = 0; i < claims.size(); ++i) {
    documents.push_back(
        fmt::format("apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {{namespace: ns, name: c{}, uid: u{}}}\n"
                    "spec: {{accessModes: [{}], storageClassName: local, resources: {{requests: {{storage: {}}}}}{}}}\n"
                    "status: {{phase: Pending}}\n",
                    i, i, claims[i].modes, claims[i].size, claims[i].more));
    used += fmt::format("{{name: d{0}, persistentVolumeClaim: {{claimName: c{0}}}}}, ", i);
  }
  for (std::size_t i = 0; i < volumes.size(); ++i) {
    const FreeVolume& v = volumes[i];
    documents.push_back(
        fmt::format("apiVersion: v1\nkind: PersistentVolume\nmetadata: {{name: v{}, {}}}\n"
                    "spec: {{capacity: {{storage: {}}}, accessModes: [{}], {}}}\nstatus: {{phase: {}}}\n",
                    i, v.meta, v.size, v.modes, v.more, v.phase));
  }
  documents.push_back(a_pod("ns/new").spec(fmt::format("volumes: [{}]", used)).yaml());
  const Answer answer = ask(documents);
  if (answer.outcome != Outcome::fits) CHECK(first_rule(answer) == "kube.filter.volume-unbindable");
  return answer.outcome == Outcome::fits;
}

}  // namespace

TEST_CASE("volume binding: a claim finds a volume that offers what it requests", "[kube][volumes]") {
  CHECK(found({{}}, {{}}));
  CHECK(found({{"2Gi"}}, {{"3Gi"}}));
  CHECK_FALSE(found({{"2Gi"}}, {{"1Gi"}}));
  // Every requested mode must be offered.
  CHECK(found({{"2Gi", "ReadWriteOnce"}}, {{"2Gi", "ReadOnlyMany, ReadWriteOnce"}}));
  CHECK_FALSE(found({{"2Gi", "ReadWriteOnce, ReadOnlyMany"}}, {{"2Gi", "ReadWriteOnce"}}));
  CHECK_FALSE(found({{"2Gi", "ReadWriteMany"}}, {{"2Gi", "ReadWriteOnce"}}));
  const auto offers = [](const std::string& more) { return FreeVolume{.more = more}; };
  CHECK_FALSE(found({{}}, {offers("storageClassName: other")}));
  // No mode means Filesystem.
  CHECK(found({{}}, {offers("storageClassName: local, volumeMode: Filesystem")}));
  CHECK_FALSE(found({{}}, {offers("storageClassName: local, volumeMode: Block")}));
  CHECK(found({{.more = ", volumeMode: Block"}}, {offers("storageClassName: local, volumeMode: Block")}));
  CHECK_FALSE(found({{.more = ", volumeMode: Block"}}, {{}}));
  const auto reached_from = [&](std::string_view zone) {
    return offers(
        fmt::format("storageClassName: local, nodeAffinity: {{required: {{nodeSelectorTerms: "
                    "[{{matchExpressions: [{{key: zone, operator: In, values: [{}]}}]}}]}}}}",
                    zone));
  };
  CHECK(found({{}}, {reached_from("east")}));
  CHECK_FALSE(found({{}}, {reached_from("west")}));
  CHECK(found({{.more = ", selector: {matchLabels: {tier: fast}}"}}, {{}}));
  CHECK_FALSE(found({{.more = ", selector: {matchLabels: {tier: slow}}"}}, {{}}));
  CHECK_FALSE(found({{}}, {{.phase = "Released"}}));
  CHECK_FALSE(found({{}}, {{.meta = "deletionTimestamp: '2026-03-02T11:00:00Z', finalizers: [x/y]"}}));
}

TEST_CASE("volume binding: a volume whose claimRef names the claim is used, whatever else there is",
          "[kube][volumes]") {
  const auto promised = [](const std::string& to, const std::string& more = "") {
    return FreeVolume{.more = "storageClassName: local, claimRef: {" + to + "}" + more, .phase = "Released"};
  };
  const std::string mine = "namespace: ns, name: c0";
  CHECK(found({{}}, {promised(mine)}));
  CHECK(found({{}}, {promised(mine + ", uid: u0")}));
  CHECK_FALSE(found({{}}, {promised(mine + ", uid: other")}));
  CHECK_FALSE(found({{}}, {promised("namespace: ns, name: c9")}));
  CHECK_FALSE(found({{}}, {promised("namespace: xx, name: c0")}));
  // For such a volume, modes and labels are not compared, but it must be reachable.
  CHECK(found({{"2Gi", "ReadWriteMany", ", selector: {matchLabels: {tier: slow}}"}}, {promised(mine)}));
  const std::string far =
      ", nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions: [{key: zone, operator: In, values: [w]}]}]}}";
  CHECK_FALSE(found({{}}, {promised(mine, far), {}}));
}

TEST_CASE("volume binding: the smallest claim comes first, and each volume is used once", "[kube][volumes]") {
  CHECK_FALSE(found({{}, {}}, {{}}));
  CHECK(found({{}, {}}, {{}, {}}));
  // The small claim takes the smallest volume, however they are ordered, and leaves the large one.
  CHECK(found({{"1Gi"}, {"2Gi"}}, {{"2Gi"}, {"1Gi"}}));
  CHECK(found({{"2Gi"}, {"1Gi"}}, {{"1Gi"}, {"2Gi"}}));
  CHECK(found({{"2Gi"}, {"1Gi"}}, {{"3Gi"}, {"1Gi"}, {"2Gi"}}));
  CHECK_FALSE(found({{"2Gi"}, {"1Gi"}}, {{"1Gi"}, {"1Gi"}}));
  // If the large claim came first, it would take the only volume with both modes, which the small one needs.
  CHECK(found({{"2Gi", "ReadWriteOnce"}, {"1Gi", "ReadOnlyMany"}},
              {{"2Gi", "ReadWriteOnce, ReadOnlyMany"}, {"3Gi", "ReadWriteOnce"}}));
}

// Source: binder.go tryTranslatePVToCSI. A volume of an in-tree plugin is read as one of its CSI driver if the CSINode
// names the plugin as migrated. Zones a and b are not in one region, so this volume cannot be translated.
TEST_CASE("volume translation: an untranslatable volume is an error only if its plugin is migrated",
          "[kube][volumes]") {
  const auto outcome = [](std::string_view plugins) {
    return ask({a_node("a", "4"),
                fmt::format("apiVersion: storage.k8s.io/v1\nkind: CSINode\nmetadata: {{name: a, annotations: "
                            "{{storage.alpha.kubernetes.io/migrated-plugins: '{}'}}}}\nspec: {{drivers: []}}\n",
                            plugins),
                "apiVersion: v1\nkind: PersistentVolume\nmetadata: {name: v, labels: {topology.kubernetes.io/zone: "
                "b__a}}\nspec: {capacity: {storage: 2Gi}, accessModes: [ReadWriteOnce], gcePersistentDisk: {pdName: "
                "d}, "
                "claimRef: {namespace: ns, name: c, uid: u}}\nstatus: {phase: Bound}\n",
                "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {namespace: ns, name: c, uid: u, annotations: "
                "{pv.kubernetes.io/bind-completed: 'yes'}}\nspec: {accessModes: [ReadWriteOnce], volumeName: v, "
                "storageClassName: '', resources: {requests: {storage: 2Gi}}}\nstatus: {phase: Bound}\n",
                a_pod("ns/new").spec("volumes: [{name: d, persistentVolumeClaim: {claimName: c}}]").yaml()})
        .outcome;
  };
  CHECK(outcome("kubernetes.io/gce-pd") == Outcome::error);
  CHECK(outcome("kubernetes.io/cinder") == Outcome::fits);
}

// Source: binder.go checkVolumeProvisions; pkg/apis/core/v1/helper MatchTopologySelectorTerms: a list without terms
// allows all nodes, a term without expressions none.
TEST_CASE("volume provisioning: a volume is provisioned only where its class allows it", "[kube][volumes]") {
  const auto made = [](std::string_view topologies) {
    const Answer answer =
        ask({"apiVersion: v1\nkind: Node\nmetadata: {name: a, labels: {zone: east, rack: r1}}\n"
             "status: {allocatable: {cpu: '4', memory: 8Gi, pods: '110'}}\n",
             fmt::format("apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {{name: made}}\nprovisioner: "
                         "disks.example.com\nvolumeBindingMode: WaitForFirstConsumer\nallowedTopologies: [{}]\n",
                         topologies),
             "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {namespace: ns, name: c}\nspec: {accessModes: "
             "[ReadWriteOnce], storageClassName: made, resources: {requests: {storage: 1Gi}}}\n"
             "status: {phase: Pending}\n",
             a_pod("ns/new").spec("volumes: [{name: d, persistentVolumeClaim: {claimName: c}}]").yaml()});
    if (answer.outcome != Outcome::fits) CHECK(first_rule(answer) == "kube.filter.volume-unbindable");
    return answer.outcome == Outcome::fits;
  };
  CHECK(made(""));
  CHECK(made("{matchLabelExpressions: [{key: zone, values: [west, east]}]}"));
  CHECK_FALSE(made("{matchLabelExpressions: [{key: zone, values: [west]}]}"));
  CHECK_FALSE(made("{matchLabelExpressions: [{key: row, values: ['']}]}"));
  CHECK_FALSE(made("{matchLabelExpressions: [{key: zone, values: [east]}, {key: rack, values: [r2]}]}"));
  CHECK(
      made("{matchLabelExpressions: [{key: rack, values: [r2]}]}, {matchLabelExpressions: [{key: zone, values: "
           "[east]}]}"));
  CHECK_FALSE(made("{}"));
  CHECK(made("{}, {matchLabelExpressions: [{key: zone, values: [east]}]}"));
}
