#include "engine/kube/spread_selectors.h"
#include "support/cluster.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

using namespace previct;
using namespace previct::test;

// Source: kubernetes pkg/scheduler/framework/plugins/helper/spread.go DefaultSelector, v1.35.4: Services, and the
// controller of the pod if it is a ReplicationController, ReplicaSet or StatefulSet of the usual API group.
TEST_CASE("default topology spread: the pod's controller decides which lists the input must have") {
  const auto lacking = [](const std::string& owner, const std::vector<std::string>& lists) {
    std::vector<std::string> documents;
    for (const std::string& kind : lists) {
      documents.push_back(
          fmt::format("apiVersion: {}\nkind: {}List\nitems: []\n", kind.ends_with("Set") ? "apps/v1" : "v1", kind));
    }
    documents.push_back(
        "apiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: ns, uid: p" +
        (owner.empty() ? "" : ", ownerReferences: [{controller: true, name: o, uid: o, " + owner + "}]") +
        "}\nspec: {containers: [{name: c}]}\n");
    const auto cluster = a_cluster(documents);
    return std::string(kube::lacking_for_default_spread(*cluster->snapshot, cluster->objects.pods[PodId{0}]));
  };
  const std::vector<std::string> services = {"Service"};
  const std::string replica_set = "apiVersion: apps/v1, kind: ReplicaSet";
  CHECK(lacking(replica_set, {}) == "Service");
  CHECK(lacking(replica_set, services) == "ReplicaSet");
  CHECK(lacking(replica_set, {"Service", "ReplicaSet"}).empty());
  CHECK(lacking(replica_set, {"Service", "StatefulSet"}) == "ReplicaSet");
  CHECK(lacking("apiVersion: apps/v1, kind: StatefulSet", services) == "StatefulSet");
  CHECK(lacking("apiVersion: v1, kind: ReplicationController", services) == "ReplicationController");
  CHECK(lacking("apiVersion: v1, kind: ReplicaSet", services).empty());
  CHECK(lacking("apiVersion: batch/v1, kind: Job", services).empty());
  CHECK(lacking("", services).empty());
}
