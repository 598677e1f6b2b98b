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
  int wants;  // GPUs of one pending pod each
  int priority = 100;
};

// Fair shares of GPUs on one node of `gpus`.
auto shares(int gpus, const std::vector<Leaf>& leaves) -> std::vector<double> {
  std::string yaml =
      "---\napiVersion: v1\nkind: Node\nmetadata: {name: node-1}\nstatus: {allocatable: {nvidia.com/gpu: \"" +
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
  const FairShares divided = divide(session);
  std::vector<double> out;
  for (const Leaf& leaf : leaves) out.push_back(divided.of[cluster_info.tree().find(leaf.name)][kGpu]);
  return out;
}

using Shares = std::vector<double>;

}  // namespace

TEST_CASE("each queue gets its quota first, as far as it wants it") {
  // 8 GPUs: 4 to a (quota 4), 2 to b (quota 4, wants 2); the 2 left go to a, which wants 6.
  CHECK(shares(8, {{"a", 4, 1, 6}, {"b", 4, 1, 2}}) == Shares{6, 2});
}

TEST_CASE("quotas beyond what there is are not scaled down") {
  CHECK(shares(4, {{"a", 4, 1, 4}, {"b", 4, 1, 4}}) == Shares{4, 4});
}

TEST_CASE("what is left is shared out by weight in whole units, the last ones by the largest fraction, then age") {
  // 7 by 1:1 is 3.5 each: 3 and 3, and the older queue gets the last.
  CHECK(shares(7, {{"old", 0, 1, 9}, {"young", 0, 1, 9}}) == Shares{4, 3});
  // 10 by 1:2 is 3.33 and 6.67: 3 and 6, the larger fraction gets the last.
  CHECK(shares(10, {{"light", 0, 1, 20}, {"heavy", 0, 2, 20}}) == Shares{3, 7});
}

TEST_CASE("weights whose sum is too large for a number give nobody more than the quota") {
  // Of an infinite sum each weight is no part, as upstream (resource_division.go calcShareWeights).
  CHECK(shares(6, {{"a", 2, 1e308, 6}, {"b", 1, 1e308, 6}}) == Shares{2, 1});
}

TEST_CASE("a queue without weight gets no more than its quota") {
  CHECK(shares(6, {{"a", 2, 0, 6}, {"b", 1, 1, 2}}) == Shares{2, 2});
}

TEST_CASE("queues of higher priority are served first") {
  CHECK(shares(6, {{"low", 0, 1, 6}, {"high", 0, 1, 5, 200}}) == Shares{1, 5});
}
