// The choice of devices for claims. Expected values are derived by hand from upstream's allocator
// (dynamic-resource-allocation: structured/internal/incubating, v0.34 to v0.36). The answers of the real scheduler are
// in fixtures/kube/devices.
#include "engine/engine.h"
#include "tell/tell.h"
#include "unit/engine/kube/ask.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

using namespace previct;
using namespace previct::test;

namespace {

auto a_device_class(std::string_view selector, std::string_view more = "") -> std::string {
  return fmt::format(
      "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {{name: gpus}}\n"
      "spec: {{selectors: [{{cel: {{expression: '{}'}}}}]{}}}\n",
      selector, more);
}
const std::string kGpus = a_device_class("device.driver == \"gpu.example.com\"");

auto a_slice(std::string_view node, std::string_view devices) -> std::string {
  return fmt::format(
      "apiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {{name: slice-{0}}}\n"
      "spec: {{driver: gpu.example.com, pool: {{name: {0}, generation: 1, resourceSliceCount: 1}}, nodeName: {0}, "
      "devices: [{1}]}}\n",
      node, devices);
}
auto claim_of_gpus(std::string_view name, std::string_view ask, std::string_view status = "") -> std::string {
  return fmt::format(
      "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {{namespace: ns, name: {}}}\n"
      "spec: {{devices: {{requests: [{{name: r, exactly: {{deviceClassName: gpus{}}}}}]}}}}\nstatus: {{{}}}\n",
      name, ask, status);
}
auto holding(std::string_view name, std::string_view node, std::string_view device) -> std::string {
  return claim_of_gpus(name, "",
                       fmt::format("allocation: {{devices: {{results: [{{request: r, driver: gpu.example.com, "
                                   "pool: {}, device: {}}}]}}}}, reservedFor: [{{resource: pods, name: x, uid: x}}]",
                                   node, device));
}
auto pod_of_claims(std::string_view claims = "{name: a, resourceClaimName: mine}") -> std::string {
  return a_pod("ns/new").priority(9).spec(fmt::format("resourceClaims: [{}]", claims)).yaml();
}
auto filter_detail(const Answer& answer, std::string_view node) -> std::string {
  for (const auto& each : answer.nodes) {
    if (each.at("name") == node) return each.at("filter").at("reasons").at(0).at("detail");
  }
  return {};
}

}  // namespace

TEST_CASE("DRA claim: a pod fits a node that has free devices for it", "[kube][devices]") {
  // a: its only device is allocated. b: one of its two devices is. c has no device.
  const Answer answer = ask({a_node("a", "4"), a_node("b", "4"), a_node("c", "4"), kGpus, a_slice("a", "{name: d0}"),
                             a_slice("b", "{name: d0}, {name: d1}"), holding("one", "a", "d0"),
                             holding("two", "b", "d0"), claim_of_gpus("mine", ""), pod_of_claims()});
  CHECK(answer.outcome == Outcome::fits);
  CHECK(answer.feasible == std::vector{NodeId{1}});
  CHECK(filter_detail(answer, "a") == "request r of its claim mine needs 1 device; 0 suitable and free on the node");
}

TEST_CASE("DRA preemption: evicting pods does not free the devices of their claims", "[kube][devices]") {
  const Answer answer =
      ask({a_node("a", "4"), a_pod("ns/x").on("a").priority(1).yaml(), kGpus, a_slice("a", "{name: d0}"),
           holding("held", "a", "d0"), claim_of_gpus("mine", ""), pod_of_claims()});
  CHECK(answer.outcome == Outcome::pending);
  CHECK(answer.scheduler_message ==
        "0/1 nodes are available: 1 cannot allocate all claims. still not schedulable, preemption: 0/1 nodes are "
        "available: 1 Preemption is not helpful for scheduling.");
}

TEST_CASE("DRA claim: two claims do not get the same device", "[kube][devices]") {
  const std::string two = "{name: a, resourceClaimName: mine}, {name: b, resourceClaimName: other}";
  const auto with = [&](std::string_view devices) {
    return ask({a_node("a", "4"), kGpus, a_slice("a", devices), claim_of_gpus("mine", ""), claim_of_gpus("other", ""),
                pod_of_claims(two)});
  };
  CHECK(with("{name: d0}, {name: d1}").outcome == Outcome::fits);
  const Answer one = with("{name: d0}");
  CHECK(one.outcome == Outcome::pending);
  CHECK(filter_detail(one, "a") == "the devices there do not satisfy all requests of its claims at once");
}

TEST_CASE("DRA selectors: one that is not evaluated makes the answer unknown and is named", "[kube][devices]") {
  const std::string beyond = a_device_class("[1].sum() == 1");
  const Answer answer =
      ask({a_node("a", "4"), beyond, a_slice("a", "{name: d0}"), claim_of_gpus("mine", ""), pod_of_claims()});
  CHECK(answer.outcome == Outcome::unknown);
  CHECK(answer.sentence.starts_with(
      "cannot tell, because the selector \"[1].sum() == 1\" of DeviceClass gpus is not evaluated"));
  // The selector does not matter if no device is looked at.
  CHECK(
      ask({a_node("a", "4"), beyond, a_slice("b", "{name: d0}"), claim_of_gpus("mine", ""), pod_of_claims()}).outcome ==
      Outcome::pending);
}

TEST_CASE("DRA selectors: a failure on a device ends the attempt", "[kube][devices]") {
  const Answer answer = ask({a_node("a", "4"), a_device_class("device.attributes[\"gpu.example.com\"].rank == 1"),
                             a_slice("a", "{name: d0}"), claim_of_gpus("mine", ""), pod_of_claims()});
  CHECK(answer.outcome == Outcome::error);
  CHECK(answer.sentence.find("class gpus: selector #0: CEL runtime error: no such key: rank") != std::string::npos);
}

TEST_CASE("DRA allocationMode All: an incomplete pool is an error", "[kube][devices]") {
  std::string half = a_slice("a", "{name: d0}");
  half.replace(half.find("resourceSliceCount: 1"), 21, "resourceSliceCount: 2");
  const std::string all = claim_of_gpus("mine", ", allocationMode: All");
  CHECK(ask({a_node("a", "4"), kGpus, a_slice("a", "{name: d0}"), all, pod_of_claims()}).outcome == Outcome::fits);
  CHECK(ask({a_node("a", "4"), kGpus, half, all, pod_of_claims()}).outcome == Outcome::error);
  // In the other mode, the pool is left out.
  CHECK(ask({a_node("a", "4"), kGpus, half, claim_of_gpus("mine", ""), pod_of_claims()}).outcome == Outcome::pending);
}

TEST_CASE("DRA v1beta1: its fields of devices are read", "[kube][devices]") {
  std::string claim = claim_of_gpus("mine", "");
  claim.replace(claim.find("exactly: {deviceClassName: gpus}"), 32, "deviceClassName: gpus");
  const std::string of_class = a_device_class("device.attributes[\"gpu.example.com\"].model == \"m1\"");
  const auto with = [&](std::string_view model) {
    return ask({a_node("a", "4"), of_class,
                a_slice("a", fmt::format("{{name: d0, basic: {{attributes: {{model: {{string: {}}}}}}}}}", model)),
                claim, pod_of_claims()});
  };
  CHECK(with("m1").outcome == Outcome::fits);
  CHECK(with("m2").outcome == Outcome::pending);
}
