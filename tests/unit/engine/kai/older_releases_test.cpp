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
  std::string group{};
  std::string requests = "nvidia.com/gpu: \"1\"";
  std::string on{};           // none: pending
  std::string more{};         // of the spec
  std::string labels{};       // `key: value`
  std::string annotations{};  // instead of the group's
};

auto pod(const std::string& name, const PodOf& p) -> std::string {
  return "---\n{apiVersion: v1, kind: Pod, metadata: {name: " + name + ", namespace: ml, uid: " + name +
         ", creationTimestamp: \"2026-03-02T09:00:00Z\", labels: {" + p.labels + "}, annotations: {" +
         (p.annotations.empty() ? "pod-group-name: " + p.group : p.annotations) +
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

// The larger of 40 and 30 CPUs, or their sum, which is more than the node has.
TEST_CASE("kai 0.13, 0.10, 0.8 and 0.6: a sidecar counts like an init container that ends", "[kai][release]") {
  const std::string text =
      node("n1", {}) +
      one_pod("cpu: \"40\"",
              "initContainers: [{name: s, restartPolicy: Always, resources: {requests: {cpu: \"30\"}}}], ");
  for (const char* version : Versions{"0.16", "0.14", "0.12", "0.9"}) CHECK(outcome(text, version) == Outcome::pending);
  for (const char* version : Versions{"0.13", "0.10", "0.8", "0.6"}) CHECK(outcome(text, version) == Outcome::fits);
}

// These releases refuse a resource that no node lists, even if the pod requests none of it.
TEST_CASE("kai 0.13 and older: requests for 0 of a resource that no node has are not modeled", "[kai][release]") {
  const std::string pods = one_pod("cpu: \"1\", example.com/nic: \"0\"");
  CHECK(outcome(node("n1", {}) + pods, "0.14") == Outcome::fits);
  CHECK(outcome(node("n1", {}) + pods, "0.13") == Outcome::unknown);
  CHECK(outcome(node("n1", {.more = ", example.com/nic: \"2\""}) + pods, "0.13") == Outcome::fits);
}

// The pending pod of `busy` is searched for after both of its running pods have been evicted. NewIdleGpusFilter reads
// the scenario of a part without pods to be placed, which is nil.
TEST_CASE("kai 0.13 and older: a group that was evicted in the same cycle crashes the scheduler", "[kai][release]") {
  const std::string text = node("n1", {.gpus = 2}) + queue("other", "root", 0) + group("busy", "other", 2) +
                           pod("busy-0", {.group = "busy", .on = "n1"}) + pod("busy-1", {.group = "busy", .on = "n1"}) +
                           pod("busy-2", {.group = "busy"}) + one_pod();
  CHECK(outcome(text, "0.14") == Outcome::preempts);
  CHECK(answer_about("busy", text, "0.14").outcome == Outcome::pending);
  for (const char* version : Versions{"0.13", "0.12", "0.6"}) {
    CHECK(outcome(text, version) == Outcome::unknown);
    const Answer answer = answer_about("busy", text, version);
    CHECK(answer.outcome == Outcome::error);
    CHECK(answer.sentence.find("action reclaim panics when it tries to place pods of group ml/busy") !=
          std::string::npos);
  }
}

TEST_CASE("kai 0.12 and older: with a queueDepthPerAction of 0, an action does nothing", "[kai][release]") {
  const std::string text = node("n1", {.gpus = 1}) + one_pod() +
                           "---\n{apiVersion: kai.scheduler/v1, kind: SchedulingShard, metadata: {name: default}, "
                           "spec: {queueDepthPerAction: {allocate: 0}}}\n";
  CHECK(outcome(text, "0.13") == Outcome::error);
  CHECK(outcome(text, "0.12") == Outcome::pending);
}

// Source: pkg/scheduler/plugins/predicates/predicates.go, v0.12.23: a pod on a new shared GPU needs a second place.
TEST_CASE("kai 0.12 and older: the last place of a node is enough for a pod with a whole GPU", "[kai][release]") {
  const std::string whole = one_pod();
  CHECK(outcome(node("n1", {.gpus = 2, .pods = 1}) + whole, "0.12") == Outcome::fits);
  CHECK(outcome(node("n1", {.gpus = 2, .pods = 0}) + whole, "0.12") == Outcome::pending);
}

TEST_CASE("kai 0.12 and older: an eviction does not free the place of a pod", "[kai][release]") {
  const std::string text = node("n1", {.gpus = 2, .pods = 1}) + queue("other", "root", 0) + group("busy", "other") +
                           pod("busy-0", {.group = "busy", .on = "n1"}) + one_pod();
  CHECK(outcome(text, "0.13") == Outcome::preempts);
  CHECK(outcome(text, "0.12") == Outcome::pending);
}

// The first victim is run-0-1. What remains of run-0 is named next in 0.13, but only after run-1 in 0.12, which links
// the queue again behind the others. Together, both pods of run-0 violate its min-runtime.
TEST_CASE("kai 0.12 and older: a queue that was left without victims comes after the others", "[kai][release]") {
  const std::string started = "kai.scheduler/last-start-timestamp: \"2026-03-02T09:59:50Z\"";
  const std::string text =
      queue("eng", "", 1) + queue("eng-a", "eng", 0, "reclaimMinRuntime: 1h, ") + queue("sci", "", 2) +
      queue("sci-b", "sci", 0, "reclaimMinRuntime: 1h, ") + queue("sci-c", "sci", 1) + node("n1", {.gpus = 4}) +
      group("run-0", "eng-a", 1, started) + pod("run-0-0", {.group = "run-0", .on = "n1"}) +
      pod("run-0-1", {.group = "run-0", .on = "n1"}) + group("run-1", "sci-b", 1, started) +
      pod("run-1-0", {.group = "run-1", .on = "n1"}) + pod("run-1-1", {.group = "run-1", .on = "n1"}) +
      group("g", "sci-c") + pod("g-0", {.group = "g"});
  for (const char* version : Versions{"0.14", "0.13"}) CHECK(outcome(text, version) == Outcome::pending);
  for (const char* version : Versions{"0.16", "0.12", "0.10", "0.9", "0.8", "0.6"}) {
    const Answer answer = answer_about("g", text, version);
    CHECK(answer.outcome == Outcome::preempts);
    CHECK(answer.victims.size() == 1);
  }
}

// Source: plugins/proportion/reclaimable/strategies/strategies.go InQuotaQueuePriorityStrategy: both queues use less
// than their quotas, which add up to more than the two GPUs.
// Queue `top` has no parent and may use the GPU, which a group of `other`, below `dept`, holds beyond its quota of 0.
// 0.12 does not try groups of queues without a parent. Source: actions/utils/action.go GetMessageOfEviction and its
// counterpart since v0.16.5; kai-scheduler/KAI-Scheduler#1863.
TEST_CASE("kai 0.13 to 0.16.4: reclaim between a queue without a parent and one with a parent crashes",
          "[kai][release]") {
  const std::string queues =
      queue("top", "", 1) + queue("dept", "", 0) + queue("other", "dept", 0) + node("n1", {.gpus = 1});
  const auto reclaim = [&](const std::string& by, const std::string& from) {
    return queues + group("busy", from) + pod("busy-0", {.group = "busy", .on = "n1"}) + group("g", by) +
           pod("g-0", {.group = "g"});
  };
  const std::string up = reclaim("top", "other");
  for (const char* version : Versions{"0.13", "0.14", "0.15.3", "0.16.4"}) {
    const Answer answer = answer_about("g", up, version);
    CHECK(answer.outcome == Outcome::error);
    CHECK(answer.sentence.find("action reclaim panics when it considers for group ml/g to evict pods of group "
                               "ml/busy, because queue top has no parent and queue other has one") !=
          std::string::npos);
  }
  for (const char* version : Versions{"0.16", "0.16.5", "0.17"}) CHECK(outcome(up, version) == Outcome::preempts);
  CHECK(outcome(up, "0.12") == Outcome::pending);
  // Below root, `leaf` may use the GPU, and the group of queue `free` holds it beyond its quota.
  const std::string down = queue("free", "", 0) + reclaim("leaf", "free");
  CHECK(outcome(down, "0.15") == Outcome::error);
  CHECK(outcome(down, "0.16") == Outcome::preempts);
  // With parents on both sides, or on none, nothing crashes.
  CHECK(outcome(reclaim("leaf", "other"), "0.15") == Outcome::preempts);
  CHECK(outcome(queue("free", "", 0) + reclaim("top", "free"), "0.15") == Outcome::preempts);
}

TEST_CASE("kai 0.18: a queue may reclaim from one of lower priority within the quotas of both", "[kai][release]") {
  const auto with = [](const std::string& arguments, int priority, const std::string& version) {
    return outcome(
        "---\n{apiVersion: kai.scheduler/v1, kind: SchedulingShard, metadata: {name: default}, spec: {plugins: "
        "{proportion: {arguments: {" +
            arguments + "}}}}}\n" + node("n1", {.gpus = 2}) + queue("high", "root", 2, "priority: 200, ") +
            queue("other", "root", 3, "priority: " + std::to_string(priority) + ", ") + group("busy", "other") +
            pod("busy-0", {.group = "busy", .on = "n1"}) + pod("busy-1", {.group = "busy", .on = "n1"}) +
            group("g", "high") + pod("g-0", {.group = "g"}),
        version);
  };
  const std::string turned_on = "queuePriorityInQuotaReclaim: \"true\"";
  CHECK(with(turned_on, 100, "0.18") == Outcome::preempts);
  CHECK(with(turned_on, 200, "0.18") == Outcome::pending);
  CHECK(with(turned_on, 300, "0.18") == Outcome::pending);
  CHECK(with("", 100, "0.18") == Outcome::pending);
  CHECK(with(turned_on, 100, "0.17") == Outcome::pending);
}

// Within an hour of its start, one of the two pods of `busy` may be evicted, but `g` needs the GPUs of both.
TEST_CASE("kai: a pending group names the group that its min-runtime protects", "[kai][release]") {
  const std::string started = "kai.scheduler/last-start-timestamp: \"2026-03-02T09:59:50Z\"";
  const std::string text = node("n1", {.gpus = 2}) + queue("other", "root", 0, "reclaimMinRuntime: 1h, ") +
                           group("busy", "other", 1, started) + pod("busy-0", {.group = "busy", .on = "n1"}) +
                           pod("busy-1", {.group = "busy", .on = "n1"}) + queue("big", "root", 2) + group("g", "big") +
                           pod("g-0", {.group = "g", .requests = "nvidia.com/gpu: \"2\""});
  for (const char* version : Versions{"0.16", "0.13", "0.8"}) {
    const Answer answer = answer_about("g", text, version);
    CHECK(answer.outcome == Outcome::pending);
    CHECK(answer.evidence.value("defects", Json()) ==
          Json::array({{{"rule", "kai.defect.blocks"}, {"podGroup", "ml/busy"}}}));
  }
}

TEST_CASE("kai 0.9 and older: nodes of all node pools belong to the scheduler", "[kai][release]") {
  const std::string text = node("n1", {.gpus = 1, .labels = "kai.scheduler/node-pool: gold"}) + one_pod();
  CHECK(outcome(text, "0.10") == Outcome::pending);
  for (const char* version : Versions{"0.9", "0.8", "0.6"}) CHECK(outcome(text, version) == Outcome::fits);
}

// One pod of the minimum of two runs, two are pending, and one GPU is free.
TEST_CASE("kai 0.6: a group below its minimum is placed only with as many pods as its minimum", "[kai][release]") {
  const std::string text = node("n1", {.gpus = 2}) + group("g", "leaf", 2) + pod("g-0", {.group = "g", .on = "n1"}) +
                           pod("g-1", {.group = "g"}) + pod("g-2", {.group = "g"});
  for (const char* version : Versions{"0.8", "0.7"}) CHECK(outcome(text, version) == Outcome::fits);
  CHECK(outcome(text, "0.6") == Outcome::pending);
}

// Until 0.8, `busy` is elastic: one of its three pods is reclaimed. 0.7 takes the first two of the one that is named.
TEST_CASE("kai 0.7: reclaim panics at fewer pods of a group than its minimum", "[kai][release]") {
  const std::string text = node("n1", {.gpus = 3}) + queue("other", "root", 0) + group("busy", "other", 2) +
                           pod("busy-0", {.group = "busy", .on = "n1"}) + pod("busy-1", {.group = "busy", .on = "n1"}) +
                           pod("busy-2", {.group = "busy", .on = "n1"}) + one_pod();
  for (const char* version : Versions{"0.8", "0.6"}) CHECK(outcome(text, version) == Outcome::preempts);
  const Answer answer = answer_about("g", text, "0.7");
  CHECK(answer.outcome == Outcome::error);
  CHECK(answer.sentence.find("action reclaim panics when it considers for group ml/g to evict fewer pods of group "
                             "ml/busy than its minMember (2)") != std::string::npos);
}

// The first scenario evicts one pod of `busy`, which leaves 44 CPUs for the 50 that are requested. It fails before the
// victims are judged. The second one evicts all three.
TEST_CASE("kai 0.7: reclaim judges no victims if the group does not fit in their place", "[kai][release]") {
  const std::string each = "nvidia.com/gpu: \"1\", cpu: \"20\"";
  std::string text = node("n1", {.gpus = 3}) + queue("other", "root", 0) + group("busy", "other", 2) +
                     one_pod("nvidia.com/gpu: \"1\", cpu: \"50\"");
  for (const char* name : {"busy-0", "busy-1", "busy-2"})
    text += pod(name, {.group = "busy", .requests = each, .on = "n1"});
  for (const char* version : Versions{"0.8", "0.7", "0.6"}) {
    const Answer answer = answer_about("g", text, version);
    CHECK(answer.outcome == Outcome::preempts);
    CHECK(answer.victims.size() == 3);
  }
}

// The pending pod of `low` keeps 3 of the 4 GPUs for its queue, so the fair share of `root` is 1, of which it uses 4.
TEST_CASE("kai 0.7: the queues of a group that reclaims stay within their fair share", "[kai][release]") {
  std::string text = node("n1", {.gpus = 4}) + queue("other", "root", 0) + queue("side", "", 3) +
                     queue("low", "side", 3) + group("big", "low") +
                     pod("big-0", {.group = "big", .requests = "nvidia.com/gpu: \"8\""}) + group("busy", "other") +
                     one_pod();
  for (const char* name : {"busy-0", "busy-1", "busy-2", "busy-3"}) text += pod(name, {.group = "busy", .on = "n1"});
  for (const char* version : Versions{"0.8", "0.6"}) CHECK(outcome(text, version) == Outcome::preempts);
  CHECK(outcome(text, "0.7") == Outcome::pending);
}

// 40 and 30 CPUs are more than the node has.
TEST_CASE("kai 0.7: the overhead of a pod does not count", "[kai][release]") {
  const std::string text = node("n1", {}) + one_pod("cpu: \"30\"", "overhead: {cpu: \"40\"}, ");
  for (const char* version : Versions{"0.8", "0.6"}) CHECK(outcome(text, version) == Outcome::pending);
  CHECK(outcome(text, "0.7") == Outcome::fits);
}

TEST_CASE("kai 0.7: a fraction of a pod without a group does not count", "[kai][release]") {
  const std::string text = node("n1", {.gpus = 1}) + one_pod() +
                           pod("lone", {.requests = "cpu: \"1\"",
                                        .on = "n1",
                                        .labels = "runai-gpu-group: x",
                                        .annotations = "gpu-fraction: \"0.5\""});
  for (const char* version : Versions{"0.8", "0.6"}) CHECK(outcome(text, version) == Outcome::pending);
  CHECK(outcome(text, "0.7") == Outcome::fits);
}

// The two queues share 2 GPUs, 1 each, or 4, of which `other` needs its 2.
TEST_CASE("kai 0.7: MIG devices count twice", "[kai][release]") {
  const std::string mig = "nvidia.com/mig-1g.5gb: \"1\"";
  const std::string text = node("n1", {.more = ", nvidia.com/mig-1g.5gb: \"2\"",
                                       .labels = "nvidia.com/mig.strategy: mixed, nvidia.com/gpu.count: \"1\", "
                                                 "node-role.kubernetes.io/mig-enabled: \"true\""}) +
                           queue("a", "root", 0) + queue("other", "root", 0) + group("busy", "other") +
                           pod("busy-0", {.group = "busy", .requests = mig, .on = "n1"}) +
                           pod("busy-1", {.group = "busy", .requests = mig, .on = "n1"}) + group("g", "a") +
                           pod("g-0", {.group = "g", .requests = mig});
  for (const char* version : Versions{"0.8", "0.6"}) CHECK(outcome(text, version) == Outcome::preempts);
  CHECK(outcome(text, "0.7") == Outcome::pending);
}

TEST_CASE("kai 0.7 and older: a pod counts even if its sub-group does not exist", "[kai][release]") {
  const std::string text = node("n1", {.gpus = 1}) + group("g", "leaf") +
                           pod("g-0", {.group = "g", .labels = "kai.scheduler/subgroup-name: x"});
  CHECK(outcome(text, "0.8") == Outcome::pending);
  for (const char* version : Versions{"0.7", "0.6"}) CHECK(outcome(text, version) == Outcome::fits);
}

}  // namespace previct::older_releases
