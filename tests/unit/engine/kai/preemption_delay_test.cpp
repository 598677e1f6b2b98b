// How long a group waits before it may evict others.
// Source: kai-scheduler/KAI-Scheduler: pkg/scheduler/actions/utils/action.go (d5bc503a), spec.preemptionDelay.
#include "support/kai.h"

#include <fmt/format.h>

namespace previct {
namespace {

// Returns the outcome at 10:00 for a group of one pod with 1 GPU, created at `created`. There is one node of 1 GPU,
// which is free or runs a pod that the group may evict.
auto outcome_with(const std::string& delay, bool room, const std::string& created = "09:30") -> Outcome {
  const std::string taken = R"(---
{apiVersion: scheduling.run.ai/v2alpha2, kind: PodGroup, metadata: {name: runs, namespace: ml, creationTimestamp: "2026-03-02T08:00:00Z"}, spec: {queue: q, minMember: 1, priorityClassName: low}}
---
{apiVersion: v1, kind: Pod, metadata: {name: runs, namespace: ml, uid: runs, annotations: {pod-group-name: runs}}, spec: {schedulerName: kai-scheduler, nodeName: a, containers: [{name: c, resources: {requests: {nvidia.com/gpu: "1"}}}]}, status: {phase: Running}}
)";
  return test::AskedGroup(fmt::format(
                              R"(---
{{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {{name: low}}, value: 10}}
---
{{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {{name: high}}, value: 60}}
---
{{apiVersion: scheduling.run.ai/v2, kind: Queue, metadata: {{name: q}}, spec: {{resources: {{cpu: {{quota: -1, limit: -1}}, memory: {{quota: -1, limit: -1}}, gpu: {{quota: -1, limit: -1}}}}}}}}
---
{{apiVersion: v1, kind: Node, metadata: {{name: a, labels: {{nvidia.com/gpu.count: "1"}}}}, status: {{allocatable: {{cpu: "8", memory: 8Gi, pods: "110", nvidia.com/gpu: "1"}}, conditions: [{{type: Ready, status: "True"}}]}}}}
---
{{apiVersion: scheduling.run.ai/v2alpha2, kind: PodGroup, metadata: {{name: waits, namespace: ml, creationTimestamp: "2026-03-02T{}:00Z"}}, spec: {{queue: q, minMember: 1, priorityClassName: high{}}}}}
---
{{apiVersion: v1, kind: Pod, metadata: {{name: waits, namespace: ml, uid: waits, annotations: {{pod-group-name: waits}}}}, spec: {{schedulerName: kai-scheduler, containers: [{{name: c, resources: {{requests: {{nvidia.com/gpu: "1"}}}}}}]}}, status: {{phase: Pending}}}}
{})",
                              created, delay.empty() ? "" : ", preemptionDelay: " + delay, room ? "" : taken),
                          "waits")
      .explain()
      .outcome;
}

}  // namespace

TEST_CASE("kai preemption delay: no evictions before it is over, free resources at once", "[kai]") {
  CHECK(outcome_with("", false) == Outcome::preempts);
  CHECK(outcome_with("29m", false) == Outcome::preempts);
  CHECK(outcome_with("31m", false) == Outcome::not_eligible);
  CHECK(outcome_with("31m", true) == Outcome::fits);
  // Created after the time of the question, because a clock is ahead: without a delay there is no wait.
  CHECK(outcome_with("", false, "10:30") == Outcome::preempts);
}

}  // namespace previct
