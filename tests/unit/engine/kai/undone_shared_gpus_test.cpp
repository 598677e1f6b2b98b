// What a scenario leaves behind that is taken back. Both dumps and the expected values are of the real scheduler
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

TEST_CASE("kai: a scenario without room is simulated all the same where its victims share GPUs") {
  // Moved to another GPU of its node, a pod is booked on its first one once more when that is undone. Scenarios that
  // have no room for the group leave such bookings, too, and in the end no reclaim finds room.
  CHECK(evicted_from("undone-reclaim").empty());
}

TEST_CASE("kai: the multi-node generator looks at what is free after each undone scenario") {
  CHECK(evicted_from("undone-consolidation") == Names{"run-3-0"});
}
