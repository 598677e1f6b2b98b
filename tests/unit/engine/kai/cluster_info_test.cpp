#include "engine/kai/snapshot/grouper.h"
#include "support/kai_cycle.h"

// The state from which a cycle starts: which groups it considers, and what it knows about each.

using namespace previct;
using namespace previct::kai;
using namespace previct::test::cycles;

namespace {

// Returns the node of the pod of a group that requests the only GPU and has these conditions in its status.
auto placed_with(std::string_view spec, std::string_view conditions, std::string_view labels = "") -> std::string {
  const std::string group = fmt::format(
      "---\n{{apiVersion: scheduling.run.ai/v2alpha2, kind: PodGroup, metadata: {{name: p, namespace: ml, labels: "
      "{{{2}}}, creationTimestamp: \"2026-03-02T09:00:00Z\"}}, spec: {{queue: want, priorityClassName: train{0}}}, "
      "status: {{schedulingConditions: [{1}]}}}}\n",
      spec, conditions, labels);
  const Cluster cluster(queue("want", 1) + node("a", 1) + group +
                        pod({.name = "p", .group = "p", .request = kGpuEach}));
  for (const TaskId id : cluster.decision->cluster_info.tasks().ids()) {
    if (cluster.decision->cluster_info.task(id).group) return cluster.place("p");
  }
  return "not looked at";
}

}  // namespace

// Source: cache/cluster_info isPodGroupUpForScheduler. With a backoff of 1, a group is left out while its latest
// condition is for this pool. The latest condition is the one with the greatest transition ID.
TEST_CASE("kai backoff: a group that could not be placed backs off in its pool", "[kai][cluster-info]") {
  constexpr std::string_view kHere = "{nodePool: default, transitionID: \"2\"}";
  constexpr std::string_view kThere = "{nodePool: gold, transitionID: \"3\"}";
  constexpr std::string_view kEarlier = "{nodePool: gold, transitionID: \"1\"}";
  const std::string backoff = ", schedulingBackoff: 1";
  const auto both = [](std::string_view a, std::string_view b) { return fmt::format("{}, {}", a, b); };
  CHECK(placed_with(backoff, "") == "a");
  CHECK(placed_with("", kHere) == "a");
  CHECK(placed_with(", schedulingBackoff: -1", kHere) == "a");
  CHECK(placed_with(backoff, kHere) == "not looked at");
  CHECK(placed_with(backoff, both(kHere, kThere)) == "a");
  CHECK(placed_with(backoff, both(kThere, kHere)) == "a");
  CHECK(placed_with(backoff, both(kEarlier, kHere)) == "not looked at");
  CHECK(placed_with(backoff, both(kHere, kEarlier)) == "not looked at");
  CHECK(placed_with(backoff, "{nodePool: gold, transitionID: none}, {nodePool: default, transitionID: \"0\"}") ==
        "not looked at");
}

TEST_CASE("kai assumed group: counts like any other group", "[kai][cluster-info]") {
  // Two GPUs, of which the non-preemptible groups of the queue may have one. The second group is non-preemptible.
  const std::string text =
      std::string(kTrain) + queue("want", 1) + node("a", 2) + alone({.name = "old", .request = kGpuEach}) +
      "---\n{apiVersion: v1, kind: Pod, metadata: {name: new, namespace: ml, uid: new, creationTimestamp: "
      "\"2026-03-02T08:00:00Z\", labels: {kai.scheduler/queue: want, kai.scheduler/preemptibility: non-preemptible}, "
      "annotations: {kai.scheduler/preemption-delay: 90s}}, spec: {schedulerName: kai-scheduler, containers: [{name: "
      "c, resources: {requests: {cpu: \"1\", nvidia.com/gpu: \"1\"}}}]}, status: {phase: Pending}}\n";
  Objects objects;
  REQUIRE(test::read_text(text, objects));
  const Snapshot cluster(objects);
  const Instant now = *parse_instant("2026-03-02T10:00:00Z");
  const AssumedGroup assumed = assumed_group(cluster, cluster.find_pod("ml", "new"));
  const Settings settings = *effective_settings(cluster, "");
  const auto decision = decide(cluster, settings, now, now, &assumed);
  const ClusterInfo& info = decision->cluster_info;
  GroupId made;
  for (const GroupId id : info.groups().ids()) {
    if (info.key(id) == "ml/pg-new-new") made = id;
  }
  REQUIRE(made);
  CHECK(info.group(made).created == *parse_instant("2026-03-02T08:00:00Z"));
  CHECK(info.group(made).preemption_delay == 90'000'000'000);
  CHECK(info.group(made).priority == 50);
  CHECK_FALSE(info.group(made).preemptible);
  CHECK(cluster.text(cluster
                         .node(info.shard_nodes()[decision->cycle.allocated_to([&] {
                                     for (const TaskId id : info.tasks().ids()) {
                                       if (info.task(id).group == made) return id;
                                     }
                                     return TaskId();
                                   }())]
                                   .node)
                         .meta.name) == "a");
}

TEST_CASE("kai DRA: GPUs of resource slices count on the nodes of the shard", "[kai][cluster-info]") {
  // Source: cache/cluster_info populateDRAGPUs.
  const auto slice = [](std::string_view name, std::string_view on, std::string_view driver, std::string_view devices) {
    return fmt::format(
        "---\n{{apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {{name: {}}}, spec: {{driver: {}, "
        "nodeName: {}, pool: {{name: {}, generation: 1, resourceSliceCount: 1}}, devices: [{}]}}}}\n",
        name, driver, on, name, devices);
  };
  const std::string slices = slice("s1", "a", "GPU.nvidia.com", "{name: d1}, {name: d2}") +
                             slice("s2", "a", "nic.example.com", "{name: n1}") + slice("s3", "a", "gpu.amd.com", "") +
                             slice("s4", "nowhere", "gpu.amd.com", "{name: d1}");
  const auto gpus = [&](std::string_view labels) {
    const Cluster cluster(slices + queue("want", 1) + node("a", 0, labels));
    const ClusterInfo& info = cluster.decision->cluster_info;
    const ShardNodeId only{0};
    return std::vector<double>{info.allocatable(only)[kGpu], cluster.decision->start().idle(only)[kGpu],
                               static_cast<double>(info.shard_nodes()[only].gpu_count)};
  };
  CHECK(gpus("") == std::vector<double>{2, 2, 2});
  CHECK(gpus(", nvidia.com/gpu.count: \"1\"") == std::vector<double>{2, 2, 1});
}

TEST_CASE("kai node: resources that are missing in its allocatable are not charged", "[kai][cluster-info]") {
  // Source: api/node_info addTaskResources, "absent from node.Status.Allocatable": not charged.
  const auto idle_with = [](int gpus) {
    const Cluster cluster(queue("have", 1) + node("a", gpus) +
                          alone({.name = "x", .node = "a", .request = kGpuEach}, "have"));
    return cluster.decision->start().idle(ShardNodeId{0})[kGpu];
  };
  CHECK(idle_with(0) == 0);
  CHECK(idle_with(2) == 1);
}

TEST_CASE("kai BindRequest: counts on nodes of the shard, with the GPU groups that it or the pod names",
          "[kai][cluster-info]") {
  const auto bind = [](std::string_view on) {
    return fmt::format(
        "---\n{{apiVersion: scheduling.run.ai/v1alpha2, kind: BindRequest, metadata: {{name: p, namespace: ml}}, spec: "
        "{{podName: p, selectedNode: {}, backoffLimit: 3}}}}\n",
        on);
  };
  const std::string part =
      group("p", "want") +
      pod({.name = "p", .group = "p", .annotations = ", gpu-fraction: \"0.5\"", .labels = "runai-gpu-group: g"});
  const Cluster elsewhere(bind("nowhere") + queue("want", 1) + node("a", 1) + part);
  CHECK(elsewhere.place("p") == "a");
  const Cluster here(bind("a") + queue("want", 1) + node("a", 1) + part);
  CHECK(here.place("p").empty());
  const auto& gpus = here.decision->start().shared_gpus(ShardNodeId{0}).gpus();
  REQUIRE(gpus.size() == 1);
  CHECK(here.decision->cluster_info.gpu_group_name(gpus.front().id) == "g");
  CHECK(gpus.front().used == 51'200);
}

TEST_CASE("kai node: a resource whose name ends in gpu replaces the GPU count if its amount is not 0",
          "[kai][cluster-info]") {
  const auto gpus = [](std::string_view amount) {
    std::string text = node("a", 2);
    text.insert(text.find("pods:"), fmt::format("example.com/vgpu: \"{}\", ", amount));
    return Cluster(queue("want", 1) + text).decision->cluster_info.allocatable(ShardNodeId{0})[kGpu];
  };
  CHECK(gpus("0") == 2);
  CHECK(gpus("3") == 3000);
}
