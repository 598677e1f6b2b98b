// Pod slots of a node; a pod that shares a GPU may need two.
// Source: kai-scheduler/KAI-Scheduler: pkg/scheduler/plugins/predicates checkMaxPodsWithGpuGroupReservation (d5bc503a).
#include "support/kai.h"

#include <fmt/format.h>

namespace previct {
namespace {

auto pod_of_group(const std::string& name, const std::string& meta, const std::string& spec, const std::string& request,
                  const std::string& phase) -> std::string {
  return fmt::format(
      R"(---
{{apiVersion: scheduling.run.ai/v2alpha2, kind: PodGroup, metadata: {{name: {0}, namespace: ml}}, spec: {{queue: q, minMember: 1, priorityClassName: train}}}}
---
{{apiVersion: v1, kind: Pod, metadata: {{name: {0}, namespace: ml, uid: {0}, annotations: {{pod-group-name: {0}{1}}}, spec: {{schedulerName: kai-scheduler, {2}containers: [{{name: c, resources: {{requests: {{{3}}}}}}}]}}, status: {{phase: {4}}}}}
)",
      name, meta, spec, request, phase);
}

// A node of one GPU and `slots` pod slots. A pod requests half of the GPU, or all of it if `whole`. A pod on the GPU
// group `taken_as`, if any, uses the other half.
auto outcome_on(int slots, bool whole, const std::string& taken_as = "") -> Outcome {
  std::string text = fmt::format(
      R"(---
{{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {{name: train}}, value: 50}}
---
{{apiVersion: scheduling.run.ai/v2, kind: Queue, metadata: {{name: q}}, spec: {{resources: {{cpu: {{quota: -1, limit: -1}}, memory: {{quota: -1, limit: -1}}, gpu: {{quota: -1, limit: -1}}}}}}}}
---
{{apiVersion: v1, kind: Node, metadata: {{name: a, labels: {{nvidia.com/gpu.count: "1", nvidia.com/gpu.memory: "40960"}}}}, status: {{allocatable: {{cpu: "8", memory: 8Gi, pods: "{}", nvidia.com/gpu: "1"}}, conditions: [{{type: Ready, status: "True"}}]}}}}
)",
      slots);
  const std::string half = ", gpu-fraction: \"0.5\"}";
  if (!taken_as.empty()) {
    text += pod_of_group("runs", half + ", labels: {runai-gpu-group: \"" + taken_as + "\"}", "nodeName: a, ",
                         "cpu: 100m", "Running");
  }
  text += pod_of_group("waits", whole ? "}" : half, "", whole ? "nvidia.com/gpu: \"1\"" : "cpu: 100m", "Pending");
  return test::AskedGroup(text, "waits").explain().outcome;
}

}  // namespace

TEST_CASE("kai pod slots: the first pod of a shared GPU needs a second slot for the reservation pod", "[kai]") {
  CHECK(outcome_on(1, true) == Outcome::fits);
  CHECK(outcome_on(1, false) == Outcome::pending);
  CHECK(outcome_on(2, false) == Outcome::fits);
}

TEST_CASE("kai pod slots: a pod that joins a shared GPU needs one slot only if the GPU's name is a number", "[kai]") {
  CHECK(outcome_on(2, false, "0") == Outcome::fits);
  CHECK(outcome_on(2, false, "device-1") == Outcome::pending);
  CHECK(outcome_on(3, false, "device-1") == Outcome::fits);
}

}  // namespace previct
