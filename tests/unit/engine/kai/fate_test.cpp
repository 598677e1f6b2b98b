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
