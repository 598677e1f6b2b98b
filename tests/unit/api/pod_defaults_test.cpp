#include "api/load.h"
#include "support/scratch.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <string>

namespace previct::test {
namespace {

// Returns the first pod of a file with this metadata and spec.
auto loaded_pod(const std::string& metadata, const std::string& spec, Objects& objects, const std::string& more = "")
    -> const Pod& {
  const Scratch scratch;
  const std::string file = scratch.file(
      "pod.yaml", fmt::format("apiVersion: v1\nkind: Pod\nmetadata: {{{}}}\nspec: {{{}}}\n{}", metadata, spec, more));
  REQUIRE(load({file}, {}, objects));
  return objects.pods.items().front();
}

auto amounts(const ResourceList& list, const Symbols& symbols) -> std::string {
  std::string out;
  for (const auto& [name, quantity] : list) out += fmt::format("{}={} ", symbols.text(name), quantity.milli());
  return out;
}

auto expressions(const PodAffinityTerm& term, const Symbols& symbols) -> std::string {
  std::string out;
  for (const Requirement& each : term.selector->match_expressions) {
    REQUIRE(each.values.size() == 1);
    out += fmt::format("{} {} {}; ", symbols.text(each.key), symbols.text(each.operator_text),
                       symbols.text(each.values.front()));
  }
  return out;
}

constexpr const char* kLimitsOnly =
    "containers: [{name: c, resources: {limits: {cpu: 2, memory: 4}, requests: {memory: 3}}}], initContainers: [{name: "
    "i, resources: {limits: {cpu: 1}}}]";

}  // namespace

// Expected values of this file: kubernetes pkg/apis/core/v1/defaults.go SetDefaults_Pod, v1.31 and v1.36.
TEST_CASE("pod defaults: without a UID, a pod requests its limits; with one, what it states", "[load]") {
  Objects fresh;
  const Pod& made = loaded_pod("name: p", kLimitsOnly, fresh);
  CHECK(amounts(made.spec.containers.front().resources.requests, fresh.symbols) == "memory=3000 cpu=2000 ");
  CHECK(amounts(made.spec.init_containers.front().resources.requests, fresh.symbols) == "cpu=1000 ");
  Objects dumped;
  const Pod& old = loaded_pod("name: p, uid: u", kLimitsOnly, dumped);
  CHECK(amounts(old.spec.containers.front().resources.requests, dumped.symbols) == "memory=3000 ");
  CHECK(old.spec.init_containers.front().resources.requests.empty());
}

TEST_CASE("pod defaults: pod-level requests are those of the containers, then the pod-level limits", "[load]") {
  const auto requests = [](const std::string& resources, const std::string& limits) {
    Objects objects;
    const Pod& pod = loaded_pod("name: p",
                                fmt::format("resources: {{{}}}, containers: [{{name: a, resources: {{requests: {{cpu: "
                                            "1}}}}}}, {{name: b, resources: {{limits: {{{}}}}}}}]",
                                            resources, limits),
                                objects);
    return amounts(pod.spec.resources->requests, objects.symbols);
  };
  // cpu: 1 + 2 of the containers; memory: no container has any, so it is the limit.
  CHECK(requests("limits: {cpu: 8, memory: 5}", "cpu: 2") == "cpu=3000 memory=5000 ");
  // Given values are kept; without limits nothing is filled in.
  CHECK(requests("requests: {cpu: 4}, limits: {cpu: 8}", "cpu: 2") == "cpu=4000 ");
  CHECK(requests("requests: {memory: 4}", "cpu: 2") == "memory=4000 ");
  // Huge pages: the limit is that of the containers, and the request is the limit.
  CHECK(requests("limits: {cpu: 8}", "hugepages-2Mi: 4") == "cpu=1000 hugepages-2Mi=4000 ");
  // The same with only requests; given huge pages are kept; without any pod-level value, nothing is filled in.
  CHECK(requests("requests: {memory: 4}", "hugepages-2Mi: 4") == "memory=4000 cpu=1000 hugepages-2Mi=4000 ");
  CHECK(requests("limits: {cpu: 8, hugepages-2Mi: 2}", "hugepages-2Mi: 4") == "cpu=1000 hugepages-2Mi=2000 ");
  CHECK(requests("requests: {hugepages-2Mi: 2}", "hugepages-2Mi: 4") == "hugepages-2Mi=2000 ");
  CHECK(requests("", "hugepages-2Mi: 4").empty());
  // Other resources get no default.
  CHECK(requests("limits: {cpu: 8, example.com/a: 5}", "example.com/b: 4") == "cpu=1000 ");
}

// k8s.io/component-helpers: resource/helpers.go AggregateContainerRequests: a sidecar (1) counts with the containers,
// and with every later init container, of which the largest counts.
TEST_CASE("pod defaults: the containers' total request includes sidecars and init containers", "[load]") {
  const auto requested = [](int container, int init) {
    Objects objects;
    const Pod& pod = loaded_pod(
        "name: p",
        fmt::format(
            "resources: {{limits: {{cpu: 9}}}}, containers: [{{name: c, resources: {{requests: {{cpu: {}}}}}}}], "
            "initContainers: [{{name: s, restartPolicy: Always, resources: {{requests: {{cpu: 1}}}}}}, {{name: "
            "i, resources: {{requests: {{cpu: {}}}}}}}]",
            container, init),
        objects);
    return amounts(pod.spec.resources->requests, objects.symbols);
  };
  CHECK(requested(1, 4) == "cpu=5000 ");  // 1 + 4 while the init container runs
  CHECK(requested(3, 1) == "cpu=4000 ");  // 3 + 1 after it
}

TEST_CASE("pod defaults: on the host network, every container port is a host port", "[load]") {
  const std::string spec =
      "containers: [{name: c, ports: [{containerPort: 80}, {containerPort: 81, hostPort: 82}]}], initContainers: "
      "[{name: i, ports: [{containerPort: 90}]}]";
  Objects objects;
  const Pod& pod = loaded_pod("name: p", "hostNetwork: true, " + spec, objects);
  CHECK(pod.spec.containers.front().ports[0].host_port == 80);
  CHECK(pod.spec.containers.front().ports[1].host_port == 82);
  CHECK(pod.spec.init_containers.front().ports[0].host_port == 90);
  Objects other;
  CHECK(loaded_pod("name: p", spec, other).spec.containers.front().ports[0].host_port == 0);
}

// Kubernetes: pkg/registry/core/pod/strategy.go applyMatchLabelKeysAndMismatchLabelKeys, v1.31 and v1.36: only keys
// that the pod has, and only terms with a selector.
TEST_CASE("pod defaults: matchLabelKeys of affinity terms become selector requirements of new pods", "[load]") {
  const std::string keys = "matchLabelKeys: [version, none], mismatchLabelKeys: [team]";
  const std::string spec = fmt::format(
      "containers: [{{name: c}}], affinity: {{podAntiAffinity: {{requiredDuringSchedulingIgnoredDuringExecution: "
      "[{{topologyKey: z, labelSelector: {{}}, {0}}}, {{topologyKey: z, {0}}}]}}, podAffinity: "
      "{{preferredDuringSchedulingIgnoredDuringExecution: [{{weight: 1, podAffinityTerm: {{topologyKey: z, "
      "labelSelector: {{}}, {0}}}}}]}}}}",
      keys);
  Objects objects;
  const Pod& pod = loaded_pod("name: p, labels: {version: v2, team: a}", spec, objects);
  const auto& required = pod.spec.affinity.pod_anti.required;
  CHECK(expressions(required[0], objects.symbols) == "version In v2; team NotIn a; ");
  CHECK_FALSE(required[1].selector);
  CHECK(expressions(pod.spec.affinity.pod.preferred[0].term, objects.symbols) == "version In v2; team NotIn a; ");
  Objects dumped;
  const Pod& old = loaded_pod("name: p, uid: u, labels: {version: v2, team: a}", spec, dumped);
  CHECK(expressions(old.spec.affinity.pod_anti.required[0], dumped.symbols).empty());
}

TEST_CASE("pod defaults: a selector's own requirement is not repeated; a similar one does not count", "[load]") {
  const auto with = [](const std::string& expression) {
    Objects objects;
    const Pod& pod = loaded_pod(
        "name: p, labels: {version: v2}",
        fmt::format("containers: [{{name: c}}], affinity: {{podAntiAffinity: "
                    "{{requiredDuringSchedulingIgnoredDuringExecution: [{{topologyKey: z, matchLabelKeys: [version], "
                    "labelSelector: {{matchExpressions: [{}]}}}}]}}}}",
                    expression),
        objects);
    return pod.spec.affinity.pod_anti.required[0].selector->match_expressions.size();
  };
  CHECK(with("{key: version, operator: In, values: [v2]}") == 1);
  CHECK(with("{key: track, operator: In, values: [v2]}") == 2);
  CHECK(with("{key: version, operator: NotIn, values: [v2]}") == 2);
  CHECK(with("{key: version, operator: In, values: [v2, v3]}") == 2);
  CHECK(with("{key: version, operator: In, values: [v1]}") == 2);
}

// Kubernetes: pkg/apis/core/v1/defaults.go SetDefaults_NodeStatus. A node with a uid comes from an API server, which
// has applied it: such a node lost the field afterwards.
TEST_CASE("node defaults: the capacity of a new node is allocatable", "[load]") {
  const auto allocatable = [](const std::string& metadata, const std::string& status) {
    const Scratch scratch;
    Objects objects;
    const std::string node = "apiVersion: v1\nkind: Node\nmetadata: {{{}}}\nstatus: {{capacity: {{cpu: 4}}{}}}\n";
    REQUIRE(load({scratch.file("node.yaml", fmt::format(fmt::runtime(node), metadata, status))}, {}, objects));
    return amounts(objects.nodes.items().front().status.allocatable, objects.symbols);
  };
  CHECK(allocatable("name: n1", "") == "cpu=4000 ");
  CHECK(allocatable("name: n1", ", allocatable: {cpu: 3}") == "cpu=3000 ");
  CHECK(allocatable("name: n1, uid: u", "").empty());
}

// Kubernetes: plugin/pkg/admission/priority/admission.go: a new pod without a class gets the global default.
TEST_CASE("pod defaults: a pending pod without a UID gets the global default class", "[load]") {
  const std::string usual =
      "---\napiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: usual}\nvalue: 70\nglobalDefault: "
      "true\npreemptionPolicy: Never\n";
  const auto told = [&](const std::string& metadata, const std::string& spec) {
    Objects objects;
    const Pod& pod = loaded_pod(metadata, "containers: [{name: c}]" + spec, objects, usual);
    if (!pod.spec.has_priority) return fmt::format("- {}", objects.zero_priorities.count);
    return fmt::format("{} {} {} {}", pod.spec.priority, objects.symbols.text(pod.spec.priority_class_name),
                       objects.symbols.text(pod.spec.preemption_policy), objects.default_priorities.count);
  };
  CHECK(told("name: p", "") == "70 usual Never 1");
  CHECK(told("name: p", ", priority: 3") == "3   0");
  CHECK(told("name: p, uid: u", "") == "- 0");
  CHECK(told("name: p", ", nodeName: n1") == "- 1");  // it may be older than the class, which is reported
  CHECK(told("name: p, uid: u", ", nodeName: n1") == "- 1");
}

}  // namespace previct::test
