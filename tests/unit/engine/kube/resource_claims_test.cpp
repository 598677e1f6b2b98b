// ResourceClaims. Expected values are derived by hand from upstream's plugins/dynamicresources/dynamicresources.go
// (v1.35.4).
#include "engine/engine.h"
#include "engine/kube/attempt.h"
#include "unit/engine/kube/ask.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

using namespace previct;
using namespace previct::test;

namespace {

auto pod_with_resource_claim() -> std::string {
  return a_pod("ns/new").priority(9).spec("resourceClaims: [{name: gpu, resourceClaimName: gpu}]").yaml();
}
auto a_resource_claim(std::string_view status, std::string_view meta = "", std::string_view name = "gpu")
    -> std::string {
  return fmt::format(
      "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {{namespace: ns, name: {}, uid: c, {}}}\n"
      "spec: {{devices: {{requests: [{{name: r, exactly: {{deviceClassName: gpus}}}}]}}}}\nstatus: {{{}}}\n",
      name, meta, status);
}
auto allocated_on(std::string_view host, std::string_view more = "") -> std::string {
  return a_resource_claim(fmt::format(
      "allocation: {{nodeSelector: {{nodeSelectorTerms: [{{matchFields: [{{key: metadata.name, operator: In, "
      "values: [{}]}}]}}]}}}}{}",
      host, more));
}
const std::string kDeviceClass = "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: gpus}\n";

}  // namespace

TEST_CASE("ResourceClaim: allocated devices restrict the pod to the nodes that reach them", "[kube][devices]") {
  const Answer fits = ask({a_node("a", "4"), a_node("b", "4"), allocated_on("b"), pod_with_resource_claim()});
  CHECK(fits.outcome == Outcome::fits);
  CHECK(fits.feasible == std::vector{NodeId{1}});
  // Evicting pods elsewhere does not help: only b is tried.
  const Answer preempts = ask({a_node("a", "1"), a_node("b", "1"), a_pod("ns/x").on("a").priority(1).yaml(),
                               a_pod("ns/z").on("b").priority(1).yaml(), allocated_on("b"), pod_with_resource_claim()});
  CHECK(preempts.outcome == Outcome::preempts);
  CHECK(preempts.tied == std::vector{NodeId{1}});
}

TEST_CASE("ResourceClaim: an allocation that no node reaches is given up if no other pod uses it", "[kube][devices]") {
  const Answer unused = ask({a_node("a", "4"), allocated_on("gone"), pod_with_resource_claim()});
  CHECK(unused.outcome == Outcome::pending);
  CHECK(first_rule(unused) == "kube.filter.resource-claim-allocation");
  // "kube.postfilter.claim-deallocated"
  CHECK(unused.scheduler_message ==
        "0/1 nodes are available: 1 resourceclaim not available on the node. deallocation of ResourceClaim completed, "
        "preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.");
  // dynamicresources.go PostFilter: without users, or if the pod is the only one.
  const std::string own = "{resource: pods, name: new, uid: uid-ns-new}";
  const std::string other = "{resource: pods, name: x, uid: x}";
  const auto message = [](const std::string& users) {
    return ask({a_node("a", "4"), allocated_on("gone", fmt::format(", reservedFor: [{}]", users)),
                pod_with_resource_claim()})
        .scheduler_message;
  };
  CHECK(message(own) == unused.scheduler_message);
  // "kube.postfilter.claims-stay"
  for (const std::string& users : {other, fmt::format("{}, {}", own, other), fmt::format("{}, {}", other, own)})
    CHECK(message(users).find("still not schedulable, preemption:") != std::string::npos);
}

TEST_CASE("ResourceClaim: a pod whose claim is missing, being deleted or invalid is not tried", "[kube][devices]") {
  const auto gate = [](const std::vector<std::string>& documents) {
    const Answer answer = ask(documents);
    CHECK(answer.outcome == Outcome::gated);
    return answer.evidence.at("preEnqueue").at("reasons").at(0).get<std::string>();
  };
  const std::string other = a_resource_claim("", "", "other");
  // "kube.gated.resource-claim-missing"
  CHECK(gate({a_node("a", "4"), other, pod_with_resource_claim()}) == "could not find ResourceClaim \"ns/gpu\"");
  // "kube.gated.resource-claim-deleting"
  CHECK(gate({a_node("a", "4"), a_resource_claim("", "deletionTimestamp: '2026-03-02T11:00:00Z'"),
              pod_with_resource_claim()}) == "resourceclaim \"gpu\" is being deleted");
  const std::string templated =
      a_pod("ns/new").spec("resourceClaims: [{name: gpu, resourceClaimTemplateName: t}]").yaml();
  // "kube.gated.resource-claim-awaited"
  CHECK(gate({a_node("a", "4"), other, templated}) == "pod \"ns/new\": ResourceClaim not created yet");
  // "kube.gated.resource-claim-not-owned"
  CHECK(gate({a_node("a", "4"), a_resource_claim(""),
              templated + "  resourceClaimStatuses: [{name: gpu, resourceClaimName: gpu}]\n"}) ==
        "ResourceClaim ns/gpu was not created for Pod ns/new (Pod is not owner)");
  // Source: dynamic-resource-allocation: resourceclaim/resourceclaim.go IsForPod, v0.35, v0.36.
  CHECK(gate({a_node("a", "4"), a_resource_claim(""), scheduler_pod("1.35.4"),
              templated + "  resourceClaimStatuses: [{name: gpu, resourceClaimName: gpu}]\n"}) ==
        "ResourceClaim ns/gpu was not created for pod ns/new (pod is not owner)");
  // "kube.gated.resource-claim-unsupported"
  CHECK(gate({a_node("a", "4"), other, a_pod("ns/new").spec("resourceClaims: [{name: gpu}]").yaml()}) ==
        "pod \"ns/new\", spec.resourceClaim \"gpu\": none of the supported fields are set");
}

TEST_CASE("ResourceClaim: without ResourceSlices the answer is unknown, unless no devices could change it",
          "[kube][devices]") {
  const std::string open = a_resource_claim("");
  const Answer unknown = ask({a_node("a", "4"), open, kDeviceClass, pod_with_resource_claim()});
  CHECK(unknown.outcome == Outcome::unknown);
  CHECK(unknown.sentence.starts_with("cannot tell, because the input has no ResourceSlices, and the pod claims"));
  CHECK(ask({a_node("a", "0"), open, kDeviceClass, pod_with_resource_claim()}).outcome == Outcome::pending);
  const Answer classless = ask({a_node("a", "4"), open,
                                "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: "
                                "{name: other}\n",
                                pod_with_resource_claim()});
  CHECK(classless.outcome == Outcome::pending);
  CHECK(first_rule(classless) == "kube.prefilter.device-class-missing");
  // Without any ResourceClaim in the input, nothing is known about the claim.
  CHECK(ask({a_node("a", "4"), pod_with_resource_claim()}).outcome == Outcome::unknown);
}

TEST_CASE("ResourceClaim: an allocation that cannot be read ends the attempt in an error", "[kube][devices]") {
  const Answer answer =
      ask({a_node("a", "4"),
           a_resource_claim(
               "allocation: {nodeSelector: {nodeSelectorTerms: [{matchExpressions: [{key: a, operator: In}]}]}}"),
           pod_with_resource_claim()});
  CHECK(answer.outcome == Outcome::error);
  CHECK(first_rule(answer) == "kube.prefilter.resource-claim-malformed");
}

TEST_CASE("ResourceClaim: of more claims than are counted, only unavailable ones are given up", "[kube][devices]") {
  // c0 belongs to no node here, but another pod uses it; c64 is available, and no pod uses it.
  const auto claim = [](int i, std::string_view host, std::string_view more) {
    return fmt::format(
        "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {{namespace: ns, name: c{}}}\n"
        "spec: {{devices: {{requests: []}}}}\nstatus: {{allocation: {{nodeSelector: {{nodeSelectorTerms: "
        "[{{matchFields: [{{key: metadata.name, operator: In, values: [{}]}}]}}]}}}}{}}}\n",
        i, host, more);
  };
  std::vector<std::string> documents = {a_node("a", "4"),
                                        claim(0, "gone", ", reservedFor: [{resource: pods, name: x, uid: x}]")};
  std::string used = "{name: n0, resourceClaimName: c0}, ";
  for (int i = 1; i <= 64; ++i) {
    documents.push_back(claim(i, "a", ""));
    used += fmt::format("{{name: n{0}, resourceClaimName: c{0}}}, ", i);
  }
  documents.push_back(a_pod("ns/new").priority(9).spec(fmt::format("resourceClaims: [{}]", used)).yaml());
  const Answer answer = ask(documents);
  CHECK(answer.outcome == Outcome::pending);
  CHECK(answer.scheduler_message.find("still not schedulable, preemption:") != std::string::npos);
}

TEST_CASE("ResourceClaim: after a rejection by its own PreFilter, the plugin gives up no claims", "[kube][devices]") {
  const Answer answer = ask({a_node("a", "4"), a_resource_claim(""), pod_with_resource_claim(),
                             "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: other}\n"});
  CHECK(answer.outcome == Outcome::pending);
  CHECK(answer.scheduler_message.find("no new claims to deallocate") != std::string::npos);
}
