#include "engine/yunikorn/queue_reach.h"

#include "engine/yunikorn/configuration.h"
#include "support/input.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <memory>

using namespace previct;
using namespace previct::yunikorn;

namespace {

// Queues that differ in all that matters: `over` uses three cores of one guaranteed, `within` one of four.
constexpr const char* kQueuesOfReach = R"(
partitions:
- name: default
  PREEMPTION
  queues:
  - name: root
    submitacl: '*'
    queues:
    - {name: over, resources: {guaranteed: {vcore: 1}}}
    - {name: within, resources: {guaranteed: {vcore: 4}}}
    - {name: closed, properties: {preemption.policy: disabled}}
    - {name: asks, resources: {guaranteed: {vcore: 4}}, properties: {preemption.delay: 60s}}
    - {name: poor, properties: {preemption.delay: 1s}}
    - {name: shy, resources: {guaranteed: {vcore: 4}}, properties: {preemption.delay: 60s}}
    - {name: sizes, resources: {guaranteed: {vcore: 1}}, properties: {preemption.delay: 60s}}
    - {name: daemons, resources: {guaranteed: {vcore: 4}}}
)";

auto pod_in(const std::string& queue, const std::string& name, int second, const std::string& spec, int cores = 1,
            const std::string& meta = "") -> std::string {
  return fmt::format(
      R"({{"apiVersion": "v1", "kind": "Pod", "metadata": {{"name": "{1}", "namespace": "ns", "uid": "{1}", "labels": )"
      R"({{"queue": "root.{0}", "applicationId": "app-{0}"}}, {5}"creationTimestamp": "2026-05-01T12:00:{2:02}Z"}}, "spec": )"
      R"({{{3}"schedulerName": "yunikorn", "containers": [{{"name": "c", "resources": {{"requests": {{"cpu": "{4}"}}}}}}]}}}})"
      "\n",
      queue, name, second, spec, cores, meta);
}

const std::string kOnNode = R"("nodeName": "n", )";

auto manifests_of_reach() -> std::string {
  const std::string to_its_node =
      R"("affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": )"
      R"([{"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["n"]}]}]}}}, )";
  const std::string of_daemon_set = R"("ownerReferences": [{"kind": "DaemonSet", "name": "d", "uid": "ds"}], )";
  return R"({"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n"}, "status": {"allocatable": {"cpu": "64"}}})"
         "\n" +
         pod_in("over", "o1", 0, kOnNode) + pod_in("over", "o2", 0, kOnNode) +
         pod_in("over", "high", 0, kOnNode + R"("priority": 100, )") + pod_in("within", "w", 0, kOnNode) +
         pod_in("closed", "c", 0, kOnNode) +
         // These two differ only in their creation time.
         pod_in("asks", "second", 10, "") + pod_in("asks", "first", 0, "") +
         pod_in("asks", "important", 20, R"("priority": 200, )") + pod_in("poor", "p", 0, "") +
         pod_in("shy", "never", 0, R"("preemptionPolicy": "Never", )") + pod_in("shy", "may", 5, "") +
         pod_in("sizes", "large", 0, "", 8) + pod_in("sizes", "small", 5, "") +
         pod_in("daemons", "d", 0, to_its_node, 1, of_daemon_set) +
         R"({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "foreign", "namespace": "ns"}, "spec": {}})"
         "\n"
         R"({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "other", "namespace": "ns"}, "spec": {"nodeName": "n"}})";
}

struct ReachScene {
  explicit ReachScene(const std::string& partition = "") {
    REQUIRE(test::read_text(manifests_of_reach(), objects));
    std::string queues = kQueuesOfReach;
    const std::string mark = "PREEMPTION";
    queues.replace(queues.find(mark), mark.size(), partition);
    auto read = read_queues(queues, objects.files.add("queues.yaml"));
    REQUIRE(read);
    config = *std::move(read);
    cluster = std::make_unique<Snapshot>(objects);
    core = std::make_unique<PartitionContext>(*cluster, config, Assumptions(), PartitionSettings{});
    for (const QueueId queue : core->queues().ids()) {
      if (core->queues()[queue].leaf) leaves.push_back(queue);
    }
  }

  // Returns what pods of queue `by` can do to those of queue `of`, `second` seconds past noon.
  [[nodiscard]] auto reach(const std::string& by, const std::string& of, int second, bool triggered = false) const
      -> std::string {
    const Instant noon = *parse_instant("2026-05-01T12:00:00Z");
    const auto all = queue_reach(*core, leaves, triggered, noon.plus_nanos(second * std::int64_t{1'000'000'000}));
    const QueueReach& found = all[leaf(by)][leaf(of)];
    std::string text = fmt::format("{}{} of {} now", found.asked ? "" : "any pod: ", found.now, found.pods);
    if (found.later > 0) {
      text += fmt::format(", {} from {} to {}", found.later, seconds_between(noon, found.first),
                          seconds_between(noon, found.last));
    }
    return found.rule.empty() ? text : fmt::format("{}; {}", text, found.rule);
  }

  [[nodiscard]] auto leaf(const std::string& name) const -> std::size_t {
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      if (core->queues()[leaves[i]].path == "root." + name) return i;
    }
    FAIL("no leaf queue " + name);
    return 0;
  }

  Objects objects;
  Config config;
  std::unique_ptr<Snapshot> cluster;
  std::unique_ptr<PartitionContext> core;
  std::vector<QueueId> leaves;
};

}  // namespace

// Source: apache/yunikorn-core 1.9 pkg/scheduler/objects/preemption.go CheckPreconditions and
// checkPreemptionQueueGuarantees, queue.go FindEligiblePreemptionVictims. Expected values are derived by hand.
TEST_CASE("yunikorn queue reach: the best that one of its pending pods can do, and from when", "[yunikorn]") {
  const ReachScene scene;
  // The delay of a minute ends for `first` before `second`, and at 80 seconds for `important`, which may evict `high`.
  CHECK(scene.reach("asks", "over", 30) == "0 of 3 now, 3 from 60 to 80; yunikorn.queue.delay");
  CHECK(scene.reach("asks", "over", 60) == "2 of 3 now, 1 from 80 to 80; yunikorn.queue.delay");
  CHECK(scene.reach("asks", "over", 80) == "3 of 3 now");
  CHECK(scene.reach("asks", "within", 80) == "0 of 1 now; yunikorn.spared.within-guarantee");
  CHECK(scene.reach("asks", "closed", 80) == "0 of 1 now; yunikorn.spared.queue-disabled");
  CHECK(scene.reach("asks", "asks", 80) == "0 of 0 now");
  // Without a guaranteed share, no pod can be evicted; `high` would not be, either, but the reported rule protects
  // most.
  CHECK(scene.reach("poor", "over", 80) == "0 of 3 now; yunikorn.queue.no-guarantee");
  // Pods that differ in whether they may preempt, or in their size, are checked one by one: `may` was created at 5
  // seconds, and `small` fits the share of its queue while `large` does not.
  CHECK(scene.reach("shy", "over", 64) == "0 of 3 now, 2 from 65 to 65; yunikorn.queue.delay");
  CHECK(scene.reach("shy", "over", 65) == "2 of 3 now; yunikorn.spared.higher-priority");
  CHECK(scene.reach("sizes", "over", 64) == "0 of 3 now, 2 from 65 to 65; yunikorn.queue.delay");
  CHECK(scene.reach("asks", "over", 80, true) == "0 of 3 now; yunikorn.queue.triggered");
}

TEST_CASE("yunikorn queue reach: without pending pods, it holds for any pod, whatever its priority", "[yunikorn]") {
  const ReachScene scene;
  CHECK(scene.reach("within", "over", 0) == "any pod: 3 of 3 now");
  CHECK(scene.reach("within", "closed", 0) == "any pod: 0 of 1 now; yunikorn.spared.queue-disabled");
  CHECK(scene.reach("within", "within", 0) == "any pod: 0 of 1 now; yunikorn.spared.own-queue");
  CHECK(scene.reach("over", "poor", 0) == "any pod: 0 of 0 now");
  // Pods of a DaemonSet follow rules of their own.
  CHECK(scene.reach("daemons", "over", 0) == "any pod: 3 of 3 now");
  const ReachScene off("preemption: {enabled: false}");
  CHECK(off.reach("within", "over", 0) == "any pod: 0 of 3 now; yunikorn.queue.off");
  CHECK(off.reach("asks", "over", 80) == "0 of 3 now; yunikorn.queue.off");
}
