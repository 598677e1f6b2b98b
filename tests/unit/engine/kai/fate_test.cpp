// The fate of a group, derived from its pods and from the cycle.
#include "engine/kai/account.h"
#include "support/kai.h"
#include "support/kai_cycle.h"

#include <algorithm>

using namespace previct;
using namespace previct::test::cycles;

namespace {

auto outcome_of(const std::string& yaml) -> Outcome {
  return test::AskedGroup(std::string(kTrain) + queue("want", 4) + node("a", 2) + yaml, "p").explain().outcome;
}

}  // namespace

TEST_CASE("kai fate: a group without pending pods has the outcome of its other pods", "[kai]") {
  const std::string gate = ", schedulingGates: [{name: wait}]";
  const auto one = [](const PodText& text) { return group("p", "want") + pod(text); };
  CHECK(outcome_of(one({.name = "p", .group = "p", .node = "a"})) == Outcome::scheduled);
  CHECK(outcome_of(one({.name = "p", .group = "p", .spec = gate})) == Outcome::gated);
  CHECK(outcome_of(one({.name = "p", .group = "p", .node = "a", .phase = "Succeeded"})) == Outcome::pending);
  CHECK(outcome_of(one({.name = "p", .group = "p", .node = "a"}) + pod({.name = "q", .group = "p", .spec = gate})) ==
        Outcome::gated);
  CHECK(outcome_of(one({.name = "p", .group = "p", .node = "a"}) + pod({.name = "q", .group = "p"})) == Outcome::fits);
}

TEST_CASE("kai preemption delay: counted from the last eviction if that came after the group's creation", "[kai]") {
  // The group was created at 09:00 and evicted once. It is 10:00, and no node has enough free GPUs.
  const auto outcome = [](std::string_view delay, std::string_view evicted) {
    std::string waits = group("p", "want", fmt::format(", preemptionDelay: {}", delay)) +
                        pod({.name = "p", .group = "p", .request = ", nvidia.com/gpu: \"2\""});
    waits.insert(
        waits.find("creationTimestamp"),
        fmt::format("annotations: {{kai.scheduler/last-eviction-timestamp: \"2026-03-02T{}:00Z\"}}, ", evicted));
    return outcome_of(alone({.name = "holder", .node = "a", .request = kGpuEach}) + waits);
  };
  CHECK(outcome("15m", "09:50") == Outcome::not_eligible);
  CHECK(outcome("10m", "09:50") == Outcome::pending);
  CHECK(outcome("61m", "08:00") == Outcome::not_eligible);
  CHECK(outcome("60m", "08:00") == Outcome::pending);
  CHECK(outcome("0s", "09:50") == Outcome::pending);
}

TEST_CASE("kai other_results: returns no more results than requested", "[kai]") {
  // Four pods could move. The scheduler looks at any two of them and moves the later one, so never the one on a.
  std::string yaml = std::string(kTrain) + queue("want", -1) + shard("args: {max-consolidation-preemptees: \"1\"}");
  for (const std::string name : {"a", "b", "c", "d"})
    yaml += node(name, 2) + alone({.name = "on-" + name, .node = name, .request = kGpuEach});
  Objects objects;
  REQUIRE(test::read_text(yaml + alone({.name = "p", .request = ", nvidia.com/gpu: \"2\""}), objects));
  const Snapshot cluster(objects);
  const auto cycles = *cycles_of(cluster, {""}, *parse_instant("2026-03-02T10:00:00Z"), {});
  Subject subject;
  subject.group = cycles->in_order(0).cluster_info.find_group("ml", "p");
  CHECK(other_results(cycles, subject, 1).size() == 1);
  Names nodes = fate_of(cycles->in_order(0), subject.group).nodes;
  for (const auto& other : other_results(cycles, subject, 3)) {
    CHECK(other->fate.outcome == Outcome::preempts);
    CHECK(other->fate.evictions.size() == 1);
    nodes.insert(nodes.end(), other->fate.nodes.begin(), other->fate.nodes.end());
  }
  std::sort(nodes.begin(), nodes.end());
  CHECK(nodes == Names{"b", "c", "d"});
}

TEST_CASE("kai chance: which victim of equal queues is placed again first is open", "[kai]") {
  // p takes the GPUs of both pods. One of them can move to b; upstream takes the groups out of a map. All three GPUs
  // belong to `want`, in which q is pending for another node, so `one` and `two` have no share at all.
  const std::string yaml = std::string(kTrain) + queue("want", 3) + queue("one", 0) + queue("two", 0) + node("a", 2) +
                           node("b", 1) + alone({.name = "v1", .node = "a", .request = kGpuEach}, "one") +
                           alone({.name = "v2", .node = "a", .request = kGpuEach}, "two") +
                           alone({.name = "p", .request = ", nvidia.com/gpu: \"2\""}) +
                           alone({.name = "q", .request = kGpuEach, .spec = ", nodeSelector: {no-such: label}"});
  Objects objects;
  REQUIRE(test::read_text(yaml, objects));
  const Snapshot cluster(objects);
  const auto cycles = *cycles_of(cluster, {""}, *parse_instant("2026-03-02T10:00:00Z"), {});
  Names moved;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Decision& decision = cycles->in_order(seed);
    const ClusterInfo& info = decision.cluster_info;
    REQUIRE(fate_of(decision, info.find_group("ml", "p")).evictions.size() == 2);
    for (const TaskId task : info.tasks().ids()) {
      const ShardNodeId to = decision.cycle.pipelined_to(task);
      if (to && info.shard_nodes()[to].name == "b") moved.emplace_back(info.group(info.task(task).group).name);
    }
  }
  CHECK(moved.size() == 20);
  std::sort(moved.begin(), moved.end());
  moved.erase(std::unique(moved.begin(), moved.end()), moved.end());
  CHECK(moved == Names{"v1", "v2"});
}

TEST_CASE("kai: what was looked ahead at answers the question about that time", "[kai]") {
  // `p` may reclaim the GPU of `holder` when its min-runtime ends: a minute after it is asked.
  const auto yaml = [](std::string_view stale) {
    std::string holder =
        group("holder", "have") + pod({.name = "holder", .group = "holder", .node = "a", .request = kGpuEach});
    holder.insert(holder.find("creationTimestamp"),
                  "annotations: {kai.scheduler/last-start-timestamp: \"2026-03-02T09:31:00Z\"}, ");
    return std::string(kTrain) + queue("want", 1) + queue("have", 0, ", reclaimMinRuntime: 30m") + node("a", 1) +
           node("b", 0) + holder + group("p", "want") + pod({.name = "p", .group = "p", .request = kGpuEach}) +
           std::string(stale);
  };
  const Instant now = *parse_instant("2026-03-02T10:00:00Z");
  const Instant then = *parse_instant("2026-03-02T10:01:00Z");
  const auto is_kept = [&](const std::string& text) {
    Objects objects;
    REQUIRE(test::read_text(text, objects));
    const Snapshot cluster(objects);
    const auto cycles = *cycles_of(cluster, {""}, now, {});
    REQUIRE(cycles->in_order(0).moment.horizon() == then);
    const auto ahead = cycles->look_ahead(then);
    CHECK(cycles->work() == cycles->in_order(0).work());
    const auto asked = *cycles_of(cluster, {""}, then, {});
    CHECK(asked->now() == then);
    const Decision& decision = asked->in_order(0);
    CHECK(asked->work() == decision.work());
    CHECK(fate_of(decision, decision.cluster_info.find_group("ml", "p")).outcome == Outcome::preempts);
    const auto later = *cycles_of(cluster, {""}, then.plus_seconds(1), {});
    CHECK(later->now() == then.plus_seconds(1));
    return &decision == ahead.get();
  };
  CHECK(is_kept(yaml("")));
  // A gang below its minimum without a timestamp is stale since the time of the question.
  CHECK_FALSE(is_kept(
      yaml(group("stale", "have", ", minMember: 2") + pod({.name = "stale-0", .group = "stale", .node = "b"}))));
}

TEST_CASE("kai: the next change is only looked for if it is asked for or the sentence names it", "[kai]") {
  // `p` may reclaim the GPU of `holder` when the min-runtime has ended, counted from 09:31.
  std::string holder =
      group("holder", "have") + pod({.name = "holder", .group = "holder", .node = "a", .request = kGpuEach});
  holder.insert(holder.find("creationTimestamp"),
                "annotations: {kai.scheduler/last-start-timestamp: \"2026-03-02T09:31:00Z\"}, ");
  const auto asked = [&](std::string_view min_runtime) {
    return test::AskedGroup(std::string(kTrain) + queue("want", 1) +
                                queue("have", 0, fmt::format(", reclaimMinRuntime: {}", min_runtime)) + node("a", 1) +
                                holder + group("p", "want") + pod({.name = "p", .group = "p", .request = kGpuEach}),
                            "p");
  };
  test::AskedGroup pending = asked("30m");
  const Answer whole = pending.explain();
  CHECK(whole.sentence.find("until 10:01:00") != std::string::npos);
  pending.question.next_change = false;
  CHECK(pending.explain().sentence == whole.sentence);
  CHECK(pending.explain().next_change == whole.next_change);
  test::AskedGroup preempts = asked("10m");
  preempts.question.next_change = false;
  const Answer answer = preempts.explain();
  CHECK(answer.outcome == Outcome::preempts);
  CHECK(answer.next_change_words.empty());
  preempts.question.next_change = true;
  CHECK(preempts.explain().sentence == answer.sentence);
}
