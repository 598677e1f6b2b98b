// What groups of a queue could do to the running pods of their own and of other queues. The expected values follow from
// the rules of reclaim and preempt: spec §11, §12.
#include "engine/kai/fairness/queue_reach.h"

#include "support/kai_cycle.h"

using namespace previct;
using namespace previct::test::cycles;

namespace {

// One GPU, which a group of `have` has held since 09:00; it is 10:00.
struct ReachCase {
  std::string quota_of_have = "0";
  std::string min_runtime{};
  std::string asks = "", settings = "";
  std::string holder_in = "have";
  std::string holder{};  // more fields of its PodGroup spec
};

auto holds(const ReachCase& r) -> std::string {
  return fmt::format(
             "---\n{{apiVersion: scheduling.run.ai/v2, kind: Queue, metadata: {{name: have}}, spec: {{{} resources: "
             "{{cpu: {{quota: -1, limit: -1}}, memory: {{quota: -1, limit: -1}}, gpu: {{quota: {}, limit: -1}}}}}}}}\n",
             r.min_runtime.empty() ? "" : fmt::format("reclaimMinRuntime: {},", r.min_runtime), r.quota_of_have) +
         fmt::format(
             "---\n{{apiVersion: scheduling.run.ai/v2alpha2, kind: PodGroup, metadata: {{name: holder, namespace: ml, "
             "creationTimestamp: \"2026-03-02T09:00:00Z\", annotations: {{kai.scheduler/last-start-timestamp: "
             "\"2026-03-02T09:00:00Z\"}}}}, spec: {{queue: {}, priorityClassName: train{}}}}}\n",
             r.holder_in, r.holder) +
         pod({.name = "holder", .group = "holder", .node = "a", .request = kGpuEach});
}

auto pending_group(std::string_view name, std::string_view more = "", std::string_view priority_class = "train",
                   int gpus = 1) -> std::string {
  return group(name, "want", more, priority_class) +
         pod({.name = name, .group = name, .request = fmt::format(", nvidia.com/gpu: \"{}\"", gpus)});
}

// Reach of the queue `want` into the queue of the holder.
auto reach(const ReachCase& r) -> QueueReach {
  const Cluster cluster(node("a", 1) + queue("want", 1) + holds(r) + r.asks + r.settings);
  const auto& tree = cluster.decision->cluster_info.tree();
  const std::vector<QueueId> leaves = {tree.find("want"), tree.find(r.holder_in)};
  const QueueOrder order(cluster.decision->start(), cluster.decision->cycle.shares());
  return queue_reach(cluster.decision->start(), order, leaves, *parse_instant("2026-03-02T10:00:00Z")).at(0).at(1);
}

}  // namespace

TEST_CASE("kai queue reach: into another queue, by reclaim", "[kai][reach]") {
  const QueueReach open = reach({.asks = pending_group("p")});
  CHECK(open.asked);
  CHECK(open.pods == 1);
  CHECK(open.now == 1);
  // No group is pending: only min-runtime and preemptibility count.
  const QueueReach unasked = reach({});
  CHECK_FALSE(unasked.asked);
  CHECK(unasked.now == 1);

  const QueueReach kept = reach({.asks = pending_group("p"), .holder = ", preemptibility: non-preemptible"});
  CHECK(kept.now == 0);
  CHECK(kept.rule == "kai.no-candidate.non-preemptible");
  const QueueReach within = reach({.quota_of_have = "2", .asks = pending_group("p")});
  CHECK(within.now == 0);
  CHECK(within.rule == "kai.no-candidate.within-quota");
  // A group that requests more than `want` may have is refused; a smaller one is not.
  const QueueReach large = reach({.asks = pending_group("q", "", "train", 2)});
  CHECK(large.now == 0);
  CHECK(large.rule == "kai.action.over-fair-share");
  CHECK(reach({.asks = pending_group("p") + pending_group("q", "", "train", 2)}).now == 1);
  CHECK(reach({.asks = pending_group("a-q", "", "train", 2) + pending_group("p")}).now == 1);
}

TEST_CASE("kai queue reach: time from which on another queue is reached", "[kai][reach]") {
  const Instant eleven = *parse_instant("2026-03-02T11:00:00Z");
  const QueueReach runtime = reach({.min_runtime = "2h", .asks = pending_group("p")});
  CHECK(runtime.now == 0);
  CHECK(runtime.later == 1);
  CHECK(runtime.first == eleven);
  CHECK(runtime.rule == "kai.no-candidate.min-runtime");
  CHECK(reach({.min_runtime = "59m", .asks = pending_group("p")}).now == 1);
  const QueueReach delayed = reach({.asks = pending_group("p", ", preemptionDelay: 2h")});
  CHECK(delayed.later == 1);
  CHECK(delayed.first == eleven);
  CHECK(delayed.rule == "kai.action.delayed");
  CHECK(reach({.asks = pending_group("p", ", preemptionDelay: 59m")}).now == 1);
  // The delay begins again when the group itself is evicted.
  std::string evicted = pending_group("p", ", preemptionDelay: 90m");
  const std::string_view made = "creationTimestamp";
  evicted.insert(evicted.find(made),
                 "annotations: {kai.scheduler/last-eviction-timestamp: \"2026-03-02T09:30:00Z\"}, ");
  CHECK(reach({.asks = evicted}).first == eleven);
  // The group that may evict first counts; min-runtime and delay must both be over.
  CHECK(reach({.asks = pending_group("p", ", preemptionDelay: 3h") + pending_group("q", ", preemptionDelay: 2h")})
            .first == eleven);
  CHECK(reach({.min_runtime = "2h", .asks = pending_group("p", ", preemptionDelay: 90m")}).first == eleven);
}

TEST_CASE("kai queue reach: within the queue itself, by preempt", "[kai][reach]") {
  const auto within = [](const std::string& asks, const std::string& holder = "", const std::string& settings = "") {
    return reach({.asks = asks, .settings = settings, .holder_in = "want", .holder = holder});
  };
  CHECK(within(pending_group("p", "", "high")).now == 1);
  CHECK(within(pending_group("p")).rule == "kai.no-candidate.priority");
  CHECK(within(pending_group("p") + pending_group("q", "", "high")).now == 1);
  // Of the groups of higher priority, the one that may evict first counts.
  const std::string later = ", preemptionDelay: 3h";
  const std::string sooner = ", preemptionDelay: 2h";
  const Instant eleven = *parse_instant("2026-03-02T11:00:00Z");
  CHECK(within(pending_group("p", later, "high") + pending_group("q", sooner, "high")).first == eleven);
  CHECK(within(pending_group("p", sooner, "high") + pending_group("q", later, "high")).first == eleven);
  CHECK(within(pending_group("p", "", "high"), ", preemptibility: non-preemptible").rule ==
        "kai.no-candidate.non-preemptible");
}

TEST_CASE("kai queue reach: none by an action that the shard has switched off", "[kai][reach]") {
  const std::string no_reclaim = shard("actions: {reclaim: {enabled: false}}");
  const std::string no_proportion = shard("plugins: {proportion: {enabled: false}}");
  CHECK(reach({.asks = pending_group("p"), .settings = no_reclaim}).rule == "kai.action.off");
  CHECK(reach({.asks = pending_group("p"), .settings = no_proportion}).rule == "kai.action.no-proportion");
  // Preempt needs neither reclaim nor proportion.
  for (const std::string& settings : {no_reclaim, no_proportion})
    CHECK(reach({.asks = pending_group("p", "", "high"), .settings = settings, .holder_in = "want"}).now == 1);
}
