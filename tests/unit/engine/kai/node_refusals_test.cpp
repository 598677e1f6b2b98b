// The pending pod of a group that the fewest nodes accept.
#include "engine/kai/actions/node_refusals.h"

#include "support/kai_cycle.h"

using namespace previct;
using namespace previct::test::cycles;

namespace {

auto refusals_of(const Cluster& cluster, std::string_view name) -> NodeRefusals {
  const ClusterInfo& cluster_info = cluster.decision->cluster_info;
  for (const GroupId id : cluster_info.groups().ids()) {
    if (cluster_info.key(id) != fmt::format("ml/{}", name)) continue;
    auto refusals = node_refusals(cluster.decision->start(), id, true);
    REQUIRE(refusals);
    return *std::move(refusals);
  }
  FAIL(name);
  return {};
}

}  // namespace

TEST_CASE("kai refusals: are those of a pending pod, not of one that runs", "[kai]") {
  // No node has the label z. The running pod comes first in the group, and fits on both nodes.
  const Cluster cluster(queue("want", 4) + node("a", 2) + node("b", 2) + group("g", "want") +
                        pod({.name = "g-0", .group = "g", .node = "a", .request = kGpuEach}) +
                        pod({.name = "g-1", .group = "g", .request = kGpuEach, .spec = ", nodeSelector: {z: \"1\"}"}));
  const NodeRefusals refusals = refusals_of(cluster, "g");
  CHECK(refusals.task == cluster.task("g-1"));
  CHECK(refusals.suitable == 0);
}

TEST_CASE("kai refusals: of several pod sets, the one that the fewest nodes accept counts", "[kai]") {
  // Both nodes have the label x, only one of them has y.
  const auto of = [](std::string_view first, std::string_view second) {
    const auto member = [](std::string_view name, std::string_view set, std::string_view label) {
      const std::string labels = fmt::format("kai.scheduler/subgroup-name: {}", set);
      const std::string spec = fmt::format(", nodeSelector: {{{}: \"1\"}}", label);
      return pod({.name = name, .group = "g", .labels = labels, .request = kGpuEach, .spec = spec});
    };
    const Cluster cluster(
        queue("want", 4) + node("a", 2, ", x: \"1\"") + node("b", 2, ", x: \"1\", y: \"1\"") +
        group("g", "want", ", subGroups: [{name: one, minMember: 1}, {name: two, minMember: 1}], minMember: 2") +
        member("g-0", "one", first) + member("g-1", "two", second));
    const NodeRefusals refusals = refusals_of(cluster, "g");
    const std::string which = refusals.task == cluster.task("g-0") ? "g-0" : "g-1";
    return fmt::format("{} {}", which, refusals.suitable);
  };
  CHECK(of("x", "y") == "g-1 1");
  CHECK(of("y", "x") == "g-0 1");
  CHECK(of("x", "z") == "g-1 0");
  CHECK(of("x", "x") == "g-0 2");
}
