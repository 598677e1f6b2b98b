// What the plugin DynamicResources decides about a node. Expected values are derived by hand from
// plugins/dynamicresources/dynamicresources.go Filter, isClaimReadyForBinding, isClaimTimeout, and
// extendeddynamicresources.go (v1.36.3).
#include "unit/engine/kube/device_cluster.h"

#include <catch2/catch.hpp>

using namespace previct;
using namespace previct::test;

namespace {

// Claim c0 of the pod holds devices that only node b reaches; c1 has none yet. If the search for c1 fails, Filter
// reports that, and not c0.
struct ClaimElsewhere {
  std::string requests;
  std::vector<std::string> slices = {a_slice("p", 1, plain_devices(1))};
  std::string release = "1.36.3";
  std::string of_class = "";
  std::string lacking = "";  // a kind that is missing in the input
};
auto elsewhere(const ClaimElsewhere& e) -> Answer {
  std::vector<std::string> documents = {
      a_node("a", "4"), scheduler_pod(e.release, ""),
      "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {namespace: ns, name: c0}\nspec: {devices: "
      "{requests: []}}\nstatus: {allocation: {devices: {results: []}, nodeSelector: {nodeSelectorTerms: "
      "[{matchFields: [{key: metadata.name, operator: In, values: [b]}]}]}}}\n",
      fmt::format("apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {{namespace: ns, name: c1}}\nspec: "
                  "{{devices: {{requests: [{}]}}}}\n",
                  e.requests),
      a_pod("ns/new")
          .priority(9)
          .spec("resourceClaims: [{name: n0, resourceClaimName: c0}, {name: n1, resourceClaimName: c1}]")
          .yaml()};
  if (e.lacking != "DeviceClass")
    documents.push_back(fmt::format(
        "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {{name: gpus}}\nspec: {{{}}}\n", e.of_class));
  for (std::size_t i = 0; i < e.slices.size() && e.lacking != "ResourceSlice"; ++i)
    documents.push_back(
        fmt::format("apiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {{name: s{}}}\nspec: {{{}}}\n", i,
                    e.slices[i]));
  return ask(documents);
}
auto refused(const ClaimElsewhere& e) -> bool {
  const Answer answer = elsewhere(e);
  CHECK((answer.outcome == Outcome::unknown || first_rule(answer) == "kube.filter.resource-claim-allocation"));
  return answer.outcome != Outcome::unknown;
}

// Returns the outcome of a pod whose claim holds devices with these conditions.
auto binding(std::string_view results, std::string_view devices, std::string_view at = "") -> Outcome {
  return ask({a_node("a", "4"), scheduler_pod("1.36.3", ""),
              "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: gpus}\nspec: {}\n",
              "apiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {name: s}\nspec: {" +
                  a_slice("p", 1, plain_devices(1)) + "}\n",
              fmt::format("apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {{namespace: ns, name: c0}}\n"
                          "spec: {{devices: {{requests: []}}}}\nstatus: {{allocation: {{{}devices: {{results: "
                          "[{}]}}}}, devices: [{}]}}\n",
                          at.empty() ? "" : fmt::format("allocationTimestamp: '{}', ", at), results, devices),
              a_pod("ns/new").priority(9).spec("resourceClaims: [{name: x, resourceClaimName: c0}]").yaml()})
      .outcome;
}
// Allocation times: longer before the question than the timeout of ten minutes, and just before it.
constexpr const char* kLongAgo = "2026-03-02T11:00:00Z";
constexpr const char* kNow = "2026-03-02T11:59:59Z";

auto result(std::string_view device, std::string_view conditions = "ready", std::string_view failures = "broken")
    -> std::string {
  return fmt::format(
      "{{request: r, driver: d, pool: p, device: {}, bindingConditions: [{}], bindingFailureConditions: "
      "[{}]}}, ",
      device, conditions, failures);
}
auto status(std::string_view device, std::string_view condition, std::string_view value = "True",
            std::string_view pool = "p", std::string_view driver = "d") -> std::string {
  return fmt::format("{{driver: {}, pool: {}, device: {}, conditions: [{{type: {}, status: '{}'}}]}}, ", driver, pool,
                     device, condition, value);
}

}  // namespace

TEST_CASE("DRA Filter: a claim that the node does not reach, and one of which too little is known", "[kube][devices]") {
  CHECK(refused({wants("r")}));
  CHECK(first_rule(elsewhere({wants("r", "count: 2")})) == "kube.filter.devices");
  // Without slices, the search may fail with an error if a selector can fail, or if all devices are requested.
  CHECK(refused({.requests = wants("r"), .lacking = "ResourceSlice"}));
  CHECK_FALSE(refused({.requests = wants("r", ranked_as(0)), .lacking = "ResourceSlice"}));
  CHECK_FALSE(refused({.requests = wants("r", "allocationMode: All"), .lacking = "ResourceSlice"}));
  CHECK_FALSE(refused({.requests = wants("r"), .of_class = ranked_as(0), .lacking = "ResourceSlice"}));
  // A class that is not in the input may have selectors.
  CHECK_FALSE(refused({.requests = wants("r"), .lacking = "DeviceClass"}));
  CHECK_FALSE(refused({wants("r", selecting("device.name == 'a'"))}));
  // Two slices in any order, and a selector that fails on a device of one.
  const std::vector<std::string> sized = {a_slice("p", 2, "devices: [{name: d0, attributes: {size: {int: 1}}}]"),
                                          a_slice("p", 2, "devices: [{name: e0, attributes: {rank: {int: 1}}}]")};
  CHECK_FALSE(refused({wants("r", selecting("device.attributes['d'].size == 1")), sized, "1.35.4"}));
  const std::string unread = "nodeSelector: {nodeSelectorTerms: [{matchExpressions: [{key: k, operator: Is}]}]}, ";
  CHECK_FALSE(
      refused({wants("r"),
               {"driver: d, pool: {name: p, generation: 1, resourceSliceCount: 1}, " + unread + plain_devices(1)}}));
  // A search that takes too long does not end in an error.
  const std::string nothing = selecting("device.driver == 'other'");
  CHECK(refused({wants("r", "count: 12") + wants("s", nothing), {a_slice("p", 1, plain_devices(24))}}));
}

TEST_CASE("DRA overlay: objects that are added to an input count as all objects of their kind", "[kube][devices]") {
  // Objects that an overlay adds are not counted as objects of the input: see overlay.cpp.
  for (const char* kind : {"ResourceSlice", "DeviceClass"}) {
    const auto cluster = a_cluster(
        {a_node("a", "4"), "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: gpus}\nspec: {}\n",
         "apiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {name: s}\nspec: {" +
             a_slice("p", 1, plain_devices(1)) + "}\n",
         "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {namespace: ns, name: c0}\nspec: {devices: "
         "{requests: [" +
             wants("r") + "]}}\n",
         a_pod("ns/new").spec("resourceClaims: [{name: x, resourceClaimName: c0}]").yaml()});
    CHECK(ask_kube(*cluster, "ns/new").outcome == Outcome::fits);
    cluster->objects.counts.erase(std::string("resource.k8s.io/") + kind);
    CHECK(ask_kube(*cluster, "ns/new").outcome == Outcome::fits);
  }
}

TEST_CASE("DRA binding conditions: binding waits until all devices are ready", "[kube][devices]") {
  // One device: ready, without a condition, and with a condition of another device.
  const std::string d0 = result("d0");
  CHECK(binding(d0, status("d0", "ready"), kLongAgo) == Outcome::fits);
  CHECK(binding(d0, "", kLongAgo) == Outcome::pending);
  CHECK(binding(d0, "", kNow) == Outcome::fits);
  CHECK(binding(d0, "") == Outcome::fits);  // the allocation time is not known
  CHECK(binding(d0, status("d0", "ready", "False"), kLongAgo) == Outcome::pending);
  CHECK(binding(d0, status("d0", "other"), kLongAgo) == Outcome::pending);
  CHECK(binding(d0, status("d1", "ready"), kLongAgo) == Outcome::pending);
  CHECK(binding(d0, status("d0", "ready", "True", "q"), kLongAgo) == Outcome::pending);
  CHECK(binding(d0, status("d0", "ready", "True", "p", "e"), kLongAgo) == Outcome::pending);
  CHECK(binding(d0, status("d1", "ready") + status("d0", "ready"), kLongAgo) == Outcome::fits);
  // All conditions of a device must be met.
  CHECK(binding(result("d0", "ready, set"), status("d0", "ready"), kLongAgo) == Outcome::pending);
  // Several devices: the first one that is not ready decides, and devices without conditions do not count.
  const std::string both = result("d0") + result("d1");
  CHECK(binding(both, status("d0", "ready") + status("d1", "ready"), kLongAgo) == Outcome::fits);
  CHECK(binding(both, status("d0", "ready"), kLongAgo) == Outcome::pending);
  CHECK(binding(both, status("d1", "ready"), kLongAgo) == Outcome::pending);
  CHECK(binding(result("d0", "") + result("d1"), status("d1", "ready"), kLongAgo) == Outcome::fits);
  CHECK(binding(result("d0", ""), "", kLongAgo) == Outcome::fits);
  CHECK(binding(result("d0", ""), status("d0", "broken"), kLongAgo) == Outcome::fits);
}

TEST_CASE("DRA binding conditions: a failed device is given up at once, unless an earlier one is not ready",
          "[kube][devices]") {
  const std::string d0 = result("d0");
  CHECK(binding(d0, status("d0", "broken"), kNow) == Outcome::pending);
  CHECK(binding(d0, status("d0", "broken", "False"), kNow) == Outcome::fits);
  const std::string both = result("d0") + result("d1");
  CHECK(binding(both, status("d0", "ready") + status("d1", "broken"), kNow) == Outcome::pending);
  CHECK(binding(both, status("d0", "other") + status("d1", "broken"), kNow) == Outcome::fits);
  CHECK(binding(both, status("d1", "broken"), kNow) == Outcome::fits);
}

namespace {

// Returns the outcome of a pod with these containers, which request an extended resource, if there are `devices`
// devices.
auto extended(const std::string& containers, std::size_t devices, const std::vector<std::string>& more = {},
              std::string_view allocatable = "") -> Outcome {
  std::vector<std::string> documents = more;
  documents.push_back(
      fmt::format("apiVersion: v1\nkind: Node\nmetadata: {{name: a}}\nstatus: {{allocatable: {{cpu: '4', "
                  "memory: 8Gi, pods: '110'{}}}}}\n",
                  allocatable));
  documents.push_back(scheduler_pod("1.36.3", "DRAExtendedResource=true"));
  documents.emplace_back(
      "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: gpus}\n"
      "spec: {extendedResourceName: example.com/gpu}\n");
  documents.push_back("apiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {name: s}\nspec: {" +
                      a_slice("p", 1, plain_devices(devices)) + "}\n");
  documents.push_back("apiVersion: v1\nkind: Pod\nmetadata: {namespace: ns, name: new, uid: u}\nspec: {priority: 9, " +
                      containers + "}\nstatus: {phase: Pending}\n");
  return ask(documents).outcome;
}
auto container(int gpus, std::string_view more = "") -> std::string {
  return fmt::format("{{name: c, resources: {{requests: {{example.com/gpu: {}}}}}{}}}, ", gpus, more);
}
auto containers(const std::string& init, const std::string& others) -> std::string {
  return "initContainers: [" + init + "], containers: [" + others + "]";
}
// Returns the smallest number of devices with which the pod fits, at most 9.
auto needed(const std::string& init, const std::string& others) -> std::size_t {
  for (std::size_t n = 0; n < 9; ++n) {
    if (extended(containers(init, others), n) == Outcome::fits) return n;
  }
  return 9;
}

}  // namespace

// Source: createRequestsAndMappings. Containers that live as long as the pod have devices of their own. An init
// container uses the devices of the containers that start after it, and all init containers share what they need beyond
// that.
TEST_CASE("DRA extended resource: how many devices the containers of a pod need", "[kube][devices]") {
  const std::string sidecar = ", restartPolicy: Always";
  CHECK(needed("", container(1)) == 1);
  CHECK(needed("", container(2) + container(1)) == 3);
  CHECK(needed(container(1), container(2)) == 2);
  CHECK(needed(container(3), container(2)) == 3);
  CHECK(needed(container(3) + container(4), container(2)) == 4);
  CHECK(needed(container(4) + container(3), container(2)) == 4);
  CHECK(needed(container(1, sidecar), container(2)) == 3);
  // A sidecar that runs beside the init container cannot lend it devices; a sidecar that starts later can.
  CHECK(needed(container(1, sidecar) + container(3), container(1)) == 4);
  CHECK(needed(container(3) + container(1, sidecar), container(1)) == 3);
}

// Source: extended/v1 GetDeviceClass. A class can also be requested by its name.
TEST_CASE("DRA extended resource: a resource that names a device class uses only that class", "[kube][devices]") {
  const auto asks_for = [](std::string_view name) {
    const std::vector<std::string> other = {
        "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: a}\n"
        "spec: {selectors: [{cel: {expression: \"device.driver == 'other'\"}}]}\n"};
    return extended(
        fmt::format("containers: [{{name: c, resources: {{requests: {{deviceclass.resource.kubernetes.io/{}: 1}}}}}}]",
                    name),
        1, other);
  };
  CHECK(asks_for("gpus") == Outcome::fits);
  CHECK(asks_for("a") == Outcome::pending);
}

TEST_CASE("DRA extended resource: what the node itself has as allocatable needs no devices", "[kube][devices]") {
  CHECK(extended(containers("", container(1)), 0, {}, ", example.com/gpu: '1'") == Outcome::fits);
  CHECK(extended(containers("", container(1)), 0, {}, ", example.com/gpu: '0'") == Outcome::pending);
  CHECK(extended(containers("", container(1)), 1, {}, ", example.com/gpu: '0'") == Outcome::fits);
}

TEST_CASE("DRA extended resource: an earlier attempt's claim is in the way only if it requests devices",
          "[kube][devices]") {
  const auto left = [](std::string_view requests) {
    return fmt::format(
        "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {{namespace: ns, name: left, "
        "annotations: {{resource.kubernetes.io/extended-resource-claim: 'true'}}, ownerReferences: "
        "[{{kind: Pod, name: new, uid: u, controller: true}}]}}\nspec: {{devices: {{{}}}}}\n",
        requests);
  };
  CHECK(extended(containers("", container(1)), 1, {left("requests: [" + wants("r") + "]")}) == Outcome::pending);
  CHECK(extended(containers("", container(1)), 1, {left("")}) == Outcome::fits);
}
