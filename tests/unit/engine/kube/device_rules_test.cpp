// Rules that exclude a pod with claims on devices. Expected values are derived by hand from upstream's
// plugins/dynamicresources (v1.35.4, v1.36.3).
#include "engine/engine.h"
#include "tell/tell.h"
#include "unit/engine/kube/ask.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

using namespace previct;
using namespace previct::test;

namespace {

const std::string kExtendedGpus =
    "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: gpus}\n"
    "spec: {extendedResourceName: example.com/gpu}\n";
const std::string kSlice =
    "apiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {name: s}\n"
    "spec: {driver: d, pool: {name: p, generation: 1, resourceSliceCount: 1}, allNodes: true, devices: [{name: d0}]}\n";
const std::string kTwice =
    "apiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {name: s}\n"
    "spec: {driver: d, pool: {name: p, generation: 1, resourceSliceCount: 1}, allNodes: true, devices: [{name: d0}, "
    "{name: d0}]}\n";

auto claim_of_requests(std::string_view requests, std::string_view status = "", std::string_view name = "mine",
                       std::string_view meta = "") -> std::string {
  return fmt::format(
      "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {{namespace: ns, name: {}{}}}\n"
      "spec: {{devices: {{requests: [{}]}}}}\nstatus: {{{}}}\n",
      name, meta, requests, status);
}
const std::string kOne = "{name: r, exactly: {deviceClassName: gpus}}";

auto claiming_pod(std::string_view more = "") -> std::string {
  return a_pod("ns/new")
      .priority(9)
      .spec(fmt::format("resourceClaims: [{{name: a, resourceClaimName: mine}}{}]", more))
      .yaml();
}
auto scheduler(std::string_view version, std::string_view flag = "--v=2") -> std::string {
  return fmt::format(
      "apiVersion: v1\nkind: Pod\nmetadata: {{namespace: kube-system, name: kube-scheduler}}\n"
      "spec: {{containers: [{{name: kube-scheduler, image: 'registry.k8s.io/kube-scheduler:v{}', command: "
      "[kube-scheduler, {}]}}]}}\nstatus: {{phase: Running}}\n",
      version, flag);
}

}  // namespace

TEST_CASE("DRA PreFilter: refuses requests of unknown type, without a class, or with a disabled feature",
          "[kube][devices]") {
  const auto with = [](std::string_view requests) {
    return ask({a_node("a", "4"), kExtendedGpus, kSlice, claim_of_requests(requests), claiming_pod()});
  };
  const Answer unknown = with("{name: r}");
  CHECK(first_rule(unknown) == "kube.prefilter.device-request-unknown");
  CHECK(unknown.scheduler_message.starts_with(
      "0/1 nodes are available: resource claim ns/mine, request r: unknown request type."));
  const Answer unnamed = with("{name: r, exactly: {count: 1}}");
  CHECK(unnamed.outcome == Outcome::error);
  CHECK(first_rule(unnamed) == "kube.prefilter.device-class-unnamed");
  const Answer off =
      ask({a_node("a", "4"), kExtendedGpus, kSlice, scheduler("1.35.4", "--feature-gates=DRAPrioritizedList=false"),
           claim_of_requests("{name: r, firstAvailable: [{name: one, deviceClassName: gpus}]}"), claiming_pod()});
  CHECK(first_rule(off) == "kube.prefilter.device-alternatives-off");
}

TEST_CASE("DRA claim: at most 256 pods can use it", "[kube][devices]") {
  const auto with = [](std::size_t users, std::string list = "") {
    for (std::size_t i = 0; i < users; ++i) list += fmt::format("{{resource: pods, name: p{0}, uid: u{0}}}, ", i);
    return ask(
        {a_node("a", "4"), kExtendedGpus, kSlice,
         claim_of_requests(kOne, fmt::format("allocation: {{devices: {{results: []}}}}, reservedFor: [{}]", list)),
         claiming_pod()});
  };
  CHECK(with(255).outcome == Outcome::fits);
  CHECK(first_rule(with(256)) == "kube.prefilter.resource-claim-in-use");
  // A pod for which the claim is reserved already is one of them.
  CHECK(with(255, "{resource: pods, name: new, uid: uid-ns-new}, ").outcome == Outcome::fits);
}

TEST_CASE("DRA pool: two devices of one name make it invalid", "[kube][devices]") {
  const Answer left_out = ask({a_node("a", "4"), kExtendedGpus, kTwice, claim_of_requests(kOne), claiming_pod()});
  CHECK(first_rule(left_out) == "kube.filter.device-pools");
  const Answer all =
      ask({a_node("a", "4"), kExtendedGpus, kTwice,
           claim_of_requests("{name: r, exactly: {deviceClassName: gpus, allocationMode: All}}"), claiming_pod()});
  // "kube.filter.devices-error"
  CHECK(all.outcome == Outcome::error);
  CHECK(all.sentence.find("asks for all devices, but resource pool d/p is currently invalid") != std::string::npos);
}

TEST_CASE("DRA binding conditions: an allocation whose device failed is given up", "[kube][devices]") {
  const auto with = [](std::string_view condition) {
    return ask(
        {a_node("a", "4"), kExtendedGpus, kSlice,
         claim_of_requests(
             kOne, fmt::format("allocation: {{devices: {{results: [{{request: r, driver: d, pool: p, device: d0, "
                               "bindingConditions: [ready], bindingFailureConditions: [broken]}}]}}}}, devices: "
                               "[{{driver: d, pool: p, device: d0, conditions: [{{type: {}, status: 'True'}}]}}]",
                               condition)),
         claiming_pod()});
  };
  CHECK(with("ready").outcome == Outcome::fits);
  const Answer broken = with("broken");
  CHECK(first_rule(broken) == "kube.filter.resource-claim-binding");
  CHECK(broken.scheduler_message.find("deallocation of ResourceClaim completed") != std::string::npos);
}

// Source: plugins/dynamicresources/dynamicresources.go isClaimTimeout, v1.36.3: bindingTimeout after the allocation.
TEST_CASE("DRA binding conditions: an allocation is given up after 10 minutes or the configured timeout",
          "[kube][devices]") {
  const auto rules = [](std::string_view at, std::string_view args, std::string_view conditions = "[ready]") {
    const auto cluster = a_cluster(
        {a_node("a", "4"), kExtendedGpus, kSlice, scheduler("1.36.3"),
         claim_of_requests(
             kOne, fmt::format("allocation: {{allocationTimestamp: '{}', devices: {{results: [{{request: r, driver: "
                               "d, pool: p, device: d0, bindingConditions: {}, bindingFailureConditions: "
                               "[broken]}}]}}}}",
                               at, conditions)),
         claiming_pod()});
    Question question;
    question.ns = "ns";
    question.name = "new";
    question.now = parse_instant("2026-03-02T12:00:00Z").value();
    question.scheduler_config = ConfigFile{
        FileId{}, fmt::format("apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nprofiles: "
                              "[{{pluginConfig: [{{name: DynamicResources, args: {{{}}}}}]}}]\n",
                              args)};
    for (const Engine* engine : engines()) {
      if (engine->name() != "kube") continue;
      const auto answer = explain(*engine, *cluster->snapshot, question);
      if (!answer) FAIL(answer.error().message);
      return answer->outcome == Outcome::fits ? std::string("fits") : first_rule(*answer);
    }
    return std::string();
  };
  const std::string given_up = "kube.filter.resource-claim-binding";
  CHECK(rules("2026-03-02T11:50:00Z", "") == "fits");  // the last moment
  CHECK(rules("2026-03-02T11:49:59Z", "") == given_up);
  CHECK(rules("2026-03-02T11:49:59Z", "bindingTimeout: 20m") == "fits");
  CHECK(rules("2026-03-02T11:59:50Z", "bindingTimeout: 5s") == given_up);
  CHECK(rules("2026-03-02T11:00:00Z", "", "[]") == "fits");  // nothing to wait for
}

TEST_CASE("DRA extended resource: a claim that is left from an earlier attempt is deleted first", "[kube][devices]") {
  std::string pod = a_pod("ns/new").priority(9).yaml();
  pod.replace(pod.find("cpu:"), 4, "example.com/gpu: 1, cpu:");
  const std::string uid = "ownerReferences: [{kind: Pod, name: new, uid: uid-ns-new, controller: true}]";
  const std::string left = claim_of_requests(
      kOne, "", "left", ", annotations: {resource.kubernetes.io/extended-resource-claim: 'true'}, " + uid);
  CHECK(ask({a_node("a", "4"), kExtendedGpus, kSlice, claim_of_requests(kOne, "", "other"), pod}).outcome ==
        Outcome::fits);
  const Answer answer = ask({a_node("a", "4"), kExtendedGpus, kSlice, left, pod});
  CHECK(first_rule(answer) == "kube.filter.extended-resource-claim");
  // "kube.postfilter.claim-deleted"
  CHECK(answer.scheduler_message.find("deletion of ResourceClaim completed") != std::string::npos);
}

TEST_CASE("DRA Score: 1.35 fails if one claim of a pod is allocated and another is not", "[kube][devices]") {
  const std::string held = claim_of_requests(kOne, "allocation: {devices: {results: []}}", "held");
  const auto with = [&](std::string_view version, bool two_nodes) {
    std::vector<std::string> documents = {a_node("a", "4"),
                                          kExtendedGpus,
                                          kSlice,
                                          scheduler(version),
                                          claim_of_requests(kOne),
                                          held,
                                          claiming_pod(", {name: b, resourceClaimName: held}")};
    if (two_nodes) documents.push_back(a_node("b", "4"));
    return ask(documents);
  };
  // A single feasible node is chosen without scores.
  CHECK(with("1.35.4", false).outcome == Outcome::fits);
  const Answer fails = with("1.35.4", true);
  // "kube.score.devices"
  CHECK(fails.outcome == Outcome::error);
  CHECK(fails.sentence.find("number of allocations 1 is smaller than number of claims") != std::string::npos);
  CHECK(with("1.36.3", true).outcome == Outcome::fits);
}

// Source: structured/internal/incubating/pools_incubating.go GatherPools, v0.36. With perDeviceNodeSelection, each
// device specifies which nodes reach it.
TEST_CASE("DRA perDeviceNodeSelection: devices of one slice may belong to different nodes", "[kube][devices]") {
  const auto asked = [](std::string_view devices, int count, std::string_view per_device = "true") {
    return ask(
        {"apiVersion: v1\nkind: Node\nmetadata: {name: a, labels: {zone: east}}\n"
         "status: {allocatable: {cpu: '4', memory: 8Gi, pods: '110'}}\n",
         kExtendedGpus, scheduler("1.36.3"),
         fmt::format("apiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {{name: s}}\nspec: {{driver: "
                     "d, pool: {{name: p, generation: 1, resourceSliceCount: 1}}, perDeviceNodeSelection: {}, "
                     "devices: [{}]}}\n",
                     per_device, devices),
         claim_of_requests(fmt::format(
             "{{name: r, exactly: {{deviceClassName: gpus, allocationMode: ExactCount, count: {}}}}}", count)),
         claiming_pod()});
  };
  const auto selecting = [](std::string_view term) {
    return fmt::format("{{name: d0, nodeSelector: {{nodeSelectorTerms: [{{matchExpressions: [{}]}}]}}}}", term);
  };
  CHECK(asked("{name: d0, nodeName: a}", 1).outcome == Outcome::fits);
  CHECK(asked("{name: d0, nodeName: b}", 1).outcome == Outcome::pending);
  CHECK(asked("{name: d0, allNodes: true}", 1).outcome == Outcome::fits);
  CHECK(asked("{name: d0}", 1).outcome == Outcome::pending);
  CHECK(asked(selecting("{key: zone, operator: In, values: [east]}"), 1).outcome == Outcome::fits);
  CHECK(asked(selecting("{key: zone, operator: In, values: [west]}"), 1).outcome == Outcome::pending);
  // Two devices are requested; the device of node b does not count.
  CHECK(asked("{name: d0, nodeName: a}, {name: d1, allNodes: true}, {name: d2, nodeName: b}", 2).outcome ==
        Outcome::fits);
  CHECK(asked("{name: d0, nodeName: a}, {name: d1, nodeName: b}, {name: d2, nodeName: b}", 2).outcome ==
        Outcome::pending);
  CHECK(asked("{name: d0, nodeName: a}", 1, "false").outcome == Outcome::pending);
  const Answer unread = asked(selecting("{key: zone, operator: Is, values: [east]}"), 1);
  CHECK(unread.sentence.starts_with("cannot tell, because the node selector of a ResourceSlice is malformed"));
}

TEST_CASE("DRA claims: the answer is unknown for a pod with more than 64 claims", "[kube][devices]") {
  // All claims could be allocated: each requests one of 70 devices.
  const auto asked = [](int claims) {
    std::vector<std::string> documents = {a_node("a", "4"), kExtendedGpus, scheduler("1.35.4")};
    std::string devices;
    for (int i = 0; i < 70; ++i) devices += fmt::format("{{name: d{}}}, ", i);
    documents.push_back(
        fmt::format("apiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {{name: s}}\nspec: {{driver: d, "
                    "pool: {{name: p, "
                    "generation: 1, resourceSliceCount: 1}}, allNodes: true, devices: [{}]}}\n",
                    devices));
    std::string more;
    documents.push_back(claim_of_requests(kOne));
    for (int i = 1; i < claims; ++i) {
      documents.push_back(claim_of_requests(kOne, "", fmt::format("mine{}", i)));
      more += fmt::format(", {{name: a{0}, resourceClaimName: mine{0}}}", i);
    }
    documents.push_back(claiming_pod(more));
    return ask(documents);
  };
  CHECK(asked(32).outcome == Outcome::fits);
  CHECK(asked(65).sentence.starts_with("cannot tell, because the pod has more than 64 claims"));
}
