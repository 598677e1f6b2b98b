// Where a cycle notes that its result may depend on the order of a Go map, and where it does not.
// Source: see chance_test.cpp.
#include "support/kai.h"
#include "support/kai_cycle.h"

#include <algorithm>

using namespace previct;
using namespace previct::test::cycles;

namespace {

auto depends_on_chance(const std::string& yaml) -> bool {
  return Cluster(yaml).decision->cycle.session().chance().is_open();
}

// A queue without quota, created at `hour`.
auto queue_of_hour(std::string_view name, int hour) -> std::string {
  std::string text = queue(name, 0);
  const std::string named = fmt::format("name: {}", name);
  return text.replace(text.find(named), named.size(),
                      fmt::format("{}, creationTimestamp: \"2026-03-01T{:02}:00:00Z\"", named, hour));
}

}  // namespace

TEST_CASE("kai chance: the choice between equal GPUs is open", "[kai]") {
  const auto two = [](std::string_view left, std::string_view right) {
    return queue("want", 4) + queue("have", 4) + node("a", 2) + sharing("left", left, "a", "g1") +
           sharing("right", right, "a", "g2") + asking("p", "0.25");
  };
  CHECK(depends_on_chance(two("0.5", "0.5")));
  CHECK_FALSE(depends_on_chance(two("0.5", "0.25")));
}

TEST_CASE("kai chance: the order of queues that compare equal is open", "[kai]") {
  // With equal age, each of the two queues compares as less than the other.
  const auto two = [](int hour) {
    return queue_of_hour("one", 1) + queue_of_hour("two", hour) + node("a", 2) +
           alone({.name = "p", .request = kGpuEach}, "one") + alone({.name = "z", .request = kGpuEach}, "two");
  };
  CHECK(depends_on_chance(two(1)));
  CHECK_FALSE(depends_on_chance(two(2)));
}

TEST_CASE("kai chance: a cut of the consolidation candidates leaves open whether any pod can move", "[kai]") {
  // The scheduler looks at two of three candidates. Only the pod on c can move to another node: in 19 of 30 runs the
  // scheduler moves it, in 11 nothing happens. By name it is the third candidate.
  std::string yaml = std::string(kTrain) + queue("want", -1) + shard("args: {max-consolidation-preemptees: \"1\"}");
  for (const std::string name : {"a", "b", "c"}) {
    yaml += node(name, 2, fmt::format(", n: {}", name)) +
            alone({.name = "on-" + name,
                   .node = name,
                   .request = kGpuEach,
                   .spec = name == "c" ? "" : fmt::format(", nodeSelector: {{n: {}}}", name)});
  }
  const Answer answer =
      test::AskedGroup(yaml + alone({.name = "p", .request = ", nvidia.com/gpu: \"2\""}), "p").explain();
  CHECK(answer.outcome == Outcome::unknown);
  const auto has = [&](GapRule rule) {
    return std::any_of(answer.gaps.begin(), answer.gaps.end(), [&](const Gap& gap) { return gap.rule == rule; });
  };
  CHECK(has(GapRule::kai_chance));
  CHECK(has(GapRule::kai_consolidation_cut));
}

TEST_CASE("kai chance: the order in which groups are counted is open also across the pods of a gang", "[kai]") {
  // Two pods that need a node each. `small` holds one GPU of a, `large` three of b, and their queue may keep two. For
  // the first pod `large` is evicted (later by name), for the second `small` as well. Of 4 GPUs, more than two are left
  // before each eviction if `small` is counted first (4, then 3), but not in the other order (4, then 1).
  const auto outcome = [](int of_large) {
    const auto alone_on = [](std::string_view name, std::string_view on, int gpus) {
      return alone({.name = name, .node = on, .request = fmt::format(", nvidia.com/gpu: \"{}\", memory: 100Gi", gpus)},
                   "have");
    };
    std::string yaml = std::string(kTrain) + queue("want", 2, ", priority: 200") +
                       queue("have", of_large == 3 ? 2 : 0) + node("a", 1) + node("b", of_large) +
                       alone_on("n-small", "a", 1) + alone_on("o-large", "b", of_large) +
                       group("p", "want", ", minMember: 2");
    for (const std::string name : {"p-0", "p-1"})
      yaml += pod({.name = name, .group = "p", .request = fmt::format("{}, memory: 200Gi", kGpuEach)});
    return test::AskedGroup(yaml, "p").explain().outcome;
  };
  CHECK(outcome(3) == Outcome::unknown);
  CHECK(outcome(1) == Outcome::preempts);  // each may be evicted
}

TEST_CASE("kai queue order without plugin proportion: the older queue first, equal ones by name", "[kai]") {
  const auto served = [](int one, int two) {
    const Cluster cluster(shard("plugins: {proportion: {enabled: false}}") + queue_of_hour("one", one) +
                          queue_of_hour("two", two) + node("a", 1) + alone({.name = "p", .request = kGpuEach}, "two") +
                          alone({.name = "z", .request = kGpuEach}, "one"));
    return cluster.place("z") == "a" ? "one" : cluster.place("p") == "a" ? "two" : "none";
  };
  CHECK(served(1, 2) == std::string("one"));
  CHECK(served(2, 1) == std::string("two"));
  CHECK(served(1, 1) == std::string("one"));
}

// Source: pkg/scheduler/api/pod_info/pod_info.go updateLegacyMigResourceRequestFromAnnotations (each annotation
// replaces what is requested); api/resource_info/resource_vector.go ToVector (resources that no node and no pod has
// named so far do not count); cache/cluster_info/cluster_info.go getNodeToPodInfosMap.
TEST_CASE("kai chance: which MIG devices annotations request may be open", "[kai]") {
  const std::string small = ", nvidia.com/mig-1g.5gb: \"1\"";
  const auto outcome = [&](std::string_view annotations, const std::string& others = "",
                           std::string_view on_node = "") {
    std::string yaml = std::string(kTrain) + queue("want", 4) + node("a", 4) +
                       alone({.name = "m", .annotations = annotations}) + alone({.name = "p", .request = kGpuEach}) +
                       others;
    const std::string gpus = "nvidia.com/gpu: \"4\"";
    yaml.insert(yaml.find(gpus) + gpus.size(), on_node);
    return test::AskedGroup(yaml, "p").explain().outcome;
  };
  CHECK(outcome("") == Outcome::fits);
  CHECK(outcome(small) == Outcome::fits);
  CHECK(outcome(small + ", nvidia.com/mig-2g.10gb: \"1\"") == Outcome::unknown);
  CHECK(outcome(small + ", nvidia.com/mig-2g.10gb: many") == Outcome::fits);
  // A profile that no node has counts if a pod that requests it was read before.
  const std::string other = alone({.name = "other", .request = small});
  CHECK(outcome(small, other) == Outcome::unknown);
  CHECK(outcome(small, other, small) == Outcome::fits);
}
