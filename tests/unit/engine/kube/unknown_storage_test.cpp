// Storage capacity for volumes that are yet to be provisioned. Source: plugins/volumebinding/binder.go
// hasEnoughCapacity of kube-scheduler 1.35: a driver whose CSIDriver has storageCapacity provisions a volume only where
// a CSIStorageCapacity of the class is large enough; without that field, or without a CSIDriver, anywhere.
#include "support/cluster.h"

#include <catch2/catch.hpp>

#include <algorithm>

namespace previct::test {
namespace {

const std::string kClass =
    "apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: local}\nprovisioner: csi.x\n"
    "volumeBindingMode: WaitForFirstConsumer\n";
const std::string kClaim =
    "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: c, namespace: ns}\nspec: {accessModes: "
    "[ReadWriteOnce], storageClassName: local, resources: {requests: {storage: 1Gi}}}\nstatus: {phase: Pending}\n";
// A volume of another class, so that the input holds PersistentVolumes.
const std::string kVolume =
    "apiVersion: v1\nkind: PersistentVolume\nmetadata: {name: v}\nspec: {storageClassName: other, capacity: {storage: "
    "1Gi}, accessModes: [ReadWriteOnce]}\nstatus: {phase: Available}\n";
const std::string kDriver =
    "apiVersion: storage.k8s.io/v1\nkind: CSIDriver\nmetadata: {name: csi.x}\nspec: {storageCapacity: true}\n";

auto capacity(const std::string& amount) -> std::string {
  return "apiVersion: storage.k8s.io/v1\nkind: CSIStorageCapacity\nmetadata: {name: k, namespace: ns}\n"
         "storageClassName: local\nnodeTopology: {}\ncapacity: " +
         amount + "\n";
}

auto answer_with(std::vector<std::string> more) -> Answer {
  more.insert(more.end(), {a_node("n", "4"), a_pod("other/r").on("n").yaml(), kClass, kClaim, kVolume,
                           a_pod("ns/new").spec("volumes: [{name: d, persistentVolumeClaim: {claimName: c}}]").yaml()});
  return ask_kube(*a_cluster(more), "ns/new");
}

TEST_CASE("storage capacity: for a driver that tracks it, the answer needs CSIStorageCapacities", "[kube]") {
  CHECK(answer_with({kDriver}).outcome == Outcome::unknown);
  CHECK(answer_with({kDriver, capacity("2Gi")}).outcome == Outcome::fits);
  CHECK(answer_with({kDriver, capacity("500Mi")}).outcome == Outcome::pending);
}

// The filter for CPU comes first, so only the trial without the pods of lower priority asks for storage.
TEST_CASE("storage capacity: it also decides whether a preemption helps", "[kube]") {
  const auto outcome = [](std::vector<std::string> more) {
    more.insert(
        more.end(),
        {a_node("n", "1"), a_pod("ns/old").on("n").yaml(), kClass, kClaim, kVolume, kDriver,
         a_pod("ns/new").priority(9).spec("volumes: [{name: d, persistentVolumeClaim: {claimName: c}}]").yaml()});
    return ask_kube(*a_cluster(more), "ns/new").outcome;
  };
  CHECK(outcome({}) == Outcome::unknown);
  CHECK(outcome({capacity("2Gi")}) == Outcome::preempts);
  CHECK(outcome({capacity("500Mi")}) == Outcome::pending);
}

TEST_CASE("storage capacity: without CSIDrivers the answer says that it is not checked", "[kube]") {
  const Answer answer = answer_with({});
  CHECK(answer.outcome == Outcome::fits);
  const auto told = [](const Answer& of) {
    return std::any_of(of.gaps.begin(), of.gaps.end(),
                       [](const Gap& gap) { return gap.rule == GapRule::drivers_missing; });
  };
  CHECK(told(answer));
  CHECK_FALSE(told(answer_with({kDriver, capacity("2Gi")})));
}

}  // namespace
}  // namespace previct::test
