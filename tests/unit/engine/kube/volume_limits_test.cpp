// How many volumes a node accepts. Expected values are derived by hand from upstream's plugins/nodevolumelimits/csi.go
// and utils.go isCSIMigrationOn (v1.31.14, v1.35.4, v1.36.5, v1.37.2): disks of in-tree plugins count for the CSI
// driver that replaced the plugin, if the node has a CSINode; disks of Portworx before 1.36 only if it names the plugin
// as migrated.
#include "unit/engine/kube/ask.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>

using namespace previct;
using namespace previct::test;

namespace {

struct Volumes {
  std::string release;
  std::string volumes;                      // volumes of the pod
  std::string csi_node;                     // metadata fields of the node's CSINode; "none" if it has none
  std::string driver = "pxd.portworx.com";  // accepts one volume
  std::vector<std::string> more = {};
};
// Returns the rule that keeps the pod off its node; empty if none does.
auto refused_by(const Volumes& v) -> std::string {
  std::vector<std::string> documents = v.more;
  documents.push_back(scheduler_pod(v.release));
  documents.push_back(
      fmt::format("apiVersion: v1\nkind: Node\nmetadata: {{name: a}}\nstatus: {{allocatable: {{cpu: '4', "
                  "memory: 8Gi, pods: '110', attachable-volumes-csi-{}: '1'}}}}\n",
                  v.driver));
  documents.emplace_back("apiVersion: storage.k8s.io/v1\nkind: CSINode\nmetadata: {name: b}\nspec: {drivers: []}\n");
  if (v.csi_node != "none")
    documents.push_back(
        fmt::format("apiVersion: storage.k8s.io/v1\nkind: CSINode\nmetadata: {{name: a{}}}\nspec: {{drivers: "
                    "[{{name: {}, nodeID: a, allocatable: {{count: 1}}}}]}}\n",
                    v.csi_node, v.driver));
  documents.push_back(a_pod("ns/new").spec("volumes: [" + v.volumes + "]").yaml());
  const Answer answer = ask(documents);
  CHECK((answer.outcome == Outcome::fits || answer.outcome == Outcome::pending));
  return answer.outcome == Outcome::fits ? "" : first_rule(answer);
}
auto migrated(std::string_view plugins) -> std::string {
  return fmt::format(", annotations: {{storage.alpha.kubernetes.io/migrated-plugins: '{}'}}", plugins);
}
constexpr std::string_view kLimit = "kube.filter.volume-limit";
const std::string kPortworx = "{name: v, portworxVolume: {volumeID: v}}, {name: w, portworxVolume: {volumeID: w}}";
const std::string kEbs =
    "{name: v, awsElasticBlockStore: {volumeID: vol-1}}, {name: w, awsElasticBlockStore: {volumeID: vol-2}}";
constexpr const char* kEbsDriver = "ebs.csi.aws.com";

}  // namespace

TEST_CASE("volume limits: Portworx disks count if the CSINode names the plugin, and since 1.36 always",
          "[kube][volumes]") {
  CHECK(refused_by({"1.35.4", kPortworx, migrated("kubernetes.io/portworx-volume")}) == kLimit);
  CHECK(refused_by({"1.35.4", kPortworx, migrated("kubernetes.io/gce-pd,kubernetes.io/portworx-volume")}) == kLimit);
  CHECK(refused_by({"1.35.4", kPortworx, migrated("kubernetes.io/portworx-volume2")}).empty());
  CHECK(refused_by({"1.35.4", kPortworx, ""}).empty());
  CHECK(refused_by({"1.36.3", kPortworx, ""}) == kLimit);
  CHECK(refused_by({"1.36.3", "{name: v, portworxVolume: {volumeID: v}}", ""}).empty());
}

TEST_CASE("volume limits: claims that wait for an in-tree volume count for its driver, too", "[kube][volumes]") {
  std::vector<std::string> more = {
      "apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: px}\n"
      "provisioner: kubernetes.io/portworx-volume\nvolumeBindingMode: WaitForFirstConsumer\n"};
  for (const char* name : {"c", "d"})
    more.push_back(
        fmt::format("apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {{namespace: ns, name: {}}}\nspec: "
                    "{{accessModes: [ReadWriteOnce], storageClassName: px, resources: {{requests: {{storage: "
                    "1Gi}}}}}}\nstatus: {{phase: Pending}}\n",
                    name));
  const std::string claims =
      "{name: v, persistentVolumeClaim: {claimName: c}}, {name: w, persistentVolumeClaim: {claimName: d}}";
  const auto with = [&](const std::string& release, const std::string& csi_node) {
    return refused_by({.release = release, .volumes = claims, .csi_node = csi_node, .more = more});
  };
  CHECK(with("1.36.3", "") == kLimit);
  CHECK(with("1.35.4", migrated("kubernetes.io/portworx-volume")) == kLimit);
  CHECK(with("1.35.4", "").empty());
}

TEST_CASE("volume limits: disks of in-tree plugins do not count on a node without a CSINode", "[kube][volumes]") {
  // A disk counts only for its own driver.
  CHECK(refused_by({"1.36.3", kEbs, ""}).empty());
  // Up to 1.31 the limit is in the node's allocatable, too.
  CHECK(refused_by({"1.31.14", kEbs, "", kEbsDriver}) == kLimit);
  CHECK(refused_by({"1.31.14", kEbs, "none", kEbsDriver}).empty());
  // This driver keeps pods off nodes where it is not installed.
  const std::vector<std::string> strict = {fmt::format(
      "apiVersion: storage.k8s.io/v1\nkind: CSIDriver\nmetadata: {{name: {}}}\nspec: {{preventPodSchedulingIfMissing: "
      "true}}\n",
      kEbsDriver)};
  CHECK(refused_by({"1.37.2", kEbs, "", "other.example.com", strict}) == "kube.filter.driver-missing");
  CHECK(refused_by({"1.37.2", kEbs, "none", "other.example.com", strict}).empty());
}

// Source: csi.go getNodeVolumeAttachmentInfo (v1.35.4), which skips volumes that are not of a CSI driver.
TEST_CASE("volume limits: an attached volume counts if it is one of a CSI driver", "[kube][volumes]") {
  const auto with_attached = [](const std::string& source) {
    const std::vector<std::string> more = {
        fmt::format("apiVersion: v1\nkind: PersistentVolume\nmetadata: {{name: p}}\nspec: {{capacity: {{storage: "
                    "1Gi}}, accessModes: [ReadWriteOnce], {}}}\nstatus: {{phase: Bound}}\n",
                    source),
        fmt::format("apiVersion: storage.k8s.io/v1\nkind: VolumeAttachment\nmetadata: {{name: x}}\nspec: {{attacher: "
                    "{}, nodeName: a, source: {{persistentVolumeName: p}}}}\nstatus: {{attached: true}}\n",
                    kEbsDriver)};
    return refused_by({"1.35.4", "{name: v, awsElasticBlockStore: {volumeID: vol-1}}", "", kEbsDriver, more});
  };
  CHECK(with_attached(fmt::format("csi: {{driver: {}, volumeHandle: vol-9}}", kEbsDriver)) == kLimit);
  CHECK(with_attached("awsElasticBlockStore: {volumeID: vol-9}").empty());
}

// Source: csi.go getNodeVolumeAttachmentInfo, since 1.32: the volume of the pod on the node is attached until that pod
// is gone, so its eviction frees nothing in this attempt. Before, only the volumes of pods count. The node accepts one
// volume, or two.
TEST_CASE("volume limits: if a preemption depends on attached volumes, the input must hold VolumeAttachments",
          "[kube][volumes]") {
  const auto outcome = [](const std::string& release, int most, const std::string& attached,
                          const std::string& driver = "{}") {
    std::vector<std::string> documents = {
        scheduler_pod(release), a_node("a", "4"),
        fmt::format("apiVersion: storage.k8s.io/v1\nkind: CSINode\nmetadata: {{name: a}}\nspec: {{drivers: [{{name: "
                    "csi.x, nodeID: a, allocatable: {{count: {}}}}}]}}\n",
                    most),
        "apiVersion: storage.k8s.io/v1\nkind: CSIDriver\nmetadata: {name: csi.x}\nspec: " + driver + "\n"};
    for (const char* name : {"v", "w"}) {
      documents.push_back(
          fmt::format("apiVersion: v1\nkind: PersistentVolume\nmetadata: {{name: {0}}}\nspec: {{capacity: {{storage: "
                      "1Gi}}, accessModes: [ReadWriteOnce], csi: {{driver: csi.x, volumeHandle: {0}}}}}\n"
                      "status: {{phase: Bound}}\n",
                      name));
      documents.push_back(
          fmt::format("apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {{namespace: ns, name: {0}, annotations: "
                      "{{pv.kubernetes.io/bind-completed: 'yes'}}}}\nspec: {{accessModes: [ReadWriteOnce], "
                      "volumeName: {0}}}\nstatus: {{phase: Bound}}\n",
                      name));
    }
    documents.push_back(
        a_pod("ns/old").on("a").spec("volumes: [{name: d, persistentVolumeClaim: {claimName: v}}]").yaml());
    documents.push_back(
        a_pod("ns/new").priority(9).spec("volumes: [{name: d, persistentVolumeClaim: {claimName: w}}]").yaml());
    if (!attached.empty())
      documents.push_back(
          fmt::format("apiVersion: storage.k8s.io/v1\nkind: VolumeAttachment\nmetadata: {{name: x}}\nspec: {{attacher: "
                      "csi.x, nodeName: {}, source: {{persistentVolumeName: v}}}}\nstatus: {{attached: true}}\n",
                      attached));
    return ask(documents).outcome;
  };
  CHECK(outcome("1.35.4", 1, "") == Outcome::unknown);
  // CSIDriverSpec.attachRequired: such a driver has no VolumeAttachments.
  CHECK(outcome("1.35.4", 1, "", "{attachRequired: false}") == Outcome::preempts);
  CHECK(outcome("1.35.4", 1, "a") == Outcome::pending);
  CHECK(outcome("1.35.4", 1, "b") == Outcome::preempts);
  CHECK(outcome("1.31.14", 1, "") == Outcome::preempts);
  CHECK(outcome("1.35.4", 2, "") == Outcome::fits);
}

// Source: plugins/nodevolumelimits/csi.go filterAttachableVolumes ignores such claims, v1.35. A cluster keeps the
// claims of running pods, so the input lacks this one. The node accepts one volume, or two.
TEST_CASE("volume limits: a claim of a running pod that the input lacks may use up the limit", "[kube][volumes]") {
  const auto outcome = [](int most, const std::string& node) {
    return ask({a_node("a", "4"), a_node("b", "0"),
                fmt::format("apiVersion: storage.k8s.io/v1\nkind: CSINode\nmetadata: {{name: a}}\nspec: {{drivers: "
                            "[{{name: csi.x, nodeID: a, allocatable: {{count: {}}}}}]}}\n",
                            most),
                "apiVersion: v1\nkind: PersistentVolume\nmetadata: {name: v}\nspec: {capacity: {storage: 1Gi}, "
                "accessModes: [ReadWriteOnce], csi: {driver: csi.x, volumeHandle: v}}\nstatus: {phase: Bound}\n",
                "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {namespace: ns, name: v, annotations: "
                "{pv.kubernetes.io/bind-completed: 'yes'}}\nspec: {accessModes: [ReadWriteOnce], volumeName: v}\n"
                "status: {phase: Bound}\n",
                a_pod("other/old").on(node).spec("volumes: [{name: d, persistentVolumeClaim: {claimName: w}}]").yaml(),
                a_pod("ns/new").spec("volumes: [{name: d, persistentVolumeClaim: {claimName: v}}]").yaml()})
        .outcome;
  };
  CHECK(outcome(1, "a") == Outcome::unknown);
  CHECK(outcome(2, "a") == Outcome::fits);
  CHECK(outcome(1, "b") == Outcome::fits);
}

TEST_CASE("volume limits: without CSINodes the answer for a pod with disks says that they are not checked",
          "[kube][volumes]") {
  const auto told = [](const std::string& volume) {
    const Answer answer = ask({a_node("a", "4"), a_pod("ns/new").spec("volumes: [" + volume + "]").yaml()});
    CHECK(answer.outcome == Outcome::fits);
    return std::any_of(answer.gaps.begin(), answer.gaps.end(), [](const Gap& gap) { return gap.lacks("CSINode"); });
  };
  CHECK(told("{name: v, awsElasticBlockStore: {volumeID: vol-1}}"));
  CHECK_FALSE(told("{name: v, emptyDir: {}}"));
}
