#include "engine/yunikorn/attempt_order.h"

#include "engine/yunikorn/known.h"
#include "support/yunikorn.h"

// The order of attempts among queues, applications and pods. Source: apache/yunikorn-core 1.9
// pkg/scheduler/objects/sorters.go, queue.go priorityValueByPolicy, internalGetFairMaxResource;
// pkg/common/resources/resources.go getFairShare, compareShares. The expected values are worked out by hand.

namespace previct::yunikorn {
namespace {

using test::Asked;
using test::node;
using test::YunikornPod;
using Names = std::vector<std::string>;

// Returns the names of the pending pods in the order of attempts, on nodes n and m. `queues`: those below the root, in
// flow style.
auto order(const std::string& pods, const std::string& queues, const std::string& of_root = "",
           const std::string& release = "") -> Names {
  Asked asked(node("n") + node("m") + pods);
  asked.queues(fmt::format("partitions: [{{name: default, queues: [{{name: root, submitacl: '*'{}, queues: [{}]}}]}}]",
                           of_root, queues));
  asked.question.now = *parse_instant("2026-05-01T12:00:00Z");
  asked.question.yunikorn_version = release;
  const Snapshot cluster(asked.objects);
  const auto found = known(cluster, asked.question);
  REQUIRE(found);
  std::vector<PodId> pending;
  for (const PodId id : cluster.pods().ids()) {
    if (cluster.pending(id)) pending.push_back(id);
  }
  Names names;
  for (const PodId id : in_order_of_attempts(*(*found)->core, pending)) names.push_back(cluster.key(id).substr(3));
  CHECK(names.size() == pending.size());
  return names;
}

auto waits(YunikornPod pod) -> std::string {
  pod.on = "";
  return test::pod(pod);
}
// In queue root.a, root.b, …, which is also its name.
auto waits_in(const std::string& queue, const std::string& cpu = "1", int priority = 0) -> std::string {
  return waits({.name = queue, .cpu = cpu, .priority = priority, .queue = "root." + queue});
}
auto uses(const std::string& queue, const std::string& cpu, const std::string& requests = "") -> std::string {
  return test::pod({.name = "uses-" + queue, .cpu = cpu, .requests = requests, .queue = "root." + queue});
}

auto queue(const std::string& name, const std::string& more = "") -> std::string {
  return "{name: " + name + more + "}";
}
auto two_queues(const std::string& of_a, const std::string& of_b) -> std::string {
  return queue("a", of_a) + ", " + queue("b", of_b);
}
auto properties(const std::string& text) -> std::string {
  return ", properties: {" + text + "}";
}
auto resources(const std::string& text) -> std::string {
  return ", resources: {" + text + "}";
}

constexpr int kLeast = -2147483648;
const std::string kUseFirst = properties("application.sort.priority: disabled");

}  // namespace

TEST_CASE("yunikorn order: the offset of a queue is added to its priority, within 32 bits", "[yunikorn][order]") {
  // a has a pod of 2 CPUs, so that it is first of two queues of equal priority.
  const auto order_with = [](const std::string& offset_of_a, int priority_of_a, const std::string& offset_of_b,
                             int priority_of_b) {
    return order(waits_in("b", "1", priority_of_b) + waits_in("a", "2", priority_of_a),
                 two_queues(properties("priority.offset: '" + offset_of_a + "'"),
                            properties("priority.offset: '" + offset_of_b + "'")));
  };
  CHECK(order_with("0", 5, "3", 2) == Names{"a", "b"});
  CHECK(order_with("0", 5, "3", 3) == Names{"b", "a"});
  CHECK(order_with("-3", 5, "0", 2) == Names{"a", "b"});
  CHECK(order_with("-3", 5, "0", 3) == Names{"b", "a"});
  // Above and below 32 bits, both have the limit.
  CHECK(order_with("2147483647", 1, "2147483647", 2) == Names{"a", "b"});
  CHECK(order_with("2147483647", -1, "2147483647", 0) == Names{"b", "a"});
  CHECK(order_with("-2147483648", -1, "-2147483648", -2) == Names{"a", "b"});
  CHECK(order_with("-2147483648", 1, "-2147483648", 2) == Names{"b", "a"});
}

TEST_CASE("yunikorn order: a queue whose pods have the least priority has it, too", "[yunikorn][order]") {
  // Neither an offset nor a fence changes it.
  const auto order_with = [](int priority_of_a, const std::string& of_a) {
    return order(waits_in("a", "2", priority_of_a) + waits_in("b", "1", -10), two_queues(properties(of_a), ""));
  };
  CHECK(order_with(kLeast, "priority.offset: '5'") == Names{"b", "a"});
  CHECK(order_with(kLeast, "priority.policy: fence, priority.offset: '5'") == Names{"b", "a"});
  CHECK(order_with(kLeast + 1, "priority.policy: fence, priority.offset: '5'") == Names{"a", "b"});
  CHECK(order_with(-20, "priority.offset: '15'") == Names{"a", "b"});
}

TEST_CASE("yunikorn order: the priority of a parent is the highest below it", "[yunikorn][order]") {
  const auto order_with = [](const std::string& of_parent, const std::string& of_child) {
    const std::string tree = "{name: p" + of_parent + ", queues: [{name: x" + of_child + "}, {name: y}]}, {name: b}";
    return order(waits({.name = "b", .cpu = "4", .priority = 5, .queue = "root.b"}) +
                     waits({.name = "x1", .priority = 2, .queue = "root.p.x", .app = "x"}) +
                     waits({.name = "x2", .priority = 6, .minute = 1, .queue = "root.p.x", .app = "x"}) +
                     waits({.name = "y", .priority = 3, .queue = "root.p.y"}),
                 tree);
  };
  CHECK(order_with("", "") == Names{"x2", "x1", "y", "b"});
  // 5 and 5: b waits for more CPUs, and p for more pods, so that they are equal: as given.
  CHECK(order_with(properties("priority.offset: '-1'"), "") == Names{"b", "x2", "x1", "y"});
  CHECK(order_with(properties("priority.offset: '-2'"), "") == Names{"b", "x2", "x1", "y"});
  CHECK(order_with("", properties("priority.policy: fence")) == Names{"b", "y", "x2", "x1"});
  CHECK(order_with(properties("priority.offset: '3'"), properties("priority.policy: fence")) ==
        Names{"y", "x2", "x1", "b"});
  CHECK(order_with(properties("priority.policy: fence"), "") == Names{"b", "x2", "x1", "y"});
}

TEST_CASE("yunikorn order: of equal queues, the one that waits for more of a type, and less of none, is first",
          "[yunikorn][order]") {
  const auto order_with = [](const std::string& of_a, const std::string& more_of_a, const std::string& of_b,
                             const std::string& more_of_b) {
    return order(waits({.name = "b", .cpu = of_b, .requests = more_of_b, .queue = "root.b"}) +
                     waits({.name = "a", .cpu = of_a, .requests = more_of_a}),
                 two_queues("", ""));
  };
  const std::string memory = R"(, "memory": "1Gi")";
  CHECK(order_with("2", "", "1", "") == Names{"a", "b"});
  CHECK(order_with("1", "", "1", "") == Names{"b", "a"});  // as given
  CHECK(order_with("1", memory, "1", "") == Names{"a", "b"});
  CHECK(order_with("1", memory, "2", "") == Names{"b", "a"});
  CHECK(order_with("2", "", "1", memory) == Names{"b", "a"});
  CHECK(order_with("2", memory, "1", memory) == Names{"a", "b"});
  // What waits below a parent counts for it: 1 + 1 against 2 CPUs, and 2 pods against 1.
  CHECK(
      order(waits_in("b", "2") + waits({.name = "x", .queue = "root.p.x"}) + waits({.name = "y", .queue = "root.p.y"}),
            "{name: p, queues: [{name: x}, {name: y}]}, {name: b}") == Names{"x", "y", "b"});
  CHECK(order(waits_in("b", "2") + waits({.name = "x", .queue = "root.p.x"}),
              "{name: p, queues: [{name: x}, {name: y}]}, {name: b}") == Names{"b", "x"});
}

TEST_CASE("yunikorn order: use is measured by the largest share of what is guaranteed, or else of the maxima",
          "[yunikorn][order]") {
  // a uses 2 CPUs, b 1 CPU; both nodes together have 8. Pods of b come first unless a uses a smaller share.
  const auto order_with = [](const std::string& of_a, const std::string& of_b, const std::string& more_of_b = "",
                             const std::string& of_root = "") {
    return order(uses("a", "2") + uses("b", "1", more_of_b) + waits_in("a") + waits_in("b"), two_queues(of_a, of_b),
                 of_root);
  };
  const Names a{"a", "b"};
  const Names b{"b", "a"};
  CHECK(order_with("", "") == b);  // 2/8, 1/8
  CHECK(order_with(resources("guaranteed: {vcore: 8}"), resources("guaranteed: {vcore: 3}")) == a);
  CHECK(order_with(resources("guaranteed: {vcore: 8}"), resources("guaranteed: {vcore: 5}")) == b);
  CHECK(order_with("", resources("max: {vcore: 3}")) == a);                                   // 2/8, 1/3
  CHECK(order_with("", resources("max: {vcore: 5}")) == b);                                   // 2/8, 1/5
  CHECK(order_with(resources("max: {vcore: 5}"), resources("guaranteed: {vcore: 2}")) == a);  // 2/5, 1/2
  CHECK(order_with(resources("max: {vcore: 3}"), resources("guaranteed: {vcore: 2}")) == b);  // 2/3, 1/2
  // A type that the maximum of the queue lacks counts against that of the nodes: 16Gi of memory, of which b uses half.
  const std::string memory = R"(, "memory": "8Gi")";
  CHECK(order_with("", "", memory) == a);
  CHECK(order_with("", resources("max: {vcore: 8}"), memory) == a);
  CHECK(order_with(resources("guaranteed: {vcore: 3}"), "", memory) == b);  // 2/3, 8/16
  CHECK(order_with(resources("guaranteed: {vcore: 5}"), "", memory) == a);  // 2/5, 8/16
  // The larger share counts, whichever type it is of: 2/8 for a; 1/3 and 1/16 for b.
  CHECK(order_with("", resources("max: {vcore: 3}"), R"(, "memory": "1Gi")") == a);
  // A type that neither has does not count.
  CHECK(order_with("", "", R"(, "example.com/gpu": "7")") == b);
  CHECK(order_with("", resources("guaranteed: {example.com/gpu: 8}"), R"(, "example.com/gpu": "7")") == a);
}

TEST_CASE("yunikorn order: the maxima of the queues above count where a queue has none", "[yunikorn][order]") {
  // x of p uses 1 CPU, y of q 1 CPU; the maximum of p is 4, that of q 3 CPUs.
  const auto order_with = [](const std::string& of_p, const std::string& of_x, const std::string& of_y) {
    return order(test::pod({.name = "ux", .queue = "root.p.x"}) + test::pod({.name = "uy", .queue = "root.p.y"}) +
                     waits({.name = "y", .queue = "root.p.y"}) + waits({.name = "x", .queue = "root.p.x"}),
                 fmt::format("{{name: p{}, queues: [{{name: x{}}}, {{name: y{}}}]}}", of_p, of_x, of_y));
  };
  const Names x{"x", "y"};
  const Names y{"y", "x"};
  CHECK(order_with(resources("max: {vcore: 4}"), "", resources("max: {vcore: 3}")) == x);         // 1/4, 1/3
  CHECK(order_with(resources("max: {vcore: 3}"), "", resources("max: {vcore: 3}")) == y);         // equal: as given
  CHECK(order_with(resources("max: {vcore: 5}"), "", resources("guaranteed: {vcore: 3}")) == x);  // 1/5, 1/3
  CHECK(order_with(resources("max: {vcore: 5}"), resources("guaranteed: {vcore: 3}"), "") == y);
  CHECK(order_with("", "", resources("max: {vcore: 7}")) == x);  // 1/8, 1/7
}

TEST_CASE("yunikorn order: before 1.6, shares of what is guaranteed are compared, the largest ones first",
          "[yunikorn][order]") {
  // Source: yunikorn-core v1.5.2 sorters.go, resources.go getShares, compareShares: an amount without a guarantee is
  // its own share.
  const auto order_with = [](const std::string& of_a, const std::string& of_b, const std::string& more_of_a = "",
                             const std::string& more_of_b = "", const std::string& release = "1.5") {
    return order(uses("a", "1", more_of_a) + uses("b", "1", more_of_b) + waits_in("b") + waits_in("a"),
                 two_queues(of_a, of_b), "", release);
  };
  const Names a{"a", "b"};
  const Names b{"b", "a"};
  CHECK(order_with("", "") == b);  // equal
  // a: 1 pod, 1000m of 2000m; b: 1 pod, 1000m without a guarantee.
  CHECK(order_with(resources("guaranteed: {vcore: 2}"), "") == a);
  CHECK(order_with("", resources("guaranteed: {vcore: 2}")) == b);
  CHECK(order_with(resources("guaranteed: {vcore: 2}"), resources("guaranteed: {vcore: 3}")) == b);
  CHECK(order_with(resources("guaranteed: {vcore: 3}"), resources("guaranteed: {vcore: 2}")) == a);
  // Equal first shares: 1000m; then the next one: 500m of another type, of which the other has none.
  const std::string gpu = R"(, "example.com/gpu": "5")";
  CHECK(order_with("", "", gpu) == b);
  CHECK(order_with("", "", "", gpu) == a);
  // The largest ones are compared first, of whichever type: 5 against 1000, although 5 gpus are more than 3.
  CHECK(order_with(resources("guaranteed: {vcore: 8}"), "", gpu, R"(, "example.com/gpu": "3")") == a);
  // A maximum does not count. From 1.6 on, it does: 1/4 and 1/8.
  CHECK(order_with(resources("max: {vcore: 8}"), resources("max: {vcore: 4}")) == b);
  CHECK(order_with(resources("max: {vcore: 8}"), resources("max: {vcore: 4}"), "", "", "1.6") == a);
}

TEST_CASE("yunikorn order: a parent decides whether priority or use comes first below it", "[yunikorn][order]") {
  const std::string pods = uses("a", "2") + waits_in("a", "1", 9) + waits_in("b");
  CHECK(order(pods, two_queues("", "")) == Names{"a", "b"});
  CHECK(order(pods, two_queues("", ""), kUseFirst) == Names{"b", "a"});
  CHECK(order(pods, two_queues(kUseFirst, kUseFirst)) == Names{"a", "b"});
  // With equal use, the priority decides then, and the larger request after it.
  CHECK(order(waits_in("b", "2") + waits_in("a", "1", 9), two_queues("", ""), kUseFirst) == Names{"a", "b"});
  CHECK(order(waits_in("b") + waits_in("a", "2"), two_queues("", ""), kUseFirst) == Names{"a", "b"});
}

TEST_CASE("yunikorn order: applications are sorted by the policy of their queue", "[yunikorn][order]") {
  // The application of `early` is older; that of `late` has the higher priority; that of `used` uses 1 CPU.
  const auto order_with = [](const std::string& of_a) {
    return order(test::pod({.name = "u", .app = "used"}) + waits({.name = "late", .priority = 9, .minute = 3}) +
                     waits({.name = "used", .priority = 9, .minute = 4, .app = "used"}) +
                     waits({.name = "early", .minute = 2}),
                 queue("a", of_a));
  };
  CHECK(order_with("") == Names{"used", "late", "early"});  // by priority, then by age: that of u
  CHECK(order_with(kUseFirst) == Names{"used", "early", "late"});
  CHECK(order_with(properties("application.sort.policy: fair")) == Names{"late", "used", "early"});
  CHECK(order_with(properties("application.sort.policy: fair, application.sort.priority: disabled")) ==
        Names{"late", "early", "used"});
  // Of equal age, the priority decides.
  CHECK(order(waits({.name = "x"}) + waits({.name = "y", .priority = 1}), queue("a", kUseFirst)) == Names{"y", "x"});
}

TEST_CASE("yunikorn order: the use of an application counts without placeholders and pods that are not bound",
          "[yunikorn][order]") {
  // y uses 1 CPU. x uses 2, but not if they are of a placeholder, or of a pod in another queue.
  const auto order_with = [](const std::string& app, const std::string& in, const std::string& meta = "") {
    return order(test::pod({.name = "ux", .cpu = "2", .queue = in, .app = app, .meta = meta}) +
                     test::pod({.name = "uy", .app = "y"}) + waits({.name = "x", .minute = 5, .app = "x"}) +
                     waits({.name = "y", .minute = 6, .app = "y"}),
                 two_queues(properties("application.sort.policy: fair"), ""));
  };
  CHECK(order_with("x", "root.a") == Names{"y", "x"});
  CHECK(order_with("z", "root.a") == Names{"x", "y"});
  CHECK(order_with("z", "root.b") == Names{"x", "y"});
  CHECK(order_with("x", "root.a",
                   R"("annotations": {"yunikorn.apache.org/placeholder": "true", )"
                   R"("yunikorn.apache.org/task-group-name": "g"}, )") == Names{"x", "y"});
}

TEST_CASE("yunikorn order: pods of an application are sorted by priority, then by age", "[yunikorn][order]") {
  CHECK(order(waits({.name = "p1", .minute = 5, .app = "x"}) + waits({.name = "p2", .minute = 4, .app = "x"}) +
                  waits({.name = "p3", .priority = 1, .minute = 6, .app = "x"}) +
                  waits({.name = "p4", .minute = 4, .app = "x"}),
              queue("a")) == Names{"p3", "p2", "p4", "p1"});
}

TEST_CASE("yunikorn order: pods that the core does not know come last, as given", "[yunikorn][order]") {
  CHECK(order(waits({.name = "lost1", .queue = "root.none"}) + waits_in("a") +
                  waits({.name = "lost2", .queue = "root.none"}) + waits_in("b", "2"),
              two_queues("", "")) == Names{"b", "a", "lost1", "lost2"});
}

}  // namespace previct::yunikorn
