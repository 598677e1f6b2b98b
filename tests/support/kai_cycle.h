#pragma once

// Small clusters for KAI, and the result of a whole cycle on them.

#include "engine/kai/actions/decision.h"
#include "support/input.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace previct::test::cycles {

using namespace previct::kai;

inline constexpr std::string_view kTrain =
    "---\n{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: train}, value: 50}\n"
    "---\n{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: high}, value: 60}\n";

inline auto queue(std::string_view name, double gpus, std::string_view more = "") -> std::string {
  return fmt::format(
      "---\n{{apiVersion: scheduling.run.ai/v2, kind: Queue, metadata: {{name: {}}}, spec: {{resources: {{cpu: "
      "{{quota: "
      "-1, limit: -1}}, memory: {{quota: -1, limit: -1}}, gpu: {{quota: {}, limit: -1, overQuotaWeight: 1}}}}{}}}}}\n",
      name, gpus, more);
}

// 100 GiB of memory for each GPU, so that one GiB is one hundredth of it.
inline auto node(std::string_view name, int gpus, std::string_view labels = "") -> std::string {
  return fmt::format(
      "---\n{{apiVersion: v1, kind: Node, metadata: {{name: {0}, labels: {{nvidia.com/gpu.memory: \"102400\"{2}}}}}, "
      "status: {{allocatable: {{cpu: \"64\", memory: 256Gi, pods: \"110\", nvidia.com/gpu: \"{1}\"}}, conditions: "
      "[{{type: Ready, status: \"True\"}}]}}}}\n",
      name, gpus, labels);
}

inline auto group(std::string_view name, std::string_view queue, std::string_view more = "",
                  std::string_view priority_class = "train") -> std::string {
  return fmt::format(
      "---\n{{apiVersion: scheduling.run.ai/v2alpha2, kind: PodGroup, metadata: {{name: {0}, namespace: ml, "
      "creationTimestamp: \"2026-03-02T09:00:00Z\"}}, spec: {{queue: {1}, priorityClassName: {3}{2}}}}}\n",
      name, queue, more, priority_class);
}

struct PodText {
  std::string_view name;
  std::string_view group = "";
  std::string_view node = "";         // none: pending
  std::string_view annotations = "";  // `, key: value`
  std::string_view labels = "";       // `key: value`
  std::string_view request = "";      // `, name: amount`
  std::string_view spec = "";         // `, key: value`
  std::string_view container = "";    // `, key: value`
  std::string_view phase = "";        // default: Running if on a node, otherwise Pending
};

inline auto pod(const PodText& p) -> std::string {
  return fmt::format(
      "---\n{{apiVersion: v1, kind: Pod, metadata: {{name: {0}, namespace: ml, uid: {0}, creationTimestamp: "
      "\"2026-03-02T09:00:00Z\", annotations: {{pod-group-name: {1}{2}}}, labels: {{{3}}}}}, spec: {{schedulerName: "
      "kai-scheduler, {4}containers: [{{name: c, resources: {{requests: {{cpu: \"1\"{5}}}}}{8}}}]{6}}}, status: "
      "{{phase: "
      "{7}}}}}\n",
      p.name, p.group, p.annotations, p.labels, p.node.empty() ? "" : fmt::format("nodeName: {}, ", p.node), p.request,
      p.spec,
      !p.phase.empty() ? p.phase
      : p.node.empty() ? "Pending"
                       : "Running",
      p.container);
}

inline auto shard(std::string_view spec) -> std::string {
  return fmt::format(
      "---\n{{apiVersion: kai.scheduler/v1, kind: SchedulingShard, metadata: {{name: default}}, spec: {{{}}}}}\n",
      spec);
}

// Returns a pod on a shared GPU of a node.
inline auto sharing(std::string_view name, std::string_view fraction, std::string_view on, std::string_view gpu)
    -> std::string {
  const std::string fractions = fmt::format(", gpu-fraction: \"{}\"", fraction);
  const std::string gpus = fmt::format("runai-gpu-group: {}", gpu);
  return group(name, "have") + pod({.name = name, .group = name, .node = on, .annotations = fractions, .labels = gpus});
}

// Returns a pending pod, in its own group, that requests a fraction of a GPU.
inline auto asking(std::string_view name, std::string_view fraction, std::string_view in = "want") -> std::string {
  const std::string fractions = fmt::format(", gpu-fraction: \"{}\"", fraction);
  return group(name, in) + pod({.name = name, .group = name, .annotations = fractions});
}

struct Cluster {
  explicit Cluster(const std::string& yaml, const std::string& version = {}) {
    REQUIRE(test::read_text(std::string(kTrain) + yaml, objects));
    snapshot.emplace(objects);
    const Instant now = *parse_instant("2026-03-02T10:00:00Z");
    settings = *effective_settings(*snapshot, "", version);
    decision = decide(*snapshot, settings, now, now, nullptr);
  }

  [[nodiscard]] auto task(std::string_view name) const -> TaskId {
    const PodId pod = snapshot->find_pod("ml", name);
    for (const TaskId id : decision->cluster_info.tasks().ids()) {
      if (decision->cluster_info.task(id).pod == pod) return id;
    }
    FAIL("no task " << name);
    return {};
  }
  // Returns the node that the cycle placed the pod on now; after `~`, the node that it gets later; "" for none.
  [[nodiscard]] auto place(std::string_view name) const -> std::string {
    const TaskId id = task(name);
    const auto called = [&](ShardNodeId shard_node) {
      return std::string(decision->cluster_info.shard_nodes()[shard_node].name);
    };
    if (const ShardNodeId shard_node = decision->cycle.allocated_to(id)) return called(shard_node);
    if (const ShardNodeId shard_node = decision->cycle.pipelined_to(id)) return "~" + called(shard_node);
    return "";
  }
  [[nodiscard]] auto evicted() const -> std::vector<std::string> {
    std::vector<std::string> names;
    for (const Eviction& each : decision->cycle.evictions()) {
      names.emplace_back(snapshot->text(snapshot->pod(decision->cluster_info.task(each.task).pod).meta.name));
    }
    return names;
  }

  // Returns the last rule that the action reported for the group; none if it did not examine it.
  [[nodiscard]] auto why(std::string_view name, Action action) const -> std::string {
    std::string rule;
    for (const Attempt& attempt : decision->cycle.attempts()) {
      if (attempt.action == action && decision->cluster_info.key(attempt.group) == fmt::format("ml/{}", name))
        rule = rule_id(attempt.rule);
    }
    return rule;
  }

  Objects objects;
  std::optional<Snapshot> snapshot;
  Settings settings;
  std::unique_ptr<Decision> decision;
};

using Names = std::vector<std::string>;

inline constexpr std::string_view kGpuEach = ", nvidia.com/gpu: \"1\"";
// Returns nodes a and b with one GPU each and their names as labels, and the two queues.
inline auto two_nodes(int gpus = 1) -> std::string {
  return queue("want", 4) + queue("have", 0) + node("a", gpus, ", kubernetes.io/hostname: a") +
         node("b", gpus, ", kubernetes.io/hostname: b");
}

// Returns the only pod of a group with its name.
inline auto alone(PodText text, std::string_view in = "want") -> std::string {
  text.group = text.name;
  return group(text.name, in) + pod(text);
}

}  // namespace previct::test::cycles
