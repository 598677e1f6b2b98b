// What the scheduler writes into claims when it places a pod.
#include "engine/kube/claim_changes.h"

#include "unit/engine/kube/ask.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <set>

using namespace previct;
using namespace previct::test;

namespace {

auto object(const std::string& kind, const std::string& name, const std::string& rest) -> std::string {
  const bool is_core = kind == "Pod" || kind == "Node";
  const bool has_namespace = kind == "Pod" || kind == "ResourceClaim";
  return fmt::format("apiVersion: {}\nkind: {}\nmetadata: {{name: {}, uid: u-{}{}}}\n{}\n",
                     is_core ? "v1" : "resource.k8s.io/v1", kind, name, name, has_namespace ? ", namespace: ns" : "",
                     rest);
}

struct Placed {
  std::unique_ptr<TestCluster> cluster;
  std::vector<kube::ClaimChange> changes;
};

auto placed(std::vector<std::string> documents, const std::string& pod_spec) -> Placed {
  documents.push_back(object("Node", "a", "status: {allocatable: {cpu: '4', memory: 8Gi, pods: '110'}}"));
  documents.push_back(scheduler_pod("1.36.3", "DRAExtendedResource=true"));
  documents.push_back(object("ResourceSlice", "s",
                             "spec: {driver: d, pool: {name: p, generation: 1, resourceSliceCount: 1}, allNodes: true, "
                             "devices: [{name: d0}, {name: d1}, {name: d2}]}"));
  documents.push_back(object("Pod", "new", "spec: {" + pod_spec + "}\nstatus: {phase: Pending}"));
  Placed result{a_cluster(documents), {}};
  const Snapshot& cluster = *result.cluster->snapshot;
  const Verdict verdict = verdict_on(*result.cluster, a_question());
  REQUIRE(verdict.outcome == Outcome::fits);
  result.changes = kube::claims_of_placed(cluster, cluster.find_pod("ns", "new"),
                                          cluster.find_node(cluster.symbol("a")), kube::devices_of(verdict));
  return result;
}

// `CLAIM: DEVICE…`, by the names of the claims.
auto devices_in(const Placed& placed) -> std::set<std::string> {
  const Snapshot& cluster = *placed.cluster->snapshot;
  std::set<std::string> devices;
  for (const kube::ClaimChange& change : placed.changes) {
    std::string text = fmt::format("{}:", cluster.text(change.after->meta.name));
    REQUIRE(change.after->status.allocation);
    std::set<std::string_view> names;
    for (const auto& each : change.after->status.allocation->devices.results) names.insert(cluster.text(each.device));
    for (const std::string_view name : names) text += fmt::format(" {}", name);
    devices.insert(text);
  }
  return devices;
}

}  // namespace

// Source: plugins/dynamicresources/dynamicresources.go Reserve, bindClaim; v1.36.
TEST_CASE("claims of a placed pod: each gets its own devices, and the pod as a user", "[kube][devices]") {
  const auto claim = [](const std::string& name, int devices, const std::string& status = "") {
    return object("ResourceClaim", name,
                  fmt::format("spec: {{devices: {{requests: [{{name: r, exactly: {{deviceClassName: gpus, count: "
                              "{}}}}}]}}}}\nstatus: {{{}}}",
                              devices, status));
  };
  const std::string of_pod =
      "resourceClaims: [{name: c1, resourceClaimName: one}, {name: c2, resourceClaimName: two}, {name: c3, "
      "resourceClaimName: used}], containers: [{name: c, resources: {claims: [{name: c1}, {name: c2}, {name: c3}]}}]";
  const std::string of_other =
      "allocation: {devices: {results: [{request: r, driver: d, pool: p, device: d0}]}}, reservedFor: [{resource: "
      "pods, "
      "name: other, uid: u-other}]";
  const Placed result =
      placed({object("DeviceClass", "gpus", "spec: {}"), claim("one", 1), claim("two", 1), claim("used", 1, of_other)},
             of_pod);
  CHECK(devices_in(result) == std::set<std::string>{"one: d1", "two: d2", "used: d0"});
  for (const kube::ClaimChange& change : result.changes) {
    REQUIRE(change.before);
    CHECK(change.after->status.reserved_for.size() == change.before->status.reserved_for.size() + 1);
    CHECK(result.cluster->snapshot->text(change.after->status.reserved_for.back().name) == "new");
  }

  // The changes, and their opposite.
  std::vector<ResourceClaim> claims = result.cluster->objects.resource_claims;
  kube::apply(result.changes, claims);
  CHECK(claims.size() == 3);
  for (const ResourceClaim& each : claims) CHECK(each.status.allocation.has_value());
  std::vector<kube::ClaimChange> opposite;
  for (const kube::ClaimChange& change : result.changes) opposite.push_back({change.after, change.before});
  kube::apply(opposite, claims);
  CHECK(std::count_if(claims.begin(), claims.end(),
                      [](const ResourceClaim& each) { return each.status.allocation.has_value(); }) == 1);
  kube::apply({{result.changes[0].before, nullptr}}, claims);
  CHECK(claims.size() == 2);
  kube::apply({{result.changes[0].before, nullptr}}, claims);  // it is gone
  CHECK(claims.size() == 2);
  kube::apply({{nullptr, result.changes[0].after}}, claims);
  CHECK(claims.size() == 3);
}

// The scheduler makes a claim for devices that a pod requests as an extended resource.
// Source: plugins/dynamicresources/extendeddynamicresources.go, resource.k8s.io/v1 ExtendedResourceClaimAnnotation.
TEST_CASE("claims of a placed pod: one is made for an extended resource", "[kube][devices]") {
  const Placed result = placed({object("DeviceClass", "gpus", "spec: {extendedResourceName: example.com/gpu}")},
                               "containers: [{name: c, resources: {requests: {example.com/gpu: 2}}}]");
  REQUIRE(result.changes.size() == 1);
  CHECK(result.changes[0].before == nullptr);
  const ResourceClaim& claim = *result.changes[0].after;
  const Snapshot& cluster = *result.cluster->snapshot;
  CHECK(devices_in(result) == std::set<std::string>{"new-extended-resources: d0 d1"});
  CHECK(cluster.text(claim.meta.ns) == "ns");
  CHECK(cluster.text(claim.meta.annotations.get(cluster.symbol("resource.kubernetes.io/extended-resource-claim"))) ==
        "true");
  REQUIRE(claim.meta.owners.size() == 1);
  CHECK(cluster.text(claim.meta.owners.front().uid) == "u-new");
  REQUIRE(claim.status.reserved_for.size() == 1);
  CHECK(cluster.text(claim.status.reserved_for.front().name) == "new");
}
