// Volumes of in-tree plugins that a CSI driver replaced. Expected values are derived by hand from csi-translation-lib
// v0.35.4.
#include "engine/kube/csi_migration.h"
#include "engine/kube/unknown_volumes.h"
#include "support/cluster.h"
#include "tell/gap_words.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

using namespace previct;
using namespace previct::test;

namespace {

auto a_volume(std::string_view spec, std::string_view labels = "{}") -> std::string {
  return fmt::format("apiVersion: v1\nkind: PersistentVolume\nmetadata: {{name: v, labels: {}}}\nspec: {{{}}}\n",
                     labels, spec);
}
auto expressions(const kube::MigratedVolume& volume, const Snapshot& cluster) -> std::vector<std::string> {
  std::vector<std::string> out;
  if (!volume.affinity) return out;
  for (const NodeSelectorTerm& term : volume.affinity->terms) {
    for (const Requirement& r : term.match_expressions) {
      std::string text(cluster.text(r.key));
      for (const Symbol value : r.values) text += " " + std::string(cluster.text(value));
      out.push_back(std::move(text));
    }
  }
  return out;
}
auto read(const std::string& volume) -> std::pair<std::unique_ptr<TestCluster>, kube::MigratedVolume> {
  auto cluster = a_cluster({volume});
  kube::MigratedVolume result = kube::migrated(*cluster->snapshot, cluster->objects.persistent_volumes.at(0));
  return {std::move(cluster), std::move(result)};
}
using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("unknown volumes: the claim that decides is named, whatever of its kind was added") {
  kube::UnknownVolumes unknown;
  unknown.kind = "PersistentVolumeClaim";
  unknown.claims = "web";
  std::vector<Gap> gaps = {
      {GapRule::missing, {"PersistentVolumeClaim", "previct assumes that those which were added are all"}}};
  kube::make_decisive(unknown, gaps);
  CHECK(because_words(gaps.front()) == "the pod uses the claim web, but the input has no PersistentVolumeClaim");
  CHECK(follows_words(gaps.front()) == "previct assumes that those which were added are all");
}

TEST_CASE("volume translation: the zone of a volume becomes the driver's own topology", "[kube][volumes]") {
  {
    const auto [cluster, volume] =
        read(a_volume("gcePersistentDisk: {pdName: d}", "{topology.kubernetes.io/zone: b__a}"));
    CHECK(volume.plugin == "kubernetes.io/gce-pd");
    CHECK(volume.fault);  // a and b are not zones of one region
  }
  {
    const auto [cluster, volume] =
        read(a_volume("cinder: {volumeID: d}", "{failure-domain.beta.kubernetes.io/zone: b__a}"));
    CHECK(expressions(volume, *cluster->snapshot) == Texts{"topology.cinder.csi.openstack.org/zone a b"});
  }
  {
    const auto [cluster, volume] =
        read(a_volume("awsElasticBlockStore: {volumeID: vol-1}, nodeAffinity: {required: {nodeSelectorTerms: "
                      "[{matchExpressions: [{key: "
                      "failure-domain.beta.kubernetes.io/zone, operator: In, values: [z]}, {key: "
                      "failure-domain.beta.kubernetes.io/region, operator: In, values: [r]}]}]}}"));
    CHECK(expressions(volume, *cluster->snapshot) ==
          Texts{"topology.ebs.csi.aws.com/zone z", "topology.kubernetes.io/region r"});
  }
  {
    const auto [cluster, volume] = read(a_volume("csi: {driver: d, volumeHandle: h}"));
    CHECK(volume.plugin.empty());
  }
}

TEST_CASE("volume translation: a volume that cannot be translated has a fault", "[kube][volumes]") {
  const auto faulty = [](const std::string& spec) { return read(a_volume(spec)).second.fault.has_value(); };
  CHECK(faulty("awsElasticBlockStore: {volumeID: 'aws://zone/disk'}"));
  CHECK(faulty("awsElasticBlockStore: {volumeID: 'aws://vol-1'}"));
  CHECK_FALSE(faulty("awsElasticBlockStore: {volumeID: 'aws://zone/vol-1'}"));
  CHECK_FALSE(faulty("awsElasticBlockStore: {volumeID: disk}"));
  CHECK(faulty("azureDisk: {diskURI: u, kind: Dedicated}"));
  CHECK_FALSE(faulty("azureDisk: {diskURI: u, kind: managed}"));
  CHECK_FALSE(faulty("azureDisk: {diskURI: u}"));
  CHECK(kube::region_fault("us-a-1__us-a-2").empty());
  // The message of "kube.filter.volume-translation" for a volume whose zones are not in one region.
  CHECK(kube::region_fault("us-a-1__us-b-1") == "multiple or no regions gotten from zones, got: map[us-a:{} us-b:{}]");
  CHECK(kube::region_fault("us-a-1__x") == "zone in unexpected format, expected: {locale}-{region}-{zone}, got: x");
}

TEST_CASE("volume translation: a plugin is migrated if the CSINode names it exactly", "[kube][volumes]") {
  const auto cluster = a_cluster(
      {"apiVersion: storage.k8s.io/v1\nkind: CSINode\nmetadata: {name: k, annotations: "
       "{storage.alpha.kubernetes.io/migrated-plugins: 'kubernetes.io/gce-pd2,kubernetes.io/cinder'}}\nspec: {}\n",
       a_node("k", "1"), a_node("m", "1")});
  const Snapshot& s = *cluster->snapshot;
  CHECK(kube::is_migrated_on(s, s.symbol("k"), "kubernetes.io/cinder"));
  CHECK_FALSE(kube::is_migrated_on(s, s.symbol("k"), "kubernetes.io/gce-pd"));
  CHECK_FALSE(kube::is_migrated_on(s, s.symbol("m"), "kubernetes.io/cinder"));
}
