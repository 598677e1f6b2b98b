// Queues, their properties, and those that placement rules create. Source: apache/yunikorn-core 1.9
// pkg/scheduler/objects/queue.go, template/template.go, pkg/common/security/acl.go.
#include "cluster/snapshot.h"
#include "engine/yunikorn/config.h"
#include "engine/yunikorn/queues.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace previct::yunikorn::queue_trees {
namespace {

auto partition_of(const std::string& queues) -> PartitionConfig {
  Files files;
  const auto config = read_queues("partitions: [{name: default, queues: [" + queues + "]}]", files.add("queues.yaml"));
  INFO((config ? "" : config.error().message));
  REQUIRE(config);
  return *config->default_partition();
}

auto fault_of(const std::string& queues) -> std::string {
  Files files;
  const auto config = read_queues("partitions: [{name: default, queues: [" + queues + "]}]", files.add("queues.yaml"));
  return config ? "" : config.error().message;
}

// The types of a cluster without nodes.
struct Types {
  Objects objects;
  Snapshot cluster{objects};
  TypeNames names{cluster};
};

constexpr std::int64_t kSecond = 1'000'000'000;

}  // namespace

TEST_CASE("yunikorn queues: each property, its values, and what other values mean", "[yunikorn]") {
  const auto of = [](const std::string& key, const std::string& value) { return policy_of({{key, value}}); };
  using enum PreemptionPolicy;
  CHECK(of("preemption.policy", "fence").preemption == fence);
  CHECK(of("preemption.policy", "FENCE").preemption == fence);
  CHECK(of("preemption.policy", "disabled").preemption == disabled);
  CHECK(of("preemption.policy", "Disabled").preemption == disabled);
  CHECK(of("preemption.policy", "default").preemption == normal);
  CHECK(of("preemption.policy", "disable").preemption == normal);
  CHECK(of("priority.policy", "Fence").priority_fence);
  CHECK_FALSE(of("priority.policy", "default").priority_fence);
  CHECK_FALSE(of("priority.policy", "disabled").priority_fence);
  CHECK(of("priority.offset", "-5").priority_offset == -5);
  CHECK(of("priority.offset", "2147483648").priority_offset == 0);
  CHECK(of("priority.offset", "much").priority_offset == 0);
  CHECK(of("preemption.delay", "10s").preemption_delay == 10 * kSecond);
  for (const std::string value : {"0s", "-1s", "10", ""})
    CHECK(of("preemption.delay", value).preemption_delay == 30 * kSecond);
  CHECK(of("application.sort.policy", "fair").fair);
  CHECK_FALSE(of("application.sort.policy", "Fair").fair);
  CHECK_FALSE(of("application.sort.policy", "fifo").fair);
  CHECK(of("application.sort.priority", "enabled").sorts_by_priority);
  CHECK_FALSE(of("application.sort.priority", "Disabled").sorts_by_priority);
  CHECK(of("quota.preemption.delay", "5s").quota_preemption_delay == 5 * kSecond);
  CHECK(of("quota.preemption.delay", "-5s").quota_preemption_delay == 0);
  CHECK(of("quota.preemption.delay", "5s").old_quota_preemption_delay == 0);
  CHECK(of("preemption.quota.delay", "5s").old_quota_preemption_delay == 5 * kSecond);
  CHECK(of("preemption.quota.delay", "5s").quota_preemption_delay == 0);
}

TEST_CASE("yunikorn queues: properties that a child inherits, and those that it does not", "[yunikorn]") {
  const auto child = [](const std::string& parent, const std::string& own) {
    Types types;
    const QueueTree tree(partition_of("{name: root, queues: [{name: p, properties: {" + parent +
                                      "}, queues: [{name: c, properties: {" + own + "}}]}]}"),
                         types.names);
    return tree[tree.find("root.p.c")].policy;
  };
  CHECK(child("preemption.policy: disabled", "").preemption == PreemptionPolicy::disabled);
  CHECK(child("preemption.policy: fence", "").preemption == PreemptionPolicy::normal);
  CHECK(child("preemption.policy: disabled", "preemption.policy: fence").preemption == PreemptionPolicy::fence);
  CHECK_FALSE(child("priority.policy: fence", "").priority_fence);
  CHECK(child("priority.offset: '5'", "").priority_offset == 0);
  CHECK(child("priority.offset: '5'", "priority.offset: '3'").priority_offset == 3);
  CHECK(child("preemption.delay: 5s", "").preemption_delay == 5 * kSecond);
  CHECK(child("preemption.delay: 5s", "preemption.delay: 6s").preemption_delay == 6 * kSecond);
  CHECK_FALSE(child("application.sort.priority: disabled", "").sorts_by_priority);
}

TEST_CASE("yunikorn queues: those that placement rules create take the template of the nearest parent with one",
          "[yunikorn]") {
  Types types;
  QueueTree tree(
      partition_of("{name: root, queues: [{name: p, parent: true, maxapplications: 9, childtemplate: "
                   "{maxapplications: 3, properties: {priority.offset: '7', '': x, y: ''}, resources: {max: "
                   "{vcore: 2}, guaranteed: {vcore: 1}}}}, {name: plain, parent: true}, {name: empty, parent: "
                   "true, childtemplate: {properties: {y: ''}, resources: {max: {}}}}, {name: leaf}]}"),
      types.names);
  const Queue& made = tree[tree.make("root.p.q.r")];
  CHECK(made.path == "root.p.q.r");
  CHECK(made.dynamic);
  CHECK(made.leaf);
  CHECK(made.max_applications == 3);
  CHECK(made.policy.priority_offset == 7);
  CHECK(made.properties == Properties{{"priority.offset", "7"}});
  REQUIRE(made.max);
  CHECK(made.max->get(TypeNames::kVcore) == 2000);
  REQUIRE(made.guaranteed);
  CHECK(made.guaranteed->get(TypeNames::kVcore) == 1000);
  // The queue between them has nothing of it.
  const Queue& between = tree[tree.find("root.p.q")];
  CHECK(between.dynamic);
  CHECK_FALSE(between.leaf);
  CHECK(between.max_applications == 0);
  CHECK_FALSE(between.max);
  CHECK(between.policy.priority_offset == 0);
  for (const std::string parent : {"root.plain", "root.empty"}) {
    INFO(parent);
    const Queue& without = tree[tree.make(parent + ".x")];
    CHECK_FALSE(without.max);
    CHECK_FALSE(without.guaranteed);
    CHECK(without.max_applications == 0);
    CHECK(without.properties.empty());
  }
  CHECK_FALSE(tree.make("root.leaf.x"));
  CHECK_FALSE(tree.make("root.p.a b"));
  CHECK(tree.find("ROOT.P.Q.R") == tree.find("root.p.q.r"));
  CHECK_FALSE(tree.find("root.none"));
  CHECK(tree.find_nearest("root.p.none.x") == tree.find("root.p"));
  CHECK_FALSE(tree.find_nearest("other"));
  CHECK(tree[tree.recovery()].path == QueueTree::kRecovery);
}

TEST_CASE("yunikorn queues: the maxima of the queues on a path, and what is left of them", "[yunikorn]") {
  Types types;
  QueueTree tree(partition_of("{name: root, queues: [{name: p, resources: {max: {vcore: 4}}, queues: [{name: a, "
                              "resources: {max: {vcore: 3, memory: 5}}}, {name: b}]}]}"),
                 types.names);
  const QueueId a = tree.find("root.p.a");
  const QueueId b = tree.find("root.p.b");
  const TypeId memory = types.names.id("memory");
  const auto size = [&](std::int64_t cpu, std::int64_t bytes = 0) {
    Resources of;
    of.set(TypeNames::kVcore, cpu);
    if (bytes > 0) of.set(memory, bytes);
    return of;
  };
  tree[tree.root()].max = size(100'000, 1000);  // what the nodes have
  CHECK(tree.headroom(a).get(TypeNames::kVcore) == 3000);
  CHECK(tree.headroom(a).get(memory) == 5);
  CHECK(tree.headroom(b).get(TypeNames::kVcore) == 4000);
  CHECK(tree.headroom(b).get(memory) == 1000);
  CHECK_FALSE(tree.over_max(a, size(3000, 5), CheckedTypes::requested));
  CHECK(tree.over_max(a, size(3001), CheckedTypes::requested).queue == a);
  CHECK(tree.over_max(a, size(1, 6), CheckedTypes::requested).queue == a);
  CHECK(tree.over_max(b, size(4001), CheckedTypes::requested).queue == tree.find("root.p"));
  tree.allocate(a, size(2000, 4));
  CHECK(tree.headroom(a).get(TypeNames::kVcore) == 1000);
  CHECK(tree.headroom(b).get(TypeNames::kVcore) == 2000);
  const OverMax over = tree.over_max(b, size(2001), CheckedTypes::requested);
  CHECK(over.queue == tree.find("root.p"));
  CHECK(over.type == TypeNames::kVcore);
  CHECK(over.used == 4001);
  CHECK(over.max == 4000);
  CHECK(tree[tree.root()].allocated.get(TypeNames::kVcore) == 2000);
  CHECK(tree[b].allocated.amount(TypeNames::kVcore) == 0);
  CHECK(tree.configured_max(a)->get(TypeNames::kVcore) == 3000);
  CHECK(tree.configured_max(b)->get(TypeNames::kVcore) == 4000);
}

TEST_CASE("yunikorn queues: the number of applications on a path", "[yunikorn]") {
  const auto of = [](const std::string& parent, const std::string& child) {
    return fault_of("{name: root, queues: [{name: p, " + parent + "queues: [{name: c" + child + "}]}]}");
  };
  // configvalidator.go checkQueueMaxApplications
  CHECK(of("", "").empty());
  CHECK(of("", ", maxapplications: 5").empty());
  CHECK(of("maxapplications: 5, ", ", maxapplications: 5").empty());
  CHECK(of("maxapplications: 5, ", ", maxapplications: 6") ==
        "queue c: maxapplications 6 is larger than its parent's 5");
  CHECK(of("maxapplications: 5, ", "") == "queue c: maxapplications must be set, because its parent has 5");
  Types types;
  QueueTree tree(
      partition_of("{name: root, queues: [{name: p, maxapplications: 2, queues: [{name: a, maxapplications: 1}, "
                   "{name: b, maxapplications: 2}]}]}"),
      types.names);
  const QueueId a = tree.find("root.p.a");
  const QueueId b = tree.find("root.p.b");
  CHECK_FALSE(tree.full_of_applications(a));
  tree.count_running(a);
  CHECK(tree.full_of_applications(a) == a);
  CHECK_FALSE(tree.full_of_applications(b));
  tree.count_running(b);
  // The topmost one counts.
  CHECK(tree.full_of_applications(a) == tree.find("root.p"));
  CHECK(tree.full_of_applications(b) == tree.find("root.p"));
}

TEST_CASE("yunikorn ACLs: users, a blank, and groups", "[yunikorn]") {
  const auto text = [](std::string_view acl) {
    const Acl read = parse_acl(acl);
    return fmt::format("{}{}|{}", read.everybody ? "*" : "", fmt::join(read.users, "+"), fmt::join(read.groups, "+"));
  };
  CHECK(text("") == "|");
  CHECK(text("*").starts_with("*"));
  CHECK(text(" *").starts_with("*"));
  CHECK(text("* ").starts_with("*"));
  CHECK_FALSE(text("  * ").starts_with("*"));  // more than one blank is refused
  CHECK(text("a") == "a|");
  CHECK(text("a,b") == "a+b|");
  CHECK(text("a,b c,d") == "a+b|c+d");
  CHECK(text(" c") == "|c");
  CHECK(text("a *").starts_with("*"));
  CHECK_FALSE(text("a b c").starts_with("*"));
  CHECK(text("a b c") == "|");
  CHECK_FALSE(parse_acl("*,a").everybody);
}

}  // namespace previct::yunikorn::queue_trees
