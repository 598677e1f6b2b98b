#include "engine/kai/fairness/fair_share.h"

#include "support/input.h"

#include <catch2/catch.hpp>

using namespace previct;
using namespace previct::kai;

namespace {

struct Leaf {
  const char* name;
  int quota;
  double weight;
  int wants;  // number of pending pods of one GPU each
  int priority = 100;
};

struct FairShareResult {
  std::vector<double> shares;
  std::vector<std::string> tied{};
};

// Returns the fair shares of GPUs on one node that has `gpus` of them.
auto fair_shares(int gpus, const std::vector<Leaf>& leaves, const std::string& more = "") -> FairShareResult {
  std::string yaml =
      more + "---\napiVersion: v1\nkind: Node\nmetadata: {name: node-1}\nstatus: {allocatable: {nvidia.com/gpu: \"" +
      std::to_string(gpus) + "\"}}\n";
  int age = 0;
  for (const Leaf& leaf : leaves) {
    yaml += "---\napiVersion: scheduling.run.ai/v2\nkind: Queue\nmetadata: {name: " + std::string(leaf.name) +
            ", creationTimestamp: \"2026-01-01T00:00:0" + std::to_string(age++) +
            "Z\"}\nspec:\n  priority: " + std::to_string(leaf.priority) +
            "\n  resources: {gpu: {quota: " + std::to_string(leaf.quota) +
            ", limit: -1, overQuotaWeight: " + std::to_string(leaf.weight) + "}}\n";
    for (int i = 0; i < leaf.wants; ++i) {
      const std::string name = std::string(leaf.name) + std::to_string(i);
      yaml += "---\napiVersion: scheduling.run.ai/v2alpha2\nkind: PodGroup\nmetadata: {name: " + name +
              "}\nspec: {queue: " + leaf.name + "}\n";
      yaml += "---\napiVersion: v1\nkind: Pod\nmetadata: {name: " + name + ", uid: u" + name +
              ", annotations: {pod-group-name: " + name +
              "}}\nspec: {containers: [{name: c, resources: {requests: {nvidia.com/gpu: \"1\"}}}]}\nstatus: {phase: "
              "Pending}\n";
    }
  }
  Objects objects;
  REQUIRE(test::read_text(yaml, objects));
  const Snapshot cluster(objects);
  const Settings settings = *effective_settings(cluster, "");
  Moment moment(Instant{1'800'000'000, 0});
  const kai::ClusterInfo cluster_info(cluster, settings, moment, nullptr);
  const kai::Session session(cluster_info);
  const FairShares fair = divide(session);
  FairShareResult out;
  for (const Leaf& leaf : leaves) out.shares.push_back(fair.of[cluster_info.tree().find(leaf.name)][kGpu]);
  for (const QueueId queue : fair.tied) out.tied.emplace_back(cluster_info.tree()[queue].name);
  return out;
}

auto shares(int gpus, const std::vector<Leaf>& leaves) -> std::vector<double> {
  return fair_shares(gpus, leaves).shares;
}

using Shares = std::vector<double>;

}  // namespace

TEST_CASE("kai fair share: each queue gets its quota first, up to its request", "[kai]") {
  // 8 GPUs: 4 for a (quota 4), 2 for b (quota 4, requests 2). a, which requests 6, also gets the 2 that are left.
  CHECK(shares(8, {{"a", 4, 1, 6}, {"b", 4, 1, 2}}) == Shares{6, 2});
}

TEST_CASE("kai fair share: quotas that exceed the total are not scaled down", "[kai]") {
  CHECK(shares(4, {{"a", 4, 1, 4}, {"b", 4, 1, 4}}) == Shares{4, 4});
}

TEST_CASE("kai fair share: the rest is shared by weight in whole units, the last ones by fraction, then age", "[kai]") {
  // 7 by 1:1 is 3.5 each: 3 and 3, and the older queue gets the last.
  CHECK(shares(7, {{"old", 0, 1, 9}, {"young", 0, 1, 9}}) == Shares{4, 3});
  // 10 by 1:2 is 3.33 and 6.67: 3 and 6, the larger fraction gets the last.
  CHECK(shares(10, {{"light", 0, 1, 20}, {"heavy", 0, 2, 20}}) == Shares{3, 7});
}

TEST_CASE("kai fair share: infinite weights give no queue more than its quota", "[kai]") {
  // Divided by an infinite sum, each weight is 0, as upstream (resource_division.go calcShareWeights).
  const std::vector<Leaf> leaves = {{"a", 2, 1e308, 6}, {"b", 1, 1e308, 6}};
  CHECK(shares(6, leaves) == Shares{2, 1});
  // An infinite kValue makes a weight infinite, which upstream divides by itself; it gives no more than the quota
  // either.
  const std::string infinite =
      "---\napiVersion: kai.scheduler/v1\nkind: SchedulingShard\nmetadata: {name: default}\nspec: {plugins: "
      "{proportion: {arguments: {kValue: inf}}}}\n";
  CHECK(fair_shares(6, {{"a", 2, 1, 6}, {"b", 1, 1, 6}}, infinite).shares == Shares{2, 1});
}

TEST_CASE("kai fair share: a queue without weight gets no more than its quota", "[kai]") {
  CHECK(shares(6, {{"a", 2, 0, 6}, {"b", 1, 1, 2}}) == Shares{2, 2});
}

TEST_CASE("kai fair share: queues of higher priority come first", "[kai]") {
  CHECK(shares(6, {{"low", 0, 1, 6}, {"high", 0, 1, 5, 200}}) == Shares{1, 5});
}

TEST_CASE("kai fair share: of fractions that differ only by rounding, the larger one gets the last unit", "[kai]") {
  // 9 by 0.5:3:1:3 is 0.6, 3.6, 1.2 and 3.6, so three fractions of 0.6 compete for two units. In binary, 3.6 - 3 is
  // larger than 0.6, in whichever order the weights are added, so that age does not decide.
  const FairShareResult tenths = fair_shares(9, {{"a", 0, 0.5, 9}, {"b", 0, 3, 9}, {"c", 0, 1, 9}, {"d", 0, 3, 9}});
  CHECK(tenths.shares == Shares{0, 4, 1, 4});
  CHECK(tenths.tied.empty());
}

TEST_CASE("kai fair share: fractions that differ only by rounding are a tie in any order of addition", "[kai]") {
  // 2 by 1:9:1:2:1 is 1 2/7 for b and 2/7 for d, and one of them gets one unit more. Added from either end, the weights
  // give b the larger rest, or an equal one; in some other order they do not.
  const FairShareResult seventh =
      fair_shares(2, {{"a", 0, 0.1, 3}, {"b", 0, 0.9, 3}, {"c", 0, 0.1, 3}, {"d", 0, 0.2, 3}, {"e", 0, 0.1, 3}});
  CHECK(seventh.shares == Shares{0, 2, 0, 0, 0});
  CHECK(seventh.tied == std::vector<std::string>{"b", "d"});
  // Equal weights are equal in any order: the older queue gets the last unit.
  CHECK(fair_shares(7, {{"old", 0, 1, 9}, {"young", 0, 1, 9}}).tied.empty());
}
