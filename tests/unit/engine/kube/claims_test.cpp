#include "engine/kube/claims.h"

#include "support/cluster.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

using namespace previct;
using namespace previct::test;

namespace {

auto a_volume_claim(std::string_view meta, std::string_view spec) -> std::string {
  return fmt::format(
      "apiVersion: v1\nkind: PersistentVolumeClaim\n"
      "metadata: {{namespace: ns, name: new-data{}}}\nspec: {{{}}}\n",
      meta, spec);
}

auto class_name(std::string_view meta, std::string_view spec) -> std::string {
  const auto cluster = a_cluster({a_volume_claim(meta, spec)});
  return std::string(
      cluster->snapshot->text(kube::class_of(*cluster->snapshot, cluster->objects.persistent_volume_claims.front())));
}

}  // namespace

// Source: component-helpers storage/volume GetPersistentVolumeClaimClass: the annotation takes precedence, even if it
// is empty.
TEST_CASE("volume claim class: the old annotation takes precedence over the field, even if it is empty",
          "[kube][volumes]") {
  const std::string_view old = ", annotations: {volume.beta.kubernetes.io/storage-class: slow}";
  CHECK(class_name("", "storageClassName: fast") == "fast");
  CHECK(class_name("", "").empty());
  CHECK(class_name(old, "") == "slow");
  CHECK(class_name(old, "storageClassName: fast") == "slow");
  CHECK(class_name(", annotations: {volume.beta.kubernetes.io/storage-class: ''}", "storageClassName: fast").empty());
}

// Source: component-helpers storage/ephemeral VolumeIsForPod: metav1.IsControlledBy, which compares the UID.
TEST_CASE("ephemeral volume claim: belongs to the pod that controls it", "[kube][volumes]") {
  const auto owned = [](std::string_view owners) {
    const auto cluster =
        a_cluster({a_volume_claim(fmt::format(", ownerReferences: [{}]", owners), ""), a_pod("ns/new").yaml()});
    return kube::owned_by(cluster->objects.persistent_volume_claims.front(),
                          cluster->snapshot->pod(cluster->snapshot->find_pod("ns", "new")));
  };
  CHECK(owned("{kind: Pod, name: new, uid: uid-ns-new, controller: true}"));
  CHECK_FALSE(owned("{kind: Pod, name: new, uid: uid-of-before, controller: true}"));
  CHECK_FALSE(owned("{kind: Pod, name: new, uid: uid-ns-new}"));
  CHECK(owned("{kind: Pod, name: x, uid: x}, {kind: Pod, name: new, uid: uid-ns-new, controller: true}"));
  CHECK_FALSE(owned(""));
}

TEST_CASE("claims_of: claims of the pod's volumes, ephemeral ones by the names of pod and volume", "[kube][volumes]") {
  const auto cluster =
      a_cluster({a_volume_claim("", ""),
                 a_pod("ns/new")
                     .spec("volumes: [{name: tmp, emptyDir: {}}, {name: old, persistentVolumeClaim: {claimName: "
                           "shared}}, {name: data, ephemeral: {volumeClaimTemplate: {spec: {}}}}]")
                     .yaml()});
  const Snapshot& snapshot = *cluster->snapshot;
  const auto claims = kube::claims_of(snapshot, snapshot.pod(snapshot.find_pod("ns", "new")));
  REQUIRE(claims.size() == 2);
  CHECK(snapshot.text(claims[0].name) == "shared");
  CHECK_FALSE(claims[0].ephemeral);
  CHECK(snapshot.text(claims[0].volume) == "old");
  CHECK(snapshot.text(claims[1].name) == "new-data");
  CHECK(claims[1].ephemeral);
}
