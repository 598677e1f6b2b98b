// What KAI leaves to the order of a Go map.
// Source: kai-scheduler/KAI-Scheduler: pkg/scheduler/actions/consolidation/consolidation.go buildPreemptibleFilterFunc,
// pkg/scheduler/actions/utils/action.go GetVictimCandidates (d5bc503a).
#include "engine/engine.h"
#include "support/input.h"
#include "tell/tell.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

namespace previct {
extern const Engine& kai_engine;

namespace {

auto group_of_one(const std::string& name, const std::string& gpus, const std::string& on) -> std::string {
  return fmt::format(
      R"(---
{{apiVersion: scheduling.run.ai/v2alpha2, kind: PodGroup, metadata: {{name: {0}, namespace: ml}}, spec: {{queue: q, minMember: 1, priorityClassName: train}}}}
---
{{apiVersion: v1, kind: Pod, metadata: {{name: {0}, namespace: ml, uid: {0}, annotations: {{pod-group-name: {0}}}}}, spec: {{schedulerName: kai-scheduler{2}, containers: [{{name: c, resources: {{requests: {{nvidia.com/gpu: "{1}"}}}}}}]}}, status: {{phase: {3}}}}}
)",
      name, gpus, on.empty() ? "" : ", nodeName: " + on, on.empty() ? "Pending" : "Running");
}

// Three nodes of 2 GPUs with a pod of 1 GPU on each; a pod waits for 2. Any of the three makes room for it by moving.
auto outcome_of_consolidation(int most) -> Outcome {
  std::string text = fmt::format(
      R"(---
{{apiVersion: kai.scheduler/v1, kind: SchedulingShard, metadata: {{name: default}}, spec: {{args: {{max-consolidation-preemptees: "{}"}}}}}}
---
{{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {{name: train}}, value: 50}}
---
{{apiVersion: scheduling.run.ai/v2, kind: Queue, metadata: {{name: q}}, spec: {{resources: {{cpu: {{quota: -1, limit: -1}}, memory: {{quota: -1, limit: -1}}, gpu: {{quota: -1, limit: -1}}}}}}}}
)",
      most);
  for (const std::string node : {"a", "b", "c"}) {
    text += fmt::format(
        R"(---
{{apiVersion: v1, kind: Node, metadata: {{name: {}}}, status: {{allocatable: {{cpu: "8", memory: 8Gi, pods: "110", nvidia.com/gpu: "2"}}, conditions: [{{type: Ready, status: "True"}}]}}}}
)",
        node);
    text += group_of_one("on-" + node, "1", node);
  }
  Objects objects;
  REQUIRE(test::read_text(text + group_of_one("wants", "2", ""), objects));
  const Snapshot cluster(objects);
  Question question;
  question.kind = "podgroup";
  question.ns = "ml";
  question.name = "wants";
  question.now = *parse_instant("2026-03-02T10:00:00Z");
  const auto answer = explain(kai_engine, cluster, question);
  REQUIRE(answer);
  return answer->outcome;
}

}  // namespace

// It takes groups until there are more than the limit: three with a limit of 2.
TEST_CASE("which groups move is open if more of them could than consolidation tries", "[kai]") {
  CHECK(outcome_of_consolidation(2) == Outcome::preempts);
  CHECK(outcome_of_consolidation(1) == Outcome::unknown);
}

}  // namespace previct
