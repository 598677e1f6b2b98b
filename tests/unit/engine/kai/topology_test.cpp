// Placement of the pods of a sub-group that has its own topology constraint.
// Source: kai-scheduler/KAI-Scheduler: pkg/scheduler/plugins/topology, pkg/scheduler/actions/common/allocate.go
// (d5bc503a).
#include "support/kai.h"
#include "support/kai_cycle.h"

#include <fmt/format.h>

namespace previct {
namespace {

// Returns the sentence for a group of two pods in one sub-group. Node a is alone in rack r1, nodes b and c are in rack
// r2, with one GPU each.
auto sentence_of_pair(const std::string& constraint) -> std::string {
  std::string text = R"(---
{apiVersion: kai.scheduler/v1alpha1, kind: Topology, metadata: {name: t, uid: t}, spec: {levels: [{nodeLabel: rack}, {nodeLabel: kubernetes.io/hostname}]}}
---
{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: train}, value: 50}
---
{apiVersion: scheduling.run.ai/v2, kind: Queue, metadata: {name: q}, spec: {resources: {cpu: {quota: -1, limit: -1}, memory: {quota: -1, limit: -1}, gpu: {quota: -1, limit: -1}}}}
)";
  for (const auto& [node, rack] : {std::pair("a", "r1"), {"b", "r2"}, {"c", "r2"}}) {
    text += fmt::format(
        R"(---
{{apiVersion: v1, kind: Node, metadata: {{name: {0}, labels: {{rack: {1}, kubernetes.io/hostname: {0}, nvidia.com/gpu.count: "1"}}}}, status: {{allocatable: {{cpu: "8", memory: 8Gi, pods: "110", nvidia.com/gpu: "1"}}, conditions: [{{type: Ready, status: "True"}}]}}}}
)",
        node, rack);
  }
  text += fmt::format(
      R"(---
{{apiVersion: scheduling.run.ai/v2alpha2, kind: PodGroup, metadata: {{name: g, namespace: ml}}, spec: {{queue: q, minMember: 2, priorityClassName: train, subGroups: [{{name: s, minMember: 2{}}}]}}}}
)",
      constraint);
  for (const std::string pod : {"p1", "p2"}) {
    text += fmt::format(
        R"(---
{{apiVersion: v1, kind: Pod, metadata: {{name: {0}, namespace: ml, uid: {0}, annotations: {{pod-group-name: g}}, labels: {{kai.scheduler/subgroup-name: s}}}}, spec: {{schedulerName: kai-scheduler, containers: [{{name: c, resources: {{requests: {{nvidia.com/gpu: "1"}}}}}}]}}, status: {{phase: Pending}}}}
)",
        pod);
  }
  return test::AskedGroup(text, "g").explain().sentence;
}

// Returns the nodes of the pods p1 and p2 of sub-group s. Each node has one GPU and is alone in its rack.
auto nodes_of_pair(const std::vector<std::string>& nodes, std::string_view spec, std::string_view more = "")
    -> std::vector<std::string> {
  using namespace test::cycles;
  std::string text = queue("q", -1) +
                     "---\n{apiVersion: kai.scheduler/v1alpha1, kind: Topology, metadata: {name: t}, spec: {levels: "
                     "[{nodeLabel: rack}]}}\n" +
                     group("g", "q", spec) + std::string(more);
  for (const std::string& each : nodes) text += node(each, 1, fmt::format(", rack: rack-{}", each));
  for (const std::string_view each : {"p1", "p2"})
    text += pod({.name = each, .group = "g", .labels = "kai.scheduler/subgroup-name: s", .request = kGpuEach});
  const Cluster cluster(text);
  return {cluster.place("p1"), cluster.place("p2")};
}

}  // namespace

TEST_CASE("kai topology: a sub-group's own constraint decides where its pods are placed", "[kai]") {
  CHECK(sentence_of_pair(", topologyConstraint: {topology: t, requiredTopologyLevel: rack}")
            .starts_with("fits on b, c "));
  CHECK(sentence_of_pair(", topologyConstraint: {topology: t, requiredTopologyLevel: kubernetes.io/hostname}")
            .starts_with("stays pending"));
  CHECK(sentence_of_pair("").starts_with("fits on a, "));
}

TEST_CASE("kai topology: a preferred level also counts for sub-groups below that have none", "[kai]") {
  // No rack has enough free GPUs for both pods. The racks are equally full, so they are sorted by name, and a later one
  // has a higher score: floor(10 * i / 3). Without scores, the nodes are taken by name. Source:
  // pkg/scheduler/plugins/topology/node_scoring.go (d5bc503a).
  const std::vector<std::string> nodes = {"a", "b", "c"};
  const std::vector<std::string> by_score = {"c", "b"};
  const std::string prefers = ", topologyConstraint: {topology: t, preferredTopologyLevel: rack}";
  const auto with = [&](const std::string& root, const std::string& top, const std::string& middle,
                        const std::string& own) {
    return nodes_of_pair(nodes, fmt::format("{}, subGroups: [{{name: top{}}}, {{name: middle, parent: top{}}}, {{name: "
                                            "s, parent: middle, minMember: 2{}}}]",
                                            root, top, middle, own));
  };
  CHECK(with("", "", "", "") == std::vector<std::string>{"a", "b"});
  CHECK(with("", "", "", prefers) == by_score);
  CHECK(with("", "", prefers, "") == by_score);
  CHECK(with("", prefers, "", "") == by_score);
  CHECK(with(prefers, "", "", "") == by_score);
}

// Source: pkg/scheduler/plugins/topology/job_filtering.go (d5bc503a).
TEST_CASE("kai topology: with a required level, pods join those of their group that run", "[kai]") {
  using namespace test::cycles;
  // Packed, p2 is placed on a, of whose three GPUs one is free. p1 of its group runs on b.
  const auto place = [](std::string_view constraint, int gpus_of_b) {
    const Cluster cluster(queue("q", -1) +
                          "---\n{apiVersion: kai.scheduler/v1alpha1, kind: Topology, metadata: {name: t}, spec: "
                          "{levels: [{nodeLabel: row}, {nodeLabel: rack}]}}\n" +
                          node("a", 3, ", row: r, rack: rack-a") + node("b", gpus_of_b, ", row: r, rack: rack-b") +
                          alone({.name = "o1", .node = "a", .request = kGpuEach}, "q") +
                          alone({.name = "o2", .node = "a", .request = kGpuEach}, "q") +
                          group("g", "q", fmt::format(", minMember: 1{}", constraint)) +
                          pod({.name = "p1", .group = "g", .node = "b", .request = kGpuEach}) +
                          pod({.name = "p2", .group = "g", .request = kGpuEach}));
    return cluster.place("p2");
  };
  const std::string in_rack = ", topologyConstraint: {topology: t, requiredTopologyLevel: rack}";
  const std::string in_row = ", topologyConstraint: {topology: t, requiredTopologyLevel: row}";
  CHECK(place("", 3) == "a");
  CHECK(place(in_rack, 3) == "b");
  CHECK(place(in_rack, 1).empty());
  CHECK(place(in_row, 1) == "a");
  CHECK(place("", 1) == "a");
}

}  // namespace previct
