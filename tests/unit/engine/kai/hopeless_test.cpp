// Groups that no eviction can help.
// Source: kai-scheduler/KAI-Scheduler: pkg/scheduler/actions/utils, pkg/scheduler/plugins/predicates PrePredicateFn.
#include "support/kai_cycle.h"

#include <catch2/catch.hpp>

using namespace previct;
using namespace previct::test::cycles;

// No node has 3 GPUs. Some releases search for victims nevertheless, and find none; the reason is the same.
TEST_CASE("kai hopeless: a pod that is larger than any node has that reason, whether victims are searched or not",
          "[kai][release]") {
  const std::string yaml = queue("top", 8) + queue("want", 4, ", parentQueue: top") +
                           queue("have", 0, ", parentQueue: top") + node("a", 1) + node("b", 1) +
                           alone({.name = "r", .node = "a", .request = kGpuEach}, "have") +
                           alone({.name = "s", .node = "b", .request = kGpuEach}, "have");
  for (const char* version : {"0.8", "0.9", "0.10", "0.12", "0.13", "0.14", "0.17"}) {
    INFO(version);
    const Cluster large(yaml + alone({.name = "x", .request = ", nvidia.com/gpu: \"3\""}), version);
    CHECK(large.why("x", Action::reclaim) == rule_id(Rule::too_large));
    CHECK(large.evicted().empty());
    const Cluster fits(yaml + alone({.name = "x", .request = kGpuEach}), version);
    CHECK(fits.evicted().size() == 1);
  }
}
