// Extended resources of a DeviceClass may come from devices, which previct does not consider.
// Source: kai-scheduler/KAI-Scheduler: pkg/scheduler/api/node_info/node_info.go lessEqualVectorsExcludingGPU,
// pkg/scheduler/plugins/dynamicresources/extended_resources.go (d5bc503a).
#include "support/kai.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

namespace previct {
namespace {

// One queue without limits, and a node whose allocatable has 1 example.com/nic if `on_node`.
auto outcome_with(const std::string& device_class, const std::string& resource, bool on_node) -> Outcome {
  const std::string text = fmt::format(
      R"(---
{{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {{name: train}}, value: 50}}
---
{{apiVersion: scheduling.run.ai/v2, kind: Queue, metadata: {{name: q}}, spec: {{resources: {{cpu: {{quota: -1, limit: -1}}, memory: {{quota: -1, limit: -1}}, gpu: {{quota: -1, limit: -1}}}}}}}}
---
{{apiVersion: v1, kind: Node, metadata: {{name: a}}, status: {{allocatable: {{cpu: "8", memory: 8Gi, pods: "110"{0}}}, conditions: [{{type: Ready, status: "True"}}]}}}}
---
{{apiVersion: scheduling.run.ai/v2alpha2, kind: PodGroup, metadata: {{name: g, namespace: ml}}, spec: {{queue: q, minMember: 1, priorityClassName: train}}}}
---
{{apiVersion: v1, kind: Pod, metadata: {{name: p, namespace: ml, uid: p, annotations: {{pod-group-name: g}}}}, spec: {{schedulerName: kai-scheduler, containers: [{{name: c, resources: {{requests: {{cpu: "1", "{1}": "1"}}}}}}]}}, status: {{phase: Pending}}}}
{2})",
      on_node ? ", example.com/nic: \"1\"" : "", resource, device_class);
  return test::AskedGroup(text, "g").explain().outcome;
}

constexpr const char* kClass =
    "---\n{apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: nic}, spec: {extendedResourceName: "
    "example.com/nic}}\n";

}  // namespace

TEST_CASE("kai DeviceClass: the answer is unknown if a node lacks a resource of a DeviceClass", "[kai]") {
  CHECK(outcome_with(kClass, "example.com/nic", false) == Outcome::unknown);
  CHECK(outcome_with(kClass, "deviceclass.resource.kubernetes.io/nic", false) == Outcome::unknown);
}

TEST_CASE("kai DeviceClass: a resource that every node has, or that no DeviceClass provides, is counted", "[kai]") {
  CHECK(outcome_with(kClass, "example.com/nic", true) == Outcome::fits);
  CHECK(outcome_with("", "example.com/nic", false) == Outcome::pending);
  CHECK(outcome_with(kClass, "example.com/other", false) == Outcome::pending);
}

}  // namespace previct
