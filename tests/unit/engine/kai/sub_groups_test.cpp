// The tree of pod sets that a PodGroup defines.
// Source: kai-scheduler/KAI-Scheduler: pkg/scheduler/api/podgroup_info/subgroup_info/factory.go (d5bc503a).
#include "engine/kai/snapshot/sub_groups.h"

#include "support/kai_cycle.h"

using namespace previct;
using namespace previct::test::cycles;

namespace {

// The pod sets with their minimums, and the number of inner nodes above them.
auto shape_of(std::string_view spec, const Release& release = Release()) -> std::string {
  Objects objects;
  REQUIRE(test::read_text(group("g", "want", fmt::format(", {}", spec)), objects));
  const Snapshot cluster(objects);
  const SubGroupShape shape = sub_groups_of(cluster, objects.kai_pod_groups.front().spec, release);
  std::string text;
  for (const PodSet& set : shape.sets) text += fmt::format("{} {}, ", set.name, set.min);
  return text + std::to_string(shape.tree.inners.size());
}

}  // namespace

TEST_CASE("kai sub-groups: pod sets are the sub-groups that have no children", "[kai]") {
  CHECK(shape_of("minMember: 3") == "default 3, 0");
  CHECK(shape_of("minMember: 3, subGroups: [{name: one, minMember: 2}, {name: two}]") == "one 2, two 0, 1");
  // Parents are compared in lower case.
  CHECK(shape_of("subGroups: [{name: one, parent: Above, minMember: 2}, {name: above, minMember: 5}]") == "one 2, 2");
}

// Source: api/podgroup_info/job_info.go setSubGroups, SetPodGroup, v0.7.13 and v0.17.0.
TEST_CASE("kai sub-groups: a minimum below 1 counts as 1 from 0.7 on", "[kai][release]") {
  CHECK(shape_of("minMember: 0", Release(6)) == "default 0, 0");
  CHECK(shape_of("minMember: 0", Release(7)) == "default 1, 0");
  CHECK(shape_of("minMember: -2", Release(17)) == "default 1, 0");
  CHECK(shape_of("minMember: 2", Release(17)) == "default 2, 0");
}

TEST_CASE("kai sub-groups: duplicate names or unknown parents are refused, and the group is one set of 1", "[kai]") {
  CHECK(shape_of("minMember: 3, subGroups: [{name: one, minMember: 2}, {name: one, minMember: 4}]") == "default 1, 0");
  CHECK(shape_of("minMember: 3, subGroups: [{name: one, minMember: 2}, {name: two, parent: none, minMember: 4}]") ==
        "default 1, 0");
  // Sub-groups in a loop are never reached, so no pod set of them is left.
  CHECK(shape_of("minMember: 3, subGroups: [{name: one, parent: two}, {name: two, parent: one}]") == "default 3, 1");
}
