// What releases of KAI Scheduler decide differently about small clusters. The schedulers of the tags in releases.def
// gave these answers.

#include "support/kai.h"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

namespace previct::older_releases {
namespace {

auto queue(const std::string& name, const std::string& parent, int gpus, const std::string& more = "") -> std::string {
  return "---\n{apiVersion: scheduling.run.ai/v2, kind: Queue, metadata: {name: " + name +
         ", creationTimestamp: \"2026-01-01T00:00:00Z\"}, spec: {" + more +
         (parent.empty() ? "" : "parentQueue: " + parent + ", ") +
         "resources: {cpu: {quota: -1, limit: -1}, memory: {quota: -1, limit: -1}, gpu: {quota: " +
         std::to_string(gpus) + ", limit: -1, overQuotaWeight: 1}}}}\n";
}

struct NodeOf {
  int gpus = 0;
  int pods = 110;
  std::string more{};    // of allocatable
  std::string labels{};  // `key: value`
};

auto node(const std::string& name, const NodeOf& n) -> std::string {
  const std::string gpus = n.gpus == 0 ? "" : ", nvidia.com/gpu: \"" + std::to_string(n.gpus) + "\"";
  return "---\n{apiVersion: v1, kind: Node, metadata: {name: " + name + ", labels: {" + n.labels +
         "}}, status: {allocatable: {cpu: \"64\", memory: 256Gi, pods: \"" + std::to_string(n.pods) + "\"" + gpus +
         n.more + "}, conditions: [{type: Ready, status: \"True\"}]}}\n";
}

auto group(const std::string& name, const std::string& in, int min = 1, const std::string& annotations = "")
    -> std::string {
  return "---\n{apiVersion: scheduling.run.ai/v2alpha2, kind: PodGroup, metadata: {name: " + name +
         ", namespace: ml, creationTimestamp: \"2026-03-02T09:00:00Z\", annotations: {" + annotations +
         "}}, spec: {queue: " + in + ", minMember: " + std::to_string(min) + ", priorityClassName: train}}\n";
}

struct PodOf {
  std::string group;
  std::string requests = "nvidia.com/gpu: \"1\"";
  std::string on{};    // none: pending
  std::string more{};  // of the spec
};

auto pod(const std::string& name, const PodOf& p) -> std::string {
  return "---\n{apiVersion: v1, kind: Pod, metadata: {name: " + name + ", namespace: ml, uid: " + name +
         ", creationTimestamp: \"2026-03-02T09:00:00Z\", annotations: {pod-group-name: " + p.group +
         "}}, spec: {schedulerName: kai-scheduler, " + (p.on.empty() ? "" : "nodeName: " + p.on + ", ") + p.more +
         "containers: [{name: c, resources: {requests: {" + p.requests +
         "}}}]}, status: {phase: " + (p.on.empty() ? "Pending" : "Running") + "}}\n";
}

auto one_pod(const std::string& requests = "nvidia.com/gpu: \"1\"", const std::string& more = "") -> std::string {
  return group("g", "leaf") + pod("g-0", {.group = "g", .requests = requests, .more = more});
}

auto answer_about(const std::string& name, const std::string& manifests, const std::string& version) -> Answer {
  const std::string common =
      "---\n{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: train}, value: 50}\n" +
      queue("root", "", 1) + queue("leaf", "root", 1);
  test::AskedGroup asked(common + manifests, name);
  asked.question.kai_version = version;
  return asked.explain();
}

auto outcome(const std::string& manifests, const std::string& version) -> Outcome {
  return answer_about("g", manifests, version).outcome;
}

using Versions = std::vector<const char*>;

}  // namespace

TEST_CASE("kai 0.13 to 0.16: a node with GPUs of ResourceSlices refuses requests for GPUs", "[kai][release]") {
  const std::string slice =
      "---\n{apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: s}, spec: {driver: "
      "gpu.nvidia.com, nodeName: n1, pool: {name: n1, generation: 1, resourceSliceCount: 1}, devices: [{name: d0}]}}\n";
  const std::string text = node("n1", {.gpus = 1}) + slice + one_pod();
  CHECK(outcome(text, "0.17") == Outcome::fits);
  for (const char* version : Versions{"0.16", "0.15", "0.14", "0.13"})
    CHECK(outcome(text, version) == Outcome::pending);
  CHECK(outcome(text, "0.12") == Outcome::fits);
  // Until 0.12, the devices of ResourceSlices do not count.
  CHECK(outcome(node("n1", {}) + slice + one_pod(), "0.12") == Outcome::pending);
}

}  // namespace previct::older_releases
