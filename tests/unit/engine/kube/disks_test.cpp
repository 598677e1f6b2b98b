#include "support/cluster.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

// Inline disks that two pods cannot use on one node. Source: plugins/volumerestrictions/volume_restrictions.go
// isVolumeConflict, v1.35.4.

using namespace previct;
using test::a_node;
using test::a_pod;

namespace {

// Returns true if the pod fits beside another one of the same priority, given the disk of each.
auto side_by_side(std::string_view ours, std::string_view theirs) -> bool {
  const auto with = [](std::string_view disk) { return fmt::format("volumes: [{{name: d, {}}}]", disk); };
  const auto cluster =
      test::a_cluster({a_node("n1", "4"), a_pod("ns/other").on("n1").priority(9).spec(with(theirs)).yaml(),
                       a_pod("ns/p").priority(9).spec(with(ours)).yaml()});
  const Answer answer = test::ask_kube(*cluster, "ns/p");
  CHECK((answer.outcome == Outcome::fits || answer.outcome == Outcome::pending));
  return answer.outcome == Outcome::fits;
}

auto rbd(std::string_view monitors, std::string_view pool = "p", std::string_view image = "i",
         std::string_view more = "") -> std::string {
  return fmt::format("rbd: {{monitors: [{}], pool: {}, image: {}{}}}", monitors, pool, image, more);
}

}  // namespace

TEST_CASE("inline disks: two pods share a GCE or iSCSI disk only if both mount it read-only", "[kube][disks]") {
  for (const char* form : {"gcePersistentDisk: {{pdName: {}{}}}", "iscsi: {{targetPortal: t, lun: 0, iqn: {}{}}}"}) {
    const auto disk = [&](std::string_view id, std::string_view more = "") {
      return fmt::format(fmt::runtime(form), id, more);
    };
    CHECK_FALSE(side_by_side(disk("a"), disk("a")));
    CHECK_FALSE(side_by_side(disk("a", ", readOnly: true"), disk("a")));
    CHECK_FALSE(side_by_side(disk("a"), disk("a", ", readOnly: true")));
    CHECK(side_by_side(disk("a", ", readOnly: true"), disk("a", ", readOnly: true")));
    CHECK(side_by_side(disk("a"), disk("b")));
  }
}

TEST_CASE("inline disks: two pods never share an AWS disk", "[kube][disks]") {
  CHECK_FALSE(side_by_side("awsElasticBlockStore: {volumeID: a, readOnly: true}",
                           "awsElasticBlockStore: {volumeID: a, readOnly: true}"));
  CHECK(side_by_side("awsElasticBlockStore: {volumeID: a}", "awsElasticBlockStore: {volumeID: b}"));
  CHECK(side_by_side("awsElasticBlockStore: {volumeID: a}", "gcePersistentDisk: {pdName: a}"));
}

TEST_CASE("inline disks: a Ceph image is identified by its name, its pool and any common monitor", "[kube][disks]") {
  CHECK_FALSE(side_by_side(rbd("m1"), rbd("m1")));
  CHECK_FALSE(side_by_side(rbd("m1, m2"), rbd("m3, m2")));
  CHECK(side_by_side(rbd("m1"), rbd("m2")));
  CHECK(side_by_side(rbd("m1", "p"), rbd("m1", "q")));
  CHECK(side_by_side(rbd("m1", "p", "i"), rbd("m1", "p", "j")));
  CHECK(side_by_side(rbd("m1", "p", "i", ", readOnly: true"), rbd("m1", "p", "i", ", readOnly: true")));
}

TEST_CASE("inline disks: a pod whose disk is in use evicts the pod that uses it", "[kube][disks]") {
  // The node has enough resources for both: of the two pods of lower priority, only the one with the disk is evicted.
  const std::string disk = "volumes: [{name: d, gcePersistentDisk: {pdName: a}}]";
  const auto cluster =
      test::a_cluster({a_node("n1", "4"), a_pod("ns/user").on("n1").priority(1).spec(disk).yaml(),
                       a_pod("ns/other").on("n1").priority(1).yaml(), a_pod("ns/p").priority(9).spec(disk).yaml()});
  const Answer answer = test::ask_kube(*cluster, "ns/p");
  REQUIRE(answer.outcome == Outcome::preempts);
  REQUIRE(answer.victims.size() == 1);
  CHECK(cluster->snapshot->key(answer.victims[0].pod) == "ns/user");
}
