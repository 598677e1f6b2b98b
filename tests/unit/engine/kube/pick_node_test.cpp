// The choice among nodes on which preemption works, compared with plain formulations of upstream's.
#include "engine/kube/pick_node.h"

#include "engine/kube/score.h"
#include "support/cluster.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <set>

using namespace previct;
using namespace previct::test;
using namespace previct::kube;

namespace {

using Runs = std::vector<DryRun>;

auto random_runs(std::mt19937& random, std::size_t count) -> Runs {
  Runs runs(count);
  for (DryRun& run : runs) {
    run.violations = static_cast<std::int32_t>(random() % 2);
    run.first_priority = run.highest_priority = static_cast<std::int32_t>(random() % 2);
    run.priority_sum = static_cast<std::int64_t>(random() % 2);
    run.victims.resize(1 + random() % 2);
    run.earliest_start = {100, static_cast<std::int32_t>(random() % 2)};
    if (random() % 4 == 0) run.earliest_start = {101, 0};
  }
  return runs;
}

// Those of `nodes` that pickOneNodeForPreemption would leave: criterion by criterion, only the best ones.
auto best_of(const Runs& runs, std::vector<std::size_t> nodes) -> std::vector<std::size_t> {
  const auto keep_least = [&](const auto& value_of) {
    auto least = value_of(runs[nodes.front()]);
    for (const std::size_t node : nodes) least = std::min(least, value_of(runs[node]));
    std::erase_if(nodes, [&](std::size_t node) { return value_of(runs[node]) != least; });
  };
  keep_least([](const DryRun& run) { return run.violations; });
  keep_least([](const DryRun& run) { return run.first_priority; });
  keep_least([](const DryRun& run) { return run.priority_sum; });
  keep_least([](const DryRun& run) { return run.victims.size(); });
  Instant latest = runs[nodes.front()].earliest_start;
  for (const std::size_t node : nodes) latest = std::max(latest, runs[node].earliest_start);
  std::erase_if(nodes, [&](std::size_t node) { return runs[node].earliest_start != latest; });
  return nodes;
}

// Every node that is the best of those that DryRunPreemption collects, in some order of the nodes. It has a list of
// candidates without violations and one of the others, which hold as many as the sample, and stops when both together
// do, and the first is not empty.
auto best_of_samples(const Runs& runs, std::size_t sample) -> std::set<std::size_t> {
  std::vector<std::size_t> order(runs.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::set<std::size_t> all;
  do {
    std::vector<std::size_t> clean;
    std::vector<std::size_t> violating;
    for (const std::size_t node : order) {
      std::vector<std::size_t>& list = runs[node].violations == 0 ? clean : violating;
      if (list.size() < sample) list.push_back(node);
      if (!clean.empty() && clean.size() + violating.size() >= sample) break;
    }
    clean.insert(clean.end(), violating.begin(), violating.end());
    for (const std::size_t node : best_of(runs, clean)) all.insert(node);
  } while (std::next_permutation(order.begin(), order.end()));
  return all;
}

auto index_of(const std::vector<NodeId>& nodes) -> std::set<std::size_t> {
  std::set<std::size_t> all;
  for (const NodeId node : nodes) all.insert(node.index);
  return all;
}

}  // namespace

// Source: framework/preemption/preemption.go pickOneNodeForPreemption, DryRunPreemption, candidateList; v1.35.
TEST_CASE("pick node: the node, and those of other samples, are upstream's", "[kube]") {
  std::vector<std::string> documents;
  for (int i = 0; i < 5; ++i) documents.push_back(a_node(fmt::format("n{}", 9 - i), "1"));
  const auto cluster = a_cluster(documents);
  const NodeInfoSnapshot node_infos(*cluster->snapshot, Release(35));
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    const Runs runs = random_runs(random, 1 + random() % 5);
    std::vector<Candidate> candidates;
    for (std::uint32_t i = 0; i < runs.size(); ++i) candidates.push_back({NodeId{i}, &runs[i]});
    const std::size_t sample = 1 + random() % 5;
    const Choice choice = pick_node(node_infos, candidates, 5, 0, static_cast<std::int64_t>(sample));
    std::vector<std::size_t> every(runs.size());
    for (std::size_t i = 0; i < every.size(); ++i) every[i] = i;
    const std::vector<std::size_t> best = best_of(runs, every);
    INFO(round);
    CHECK(index_of(choice.chosen) == std::set<std::size_t>(best.begin(), best.end()));
    CHECK(choice.chosen.front().index == best.back());  // by name, the last one is the first
    CHECK(index_of(choice.possible) == best_of_samples(runs, sample));
    CHECK(choice.sampled == (sample < runs.size()));
  }
}

TEST_CASE("pick node: the criterion that decides is the first in which two nodes differ", "[kube]") {
  DryRun run;
  run.victims.resize(2);
  run.earliest_start = {100, 0};
  CHECK(deciding_rule(run, run) == Rule::pick_tie);
  CHECK_FALSE(better(run, run));
  // From the last criterion to the first: each decides, whatever the later ones say.
  DryRun worse = run;
  const auto decides = [&](Rule rule) {
    CHECK(deciding_rule(run, worse) == rule);
    CHECK(better(run, worse));
    CHECK_FALSE(better(worse, run));
  };
  worse.earliest_start = {99, 0};
  decides(Rule::pick_start);
  worse = run;
  worse.victims.resize(3);
  worse.earliest_start = {101, 0};
  decides(Rule::pick_count);
  worse.victims.resize(1);
  worse.priority_sum = 1;
  decides(Rule::pick_sum);
  worse.priority_sum = -1;
  worse.first_priority = 1;
  decides(Rule::pick_highest);
  worse.first_priority = -1;
  worse.violations = 1;
  decides(Rule::pick_violations);
}

// Source: defaultpreemption/default_preemption.go calculateNumCandidates: 10 % of the nodes, but at least 100, and no
// more than there are.
TEST_CASE("pick node: the size of the sample", "[kube]") {
  CHECK(sample_size(5'000, 10, 100) == 500);
  CHECK(sample_size(500, 10, 100) == 100);
  CHECK(sample_size(50, 10, 100) == 50);
  CHECK(sample_size(1'005, 10, 100) == 100);
  CHECK(sample_size(1'010, 10, 100) == 101);
}

// The scores of the shape are multiplied by 10. Source: plugins/helper/shape_score.go BuildBrokenLinearFunction;
// plugins/noderesources/requested_to_capacity_ratio.go.
TEST_CASE("requested to capacity ratio: the score between two points of the shape", "[kube][scores]") {
  const std::vector<ShapePoint> shape = {{10, 0}, {50, 10}, {100, 4}};
  const std::vector<std::pair<std::int64_t, std::int64_t>> expected = {
      {0, 0}, {10, 0}, {11, 2}, {30, 50}, {50, 100}, {51, 99}, {75, 70}, {100, 40}, {120, 40}};
  for (const auto& [utilization, score] : expected) {
    INFO(utilization);
    CHECK(on_broken_line(shape, utilization) == score);
  }
  CHECK(on_broken_line({{10, 7}, {20, 0}}, 5) == 70);
  CHECK(on_broken_line({}, 5) == 0);
  CHECK(on_broken_line(shape, 3, 4) == 70);  // 75 %
  CHECK(on_broken_line(shape, 4, 4) == 40);
  CHECK(on_broken_line({{0, 0}, {99, 9}, {100, 4}}, 9, 4) == 40);
  CHECK(on_broken_line(shape, 0, 0) == 40);  // counts as 100 %
}
