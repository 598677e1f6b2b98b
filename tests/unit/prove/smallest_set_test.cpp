#include "prove/smallest_set.h"

#include "support/cluster.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <random>
#include <tuple>

namespace previct::prove {
namespace {

using kube::Price;

auto smallest_of(const test::TestCluster& cluster, const std::string& name) -> Result<SmallestSet> {
  Question question;
  question.now = *parse_instant("2026-03-02T12:00:00Z");
  question.toleration_plugin = "off";
  return smallest_set_of(*find_engine("kube"), *cluster.snapshot, question, cluster.snapshot->find_pod("x", name));
}

auto names(const test::TestCluster& cluster, const std::vector<PodId>& pods) -> std::vector<std::string> {
  std::vector<std::string> names;
  for (const PodId pod : pods) names.push_back(cluster.snapshot->key(pod));
  return names;
}

using Names = std::vector<std::string>;

// ---- all sets of small nodes

struct Sample {
  std::int64_t cpu = 0;
  std::int64_t memory = 0;
  std::int64_t priority = 0;
  std::int64_t start = 0;  // minutes; the smaller the more important
  int budget = 0;
};

struct SampleNode {
  std::int64_t cpu = 0;
  std::int64_t memory = 0;
  std::vector<Sample> pods{};
};

struct SampleCluster {
  std::vector<SampleNode> nodes{};
  std::array<int, 2> allowed{};  // disruptions, by budget
  Sample wanted{};
};

auto random_cluster(std::mt19937_64& engine) -> SampleCluster {
  const auto upto = [&](std::uint64_t most) { return static_cast<std::int64_t>(engine() % (most + 1)); };
  SampleCluster cluster;
  for (int& each : cluster.allowed) each = static_cast<int>(upto(2));
  cluster.wanted = {.cpu = 1 + upto(5), .memory = 1 + upto(5), .priority = 150 + upto(200)};
  std::int64_t start = 0;
  for (std::int64_t n = upto(2); n >= 0; --n) {
    SampleNode& node = cluster.nodes.emplace_back(SampleNode{.cpu = 0, .memory = 0});
    for (std::int64_t p = upto(6); p >= 0; --p) {
      node.pods.push_back({.cpu = upto(3),
                           .memory = upto(3),
                           .priority = 100 * upto(3),
                           .start = 0,
                           .budget = static_cast<int>(upto(2))});
      node.pods.back().start = (start += 1) * 37 % 1000;  // all different, in no order
      node.cpu += node.pods.back().cpu;
      node.memory += node.pods.back().memory;
    }
    node.cpu += upto(2);
    node.memory += upto(2);
  }
  return cluster;
}

auto documents_of(const SampleCluster& cluster) -> std::vector<std::string> {
  std::vector<std::string> documents;
  for (std::size_t n = 0; n < cluster.nodes.size(); ++n) {
    const SampleNode& node = cluster.nodes[n];
    documents.push_back(
        fmt::format("apiVersion: v1\nkind: Node\nmetadata: {{name: n{}}}\nstatus: {{allocatable: {{cpu: \"{}\", "
                    "memory: {}Gi, pods: 50}}}}\n",
                    n, node.cpu, node.memory));
    for (std::size_t p = 0; p < node.pods.size(); ++p) {
      const Sample& pod = node.pods[p];
      documents.push_back(
          fmt::format("apiVersion: v1\nkind: Pod\nmetadata: {{namespace: x, name: p{0}-{1}, labels: {{app: "
                      "a{2}}}}}\nspec: {{nodeName: n{0}, priority: {3}, "
                      "containers: [{{name: c, resources: {{requests: {{cpu: \"{4}\", memory: {5}Gi}}}}}}]}}\n"
                      "status: {{phase: Running, startTime: \"2026-03-01T{6:02}:{7:02}:00Z\"}}\n",
                      n, p, pod.budget, pod.priority, pod.cpu, pod.memory, pod.start / 60, pod.start % 60));
    }
  }
  for (std::size_t i = 0; i < cluster.allowed.size(); ++i)
    documents.push_back(test::a_budget(fmt::format("x/b{}", i), fmt::format("a{}", i), cluster.allowed[i]));
  documents.push_back(
      fmt::format("apiVersion: v1\nkind: Pod\nmetadata: {{namespace: x, name: wanted}}\nspec: {{priority: {}, "
                  "containers: [{{name: c, resources: "
                  "{{requests: {{cpu: \"{}\", memory: {}Gi}}}}}}]}}\nstatus: {{phase: Pending}}\n",
                  cluster.wanted.priority, cluster.wanted.cpu, cluster.wanted.memory));
  return documents;
}

// The potential victims of a node, and which of them violate a budget: the most important pods use it up first.
auto potential_of(const SampleCluster& cluster, const SampleNode& node) -> std::vector<std::pair<Sample, bool>> {
  std::vector<Sample> pods;
  for (const Sample& each : node.pods) {
    if (each.priority < cluster.wanted.priority) pods.push_back(each);
  }
  std::sort(pods.begin(), pods.end(), [](const Sample& a, const Sample& b) {
    return std::tuple(-a.priority, a.start) < std::tuple(-b.priority, b.start);
  });
  std::array<int, 2> left = cluster.allowed;
  std::vector<std::pair<Sample, bool>> all;
  for (const Sample& each : pods) {
    const bool has_budget = each.budget < 2;
    all.emplace_back(each, has_budget && --left[static_cast<std::size_t>(each.budget)] < 0);
  }
  return all;
}

void add_sets(const SampleCluster& cluster, const SampleNode& node, std::vector<Price>& prices) {
  const auto potential = potential_of(cluster, node);
  for (std::uint32_t bits = 1; bits < 1U << potential.size(); ++bits) {
    std::int64_t cpu = node.cpu - cluster.wanted.cpu;
    std::int64_t memory = node.memory - cluster.wanted.memory;
    for (const Sample& each : node.pods) {
      cpu -= each.cpu;
      memory -= each.memory;
    }
    Price price{.violations = 0, .highest = INT64_MIN};
    for (std::size_t i = 0; i < potential.size(); ++i) {
      if ((bits >> i & 1U) == 0) continue;
      const auto& [pod, violates] = potential[i];
      cpu += pod.cpu;
      memory += pod.memory;
      price.violations += violates ? 1 : 0;
      price.highest = std::max(price.highest, pod.priority);
      price.priority_sum += pod.priority + (std::int64_t{1} << 31);
      ++price.count;
    }
    if (cpu >= 0 && memory >= 0) prices.push_back(price);
  }
}

}  // namespace

TEST_CASE("smallest set: equal to the best of all sets on small nodes", "[prove]") {
  std::mt19937_64 engine(55);
  int compared = 0;
  int smaller = 0;
  for (int round = 0; round < 1500; ++round) {
    const SampleCluster sample = random_cluster(engine);
    std::vector<Price> prices;
    for (const SampleNode& node : sample.nodes) add_sets(sample, node, prices);
    const auto cluster = test::a_cluster(documents_of(sample));
    const Result<SmallestSet> found = smallest_of(*cluster, "wanted");
    if (!found) continue;  // it fits, or nothing helps
    ++compared;
    INFO("round " << round);
    CHECK(found->open.empty());
    const auto by_count = [](const Price& a, const Price& b) {
      return std::tuple(a.count, a) < std::tuple(b.count, b);
    };
    const Price fewest = *std::min_element(prices.begin(), prices.end(), by_count);
    const Price cheapest = *std::min_element(prices.begin(), prices.end());
    REQUIRE(std::find(prices.begin(), prices.end(), found->price) != prices.end());
    REQUIRE(found->fewer.has_value() == (fewest.count < found->price.count));
    if (found->fewer) CHECK(found->fewer->found.price == fewest);
    REQUIRE(found->cheaper.has_value() == (cheapest < found->price));
    if (found->cheaper) CHECK(found->cheaper->found.price == cheapest);
    smaller += found->fewer ? 1 : 0;
  }
  CHECK(compared > 500);
  CHECK(smaller > 20);
}

TEST_CASE("smallest set: why the scheduler does not take it", "[prove]") {
  // On n1, the scheduler keeps big (priority 9) first, and evicts both others. On n2, it finds one pod of priority 20.
  const auto cluster = test::a_cluster(
      {test::a_node("n1", "4"), test::a_node("n2", "2"), test::a_pod("x/big").on("n1").priority(9).cpu("2").yaml(),
       test::a_pod("x/left").on("n1").priority(8).cpu("1").yaml(),
       test::a_pod("x/right").on("n1").priority(7).cpu("1").yaml(),
       test::a_pod("x/top").on("n2").priority(20).cpu("2").yaml(), test::a_pod("x/new").priority(30).cpu("2").yaml()});
  const auto found = smallest_of(*cluster, "new");
  REQUIRE(found);
  CHECK(names(*cluster, found->victims) == Names{"x/left", "x/right"});
  REQUIRE(found->fewer);
  CHECK(names(*cluster, found->fewer->found.pods) == Names{"x/big"});
  CHECK(cluster->snapshot->key(found->fewer->kept) == "x/big");
  CHECK(found->fewer->instead == found->victims);
  CHECK_FALSE(found->cheaper);  // a higher priority counts before the number of pods
}

TEST_CASE("smallest set: another node lost by a criterion", "[prove]") {
  const auto cluster = test::a_cluster(
      {test::a_node("n1", "2"), test::a_node("n2", "2"), test::a_pod("x/left").on("n1").priority(8).cpu("1").yaml(),
       test::a_pod("x/right").on("n1").priority(7).cpu("1").yaml(),
       test::a_pod("x/top").on("n2").priority(20).cpu("2").yaml(), test::a_pod("x/new").priority(30).cpu("2").yaml()});
  const auto found = smallest_of(*cluster, "new");
  REQUIRE(found);
  CHECK(found->price.count == 2);
  REQUIRE(found->fewer);
  CHECK(names(*cluster, found->fewer->found.pods) == Names{"x/top"});
  CHECK(found->fewer->lost_by == kube::Rule::pick_highest);
}

TEST_CASE("smallest set: a node with more than 1,000 potential victims is not searched", "[prove]") {
  std::vector<std::string> documents = {test::a_node("n1", "2000", 1100),
                                        test::a_pod("x/new").priority(9).cpu("1000").yaml()};
  for (int i = 0; i < 1001; ++i)
    documents.push_back(test::a_pod(fmt::format("x/p{}", i))
                            .on("n1")
                            .started(fmt::format("2026-03-0{}T{:02}:{:02}:00Z", 1 + i % 2, i / 60, i % 60))
                            .yaml());
  const auto cluster = test::a_cluster(documents);
  const auto found = smallest_of(*cluster, "new");
  REQUIRE(found);
  CHECK(found->victims.size() == 1);
  CHECK(found->open.size() == 1);
  CHECK_FALSE(found->fewer);
}

TEST_CASE("smallest set: pods for which nothing can be compared", "[prove]") {
  const auto cluster =
      test::a_cluster({test::a_node("n1", "2"), test::a_pod("x/low").on("n1").priority(1).cpu("1").yaml(),
                       test::a_pod("x/fits").priority(5).cpu("1").yaml()});
  const auto fits = smallest_of(*cluster, "fits");
  REQUIRE_FALSE(fits);
  CHECK(fits.error().message == "no set of victims of x/fits can be compared, because it evicts no pod now");
}

}  // namespace previct::prove
