#include "engine/kai/fairness/min_runtime.h"

#include "support/input.h"

#include <catch2/catch.hpp>

using namespace previct;
using namespace previct::kai;

namespace {

struct Tree {
  explicit Tree(std::string_view yaml) {
    REQUIRE(test::read_text(yaml, objects));
    cluster.emplace(objects);
    settings = *effective_settings(*cluster, "");
    tree.emplace(*cluster, settings, Instant{});
  }

  [[nodiscard]] auto seconds(std::string_view preemptor, std::string_view victim,
                             ResolveMethod method = ResolveMethod::lca) const -> std::int64_t {
    return reclaim_min_runtime(*tree, settings, method, tree->find(preemptor), tree->find(victim)).nanos /
           1'000'000'000;
  }
  [[nodiscard]] auto from(std::string_view preemptor, std::string_view victim) const -> std::string {
    const QueueId queue =
        reclaim_min_runtime(*tree, settings, ResolveMethod::lca, tree->find(preemptor), tree->find(victim)).from;
    return queue ? std::string((*tree)[queue].name) : "default";
  }

  Objects objects;
  std::optional<Snapshot> cluster;
  Settings settings;
  std::optional<QueueTree> tree;
};

// `name parent reclaim preempt`, "-" for none.
auto queues(std::initializer_list<std::array<const char*, 4>> rows) -> std::string {
  std::string yaml;
  for (const auto& [name, parent, reclaim, preempt] : rows) {
    yaml += std::string("---\napiVersion: scheduling.run.ai/v2\nkind: Queue\nmetadata: {name: ") + name +
            "}\nspec:\n  priority: 100\n";
    if (parent != std::string_view("-")) yaml += std::string("  parentQueue: ") + parent + "\n";
    if (reclaim != std::string_view("-")) yaml += std::string("  reclaimMinRuntime: ") + reclaim + "\n";
    if (preempt != std::string_view("-")) yaml += std::string("  preemptMinRuntime: ") + preempt + "\n";
  }
  return yaml;
}

/// a > b(600s) > { c > { leaf1(0s), leaf2(180s) }, d(60s) > leaf3 }, the design document's first tree (spec §18).
auto first_design_tree() {
  return queues({{"a", "-", "-", "-"},
                 {"b", "a", "600s", "-"},
                 {"c", "b", "-", "-"},
                 {"leaf1", "c", "0s", "-"},
                 {"leaf2", "c", "180s", "-"},
                 {"d", "b", "60s", "-"},
                 {"leaf3", "d", "-", "-"}});
}

}  // namespace

TEST_CASE("min-runtime method lca: starts one step below the deepest common queue and walks up", "[kai]") {
  const Tree t(first_design_tree());
  CHECK(t.seconds("leaf1", "leaf3") == 60);  // common queue b, its child d is set
  CHECK(t.from("leaf1", "leaf3") == "d");
  CHECK(t.seconds("leaf1", "leaf2") == 180);  // common queue c, its child is the leaf
  CHECK(t.seconds("leaf3", "leaf1") ==
        600);  // child c is unset, so up to b; leaf1's own 0s lies below and never counts
  CHECK(t.from("leaf3", "leaf1") == "b");
  CHECK(t.seconds("leaf1", "leaf1") == 0);  // the path ends at the common queue
}

TEST_CASE("min-runtime method queue: starts at the victim's leaf queue and walks up, for any preemptor", "[kai]") {
  const Tree t(first_design_tree());
  CHECK(t.seconds("leaf3", "leaf1", ResolveMethod::queue) == 0);  // 0s is a value
  CHECK(t.seconds("leaf1", "leaf3", ResolveMethod::queue) == 60);
  CHECK(t.seconds("leaf1", "leaf2", ResolveMethod::queue) == 180);
}

TEST_CASE("preempt min-runtime: starts at the leaf queue and walks up", "[kai]") {
  // b(600s) > c > { leaf1(300s), leaf2 }, the second tree.
  const Tree t(
      queues({{"b", "-", "-", "600s"}, {"c", "b", "-", "-"}, {"leaf1", "c", "-", "300s"}, {"leaf2", "c", "-", "-"}}));
  CHECK(preempt_min_runtime(*t.tree, t.settings, t.tree->find("leaf1")).nanos == 300'000'000'000);
  CHECK(preempt_min_runtime(*t.tree, t.settings, t.tree->find("leaf2")).nanos == 600'000'000'000);
}

TEST_CASE("min-runtime method lca: without a common queue, only the victim's top-level queue counts", "[kai]") {
  const Tree t(queues({{"ta", "-", "1h", "-"},
                       {"la", "ta", "2h", "-"},
                       {"tb", "-", "5m", "-"},
                       {"lb", "tb", "0s", "-"},
                       {"tc", "-", "-", "-"},
                       {"lc", "tc", "7m", "-"}}));
  CHECK(t.seconds("la", "lb") == 300);
  CHECK(t.seconds("la", "lc") == 0);  // tc is unset: the shard's default, though lc is set
  CHECK(t.from("la", "lc") == "default");
}

// Source: pkg/scheduler/plugins/minruntime/resolver.go getReclaimMinRuntime, getPreemptMinRuntime.
TEST_CASE("min-runtime: a queue that the shard does not have gets the default, whatever the other queue sets",
          "[kai]") {
  Tree t(first_design_tree());
  t.settings.default_reclaim = 42'000'000'000;
  t.settings.default_preempt = 43'000'000'000;
  for (const ResolveMethod method : {ResolveMethod::lca, ResolveMethod::queue}) {
    CHECK(t.seconds("nowhere", "leaf2", method) == 42);
    CHECK(t.seconds("leaf2", "nowhere", method) == 42);
    CHECK(t.seconds("nowhere", "nowhere", method) == 42);
    CHECK(t.seconds("leaf1", "leaf2", method) == 180);
  }
  CHECK(t.from("nowhere", "leaf2") == "default");
  CHECK(preempt_min_runtime(*t.tree, t.settings, t.tree->find("nowhere")).nanos == 43'000'000'000);
}

// Queues in a loop do no harm while they and their descendants have no group.
TEST_CASE("kai queue tree: drops queues below a missing parent, keeps queues in a loop", "[kai]") {
  const Tree t(queues({{"top", "-", "-", "-"},
                       {"orphan", "nowhere", "-", "-"},
                       {"below", "orphan", "-", "-"},
                       {"self", "self", "-", "-"}}));
  CHECK(t.tree->find("top"));
  CHECK_FALSE(t.tree->find("orphan"));
  CHECK_FALSE(t.tree->find("below"));
  CHECK(t.tree->find("self"));
  CHECK(t.tree->dropped().size() == 2);
}

TEST_CASE("min-runtime: a duration without a unit is refused with its line", "[kai]") {
  Objects objects;
  const auto read = test::read_text(
      "apiVersion: scheduling.run.ai/v2\nkind: Queue\nmetadata: {name: q}\nspec:\n  preemptMinRuntime: \"600\"\n",
      objects);
  REQUIRE_FALSE(read);
  CHECK(read.error().place.line == 5);
  CHECK(read.error().message ==
        "spec.preemptMinRuntime: expected a duration with its unit, such as \"90s\" or \"1h30m\", found the string "
        "\"600\"");
}
