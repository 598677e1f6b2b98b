// State that a scenario leaves after it is rolled back. Both dumps and the expected values come from the real scheduler
// (d5bc503a), 20 runs each: fixtures/kai/shared-gpus.
#include "support/kai_cycle.h"

using namespace previct;
using namespace previct::test::cycles;

namespace {

auto evicted_from(std::string_view name) -> Names {
  Objects objects;
  REQUIRE(test::read_text(test::fixture(fmt::format("kai/shared-gpus/{}/dump.yaml", name)), objects));
  const Snapshot cluster(objects);
  const Instant now = *parse_instant("2026-03-02T10:00:00Z");
  const auto settings = effective_settings(cluster, "");
  const auto decision = decide(cluster, *settings, now, now, nullptr);
  Names names;
  for (const Eviction& each : decision->cycle.evictions()) {
    names.emplace_back(cluster.text(cluster.pod(decision->cluster_info.task(each.task).pod).meta.name));
  }
  return names;
}

}  // namespace

TEST_CASE("kai shared GPUs: a scenario that cannot fit is simulated anyway if its victims share GPUs", "[kai]") {
  // When the move of a pod to another GPU of its node is rolled back, the pod is counted on its first GPU once more.
  // Scenarios that cannot fit the group leave such extra counts, too, and in the end no reclaim succeeds.
  CHECK(evicted_from("undone-reclaim").empty());
}

TEST_CASE("kai multi-node generator: looks at the free resources after each rolled back scenario", "[kai]") {
  CHECK(evicted_from("undone-consolidation") == Names{"run-3-0"});
}
