// The order in which simulated cycles of YuniKorn try pending pods.
// Source: apache/yunikorn-core 1.9 pkg/scheduler/objects/sorters.go, queue.go sortQueues, sortApplications.
#include "sequence/cycle_simulation.h"
#include "support/yunikorn.h"

#include <set>
#include <string>

namespace previct::sequence {
namespace {

// Returns the names of the pending pods that are bound; `a` and `b` are further fields of the two queues.
auto names_of_bound(const std::string& pods, const std::string& a = "", const std::string& b = "",
                    const std::string& root = "", const std::string& node = test::node("n")) -> std::set<std::string> {
  Objects objects;
  REQUIRE(test::read_text(node + pods, objects));
  Settings settings;
  settings.question.now = *parse_instant("2026-05-01T12:00:00Z");
  settings.question.yunikorn_config =
      ConfigFile{objects.files.add("queues.yaml"),
                 fmt::format("partitions: [{{name: default, queues: [{{name: root, submitacl: '*'{}, queues: "
                             "[{{name: a{}}}, {{name: b{}}}]}}]}}]",
                             root, a, b)};
  const Snapshot before(objects);
  for (const PodId id : before.pods().ids()) {
    if (before.pending(id)) settings.pods.push_back(id);
  }
  const auto sequence = simulate_cycles(objects, yunikorn_engine, settings);
  REQUIRE(sequence);
  std::set<std::string> names;
  for (const End& end : sequence->play.ends) {
    if (end.kind == End::Kind::bound) names.insert(end.name);
  }
  return names;
}

using BoundPods = std::set<std::string>;

// Of the 4 CPUs of the node, one of the two pods uses most. `older` is one minute older.
auto two(const std::string& cpu, const std::string& queue_of_younger, int priority_of_younger = 0,
         const std::string& app_of_older = "") -> std::string {
  return test::pod({.name = "older", .cpu = cpu, .on = "", .app = app_of_older}) +
         test::pod({.name = "younger",
                    .cpu = cpu,
                    .on = "",
                    .priority = priority_of_younger,
                    .minute = 1,
                    .queue = queue_of_younger});
}

const std::string kPriorityOffset = ", properties: {priority.offset: '100'}";
const std::string kAgeFirst = ", properties: {application.sort.priority: disabled}";
const std::string kFairPolicy = ", properties: {application.sort.policy: fair}";

}  // namespace

TEST_CASE("sequence, YuniKorn: of two queues, the one of higher priority comes first", "[sequence][yunikorn]") {
  CHECK(names_of_bound(two("3", "root.b"), "", kPriorityOffset) == BoundPods{"ns/younger"});
  CHECK(names_of_bound(two("3", "root.b"), kPriorityOffset) == BoundPods{"ns/older"});
  CHECK(names_of_bound(two("3", "root.b", 10)) == BoundPods{"ns/younger"});
}

TEST_CASE("sequence, YuniKorn: of two queues of equal priority, the one that uses less of its share comes first",
          "[sequence][yunikorn]") {
  // Queue a uses a quarter of the node, and b uses nothing.
  const std::string runs = test::pod({.name = "runs"});
  CHECK(names_of_bound(runs + two("2", "root.b")) == BoundPods{"ns/younger"});
  // Both use 500m: an eighth of what is guaranteed to a, and all that is guaranteed to b.
  const std::string both = test::pod({.name = "runs", .cpu = "500m"}) +
                           test::pod({.name = "also", .cpu = "500m", .queue = "root.b"}) + two("3", "root.b");
  const auto guaranteed = [](const std::string& amount) {
    return ", resources: {guaranteed: {vcore: " + amount + "}}";
  };
  CHECK(names_of_bound(both, guaranteed("4"), guaranteed("500m")) == BoundPods{"ns/older"});
  // The priority decides first, unless the parent sorts by use first.
  CHECK(names_of_bound(runs + two("2", "root.b"), kPriorityOffset) == BoundPods{"ns/older"});
  CHECK(names_of_bound(runs + two("2", "root.b"), kPriorityOffset, "", kAgeFirst) == BoundPods{"ns/younger"});
  // A node that has not reported its resources yet: the root has no maximum, and no pod fits.
  const std::string empty = R"({"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n"}})"
                            "\n";
  CHECK(names_of_bound(runs + two("2", "root.b"), "", "", "", empty).empty());
}

TEST_CASE("sequence, YuniKorn: offsets and fences of priorities order queues, then the larger request does",
          "[sequence][yunikorn]") {
  // One of the two pods fits: 3 CPUs in queue a, or 2 in b with priority 10. Nothing is preempted. Source:
  // pkg/scheduler/objects/queue.go GetCurrentPriority, sorters.go sortQueuesByPriorityAndFairness.
  const auto first = [](const std::string& a, const std::string& b, const std::string& cpu_of_a = "3",
                        const std::string& cpu_of_b = "2", int priority_of_b = 10) {
    const auto properties = [](const std::string& more) {
      return ", properties: {preemption.policy: disabled" + more + "}";
    };
    return names_of_bound(
        test::pod({.name = "in-a", .cpu = cpu_of_a, .on = ""}) +
            test::pod(
                {.name = "in-b", .cpu = cpu_of_b, .on = "", .priority = priority_of_b, .minute = 1, .queue = "root.b"}),
        properties(a), properties(b));
  };
  const BoundPods a{"ns/in-a"};
  const BoundPods b{"ns/in-b"};
  const std::string fence = ", priority.policy: fence";
  CHECK(first("", "") == b);
  CHECK(first(", priority.offset: '5'", "") == b);
  CHECK(first(", priority.offset: '20'", "") == a);
  CHECK(first("", ", priority.offset: '-20'") == a);
  // With a fence, the priority of the pod does not count: 0 and 0, so that the larger request is first.
  CHECK(first("", fence) == a);
  CHECK(first("", fence + ", priority.offset: '1'") == b);
  CHECK(first(fence + ", priority.offset: '11'", "") == a);
  CHECK(first("", "", "3", "2", 0) == a);
  CHECK(first("", "", "2", "3", 0) == b);
}

TEST_CASE("sequence, YuniKorn: a queue's share is of what is guaranteed to it, or else of its maximum",
          "[sequence][yunikorn]") {
  // Both queues use 1 of 4 CPUs, one of two pods of 2 CPUs fits, and nothing is preempted. From 1.6 on, a type without
  // a guarantee counts against the maximum of the queue, or of those above it. Source:
  // pkg/common/resources/resources.go getFairShare.
  const auto first = [](const std::string& a, const std::string& b, const std::string& more_of_a = "") {
    const auto resources = [](const std::string& text) {
      return ", properties: {preemption.policy: disabled}" + (text.empty() ? "" : ", resources: {" + text + "}");
    };
    return names_of_bound(test::pod({.name = "runs", .requests = more_of_a}) +
                              test::pod({.name = "also", .queue = "root.b"}) +
                              test::pod({.name = "in-a", .cpu = "2", .on = ""}) +
                              test::pod({.name = "in-b", .cpu = "2", .on = "", .minute = 1, .queue = "root.b"}),
                          resources(a), resources(b));
  };
  const BoundPods a{"ns/in-a"};
  const BoundPods b{"ns/in-b"};
  // Of the guarantee, a uses 1/2 and b 1/3; of the maximum 1/4 and 1/3.
  CHECK(first("guaranteed: {vcore: 2}, max: {vcore: 4}", "guaranteed: {vcore: 3}, max: {vcore: 3}") == b);
  CHECK(first("guaranteed: {vcore: 3}, max: {vcore: 3}", "guaranteed: {vcore: 2}, max: {vcore: 4}") == a);
  // Without a guarantee, 1/3 and 1/4; 1/4 is also the share of the node.
  CHECK(first("max: {vcore: 3}", "max: {vcore: 4}") == b);
  CHECK(first("max: {vcore: 3}", "") == b);
  CHECK(first("", "max: {vcore: 3}") == a);
  CHECK(first("guaranteed: {memory: 1G}, max: {vcore: 3}", "") == b);
  // A guarantee of nothing is used in full, unless nothing is used: 1/2 of a, and 2/3 of b.
  const std::string none = "guaranteed: {memory: 0, vcore: 2}";
  CHECK(first(none, "guaranteed: {vcore: 1500m}", R"(, "memory": "0")") == a);
  CHECK(first(none, "guaranteed: {vcore: 1500m}", R"(, "memory": "1")") == b);
  CHECK(first("guaranteed: {memory: 1G, vcore: 0}", "max: {vcore: 3}") == b);
}

TEST_CASE("sequence, YuniKorn: the policy of a queue orders its applications", "[sequence][yunikorn]") {
  CHECK(names_of_bound(two("3", "root.a")) == BoundPods{"ns/older"});
  CHECK(names_of_bound(two("3", "root.a", 10)) == BoundPods{"ns/younger"});
  CHECK(names_of_bound(two("3", "root.a", 10), kAgeFirst) == BoundPods{"ns/older"});
  // The application of the older pod uses 1 CPU.
  const std::string runs = test::pod({.name = "runs", .app = "used"});
  CHECK(names_of_bound(runs + two("2", "root.a", 0, "used")) == BoundPods{"ns/older"});
  CHECK(names_of_bound(runs + two("2", "root.a", 0, "used"), kFairPolicy) == BoundPods{"ns/younger"});
}

// The driver is not given to the core before the placeholders of its gang are allocated, so it reserves no node.
// Source: apache/yunikorn-k8shim 1.9 pkg/cache/application.go onReserving, scheduleTasks.
TEST_CASE("sequence, YuniKorn: a pod that waits for the placeholders of its gang reserves no node",
          "[sequence][yunikorn]") {
  const std::string full = test::pod({.name = "b1", .cpu = "2", .queue = "root.b", .app = "b"}) +
                           test::pod({.name = "b2", .cpu = "2", .minute = 1, .queue = "root.b", .app = "b"});
  const std::string driver =
      test::pod({.name = "driver",
                 .cpu = "1",
                 .on = "",
                 .minute = 2,
                 .app = "gang",
                 .meta = R"("annotations": {"yunikorn.apache.org/task-groups": "[{\"name\": \"w\", \"minMember\": 2, )"
                         R"(\"minResource\": {\"cpu\": \"2\"}}]"}, )"});
  const std::string placeholder = test::pod({.name = "tg-w-0",
                                             .cpu = "2",
                                             .on = "",
                                             .minute = 3,
                                             .app = "gang",
                                             .meta = R"("annotations": {"yunikorn.apache.org/placeholder": "true", )"
                                                     R"("yunikorn.apache.org/task-group-name": "w"}, )"});
  CHECK(names_of_bound(full + driver + placeholder, ", resources: {guaranteed: {vcore: 4}}") == BoundPods{"ns/tg-w-0"});
}

}  // namespace previct::sequence
