#include "analysis/alike_pods.h"

#include "support/cluster.h"

#include <catch2/catch.hpp>

namespace previct::test {
namespace {

auto pod_text(const std::string& name, const std::string& metadata = "", const std::string& spec = "") -> std::string {
  return "apiVersion: v1\nkind: Pod\nmetadata: {namespace: ns, name: " + name + metadata +
         "}\nspec:\n  containers: [{name: c, image: i, resources: {requests: {cpu: 1}}}]\n" + spec;
}

auto keys_of(const std::vector<std::string>& pods) -> std::vector<std::string> {
  const auto cluster = a_cluster(pods);
  std::vector<std::string> keys;
  for (const PodId pod : cluster->snapshot->pods().ids()) keys.push_back(alike_key(*cluster->snapshot, pod));
  return keys;
}

}  // namespace

TEST_CASE("alike pods: only the name, the uid and the version may differ", "[alike]") {
  const auto keys =
      keys_of({pod_text("a", ", uid: u1, resourceVersion: \"7\""), pod_text("b", ", uid: u2, resourceVersion: \"8\""),
               pod_text("without-uid"), pod_text("labelled", ", uid: u3, labels: {app: x}"),
               pod_text("younger", ", uid: u4, creationTimestamp: \"2026-03-02T10:00:00Z\""),
               pod_text("important", ", uid: u5", "  priority: 7\n"),
               pod_text("nominated", ", uid: u6", "status: {nominatedNodeName: node-1}\n")});
  REQUIRE(keys.size() == 7);
  CHECK_FALSE(keys[0].empty());
  CHECK(keys[0] == keys[1]);
  for (std::size_t i = 2; i < keys.size(); ++i) {
    INFO(i);
    CHECK(keys[i] != keys[0]);
  }
}

TEST_CASE("alike pods: a pod with claims of its own, or of a group, is like no other", "[alike]") {
  const auto keys =
      keys_of({pod_text("volume", "", "  volumes: [{name: v, ephemeral: {volumeClaimTemplate: {spec: {}}}}]\n"),
               pod_text("device", "", "  resourceClaims: [{name: d, resourceClaimTemplateName: t}]\n"),
               pod_text("member", "", "  schedulingGroup: {podGroupName: g}\n"),
               pod_text("older-member", "", "  workloadRef: {name: w, podGroup: g}\n"),
               pod_text("plain", "", "  volumes: [{name: v, emptyDir: {}}]\n")});
  REQUIRE(keys.size() == 5);
  for (std::size_t i = 0; i < 4; ++i) {
    INFO(i);
    CHECK(keys[i].empty());
  }
  CHECK_FALSE(keys[4].empty());
}

TEST_CASE("release_node_lists: whether there are several nodes, and what they cost, can still be seen", "[alike]") {
  const auto possible = [](std::uint32_t node, std::size_t victims = 0, std::int32_t violations = 0) {
    PossibleNode each;
    each.node = NodeId{node};
    each.victims.resize(victims);
    each.pdb_violations = violations;
    return each;
  };
  Answer answer;
  answer.tied = {NodeId{0}, NodeId{1}, NodeId{2}};
  answer.feasible = {NodeId{0}, NodeId{1}, NodeId{2}};
  answer.odds = Odds{.nodes = {possible(0), possible(1), possible(2)}, .candidates = 3, .sample = 2};
  release_node_lists(answer, true);
  CHECK(answer.feasible.empty());
  CHECK(answer.tied == std::vector{NodeId{0}, NodeId{1}});
  REQUIRE(answer.odds->nodes.size() == 1);
  CHECK(answer.odds->nodes.front().node == NodeId{0});
  CHECK(answer.odds->candidates == 3);
  // The victims on each node are shown.
  answer.odds = Odds{.nodes = {possible(0), possible(1, 1), possible(2)}};
  release_node_lists(answer, true);
  CHECK(answer.odds->nodes.size() == 3);
  // Unless they do not matter.
  release_node_lists(answer, false);
  REQUIRE(answer.odds->nodes.size() == 1);
  CHECK(answer.odds->nodes.front().node == NodeId{0});
  answer.odds = Odds{.nodes = {possible(0), possible(1, 0, 1)}};
  release_node_lists(answer, true);
  CHECK(answer.odds->nodes.size() == 2);
  answer.tied = {NodeId{0}};
  answer.odds.reset();
  release_node_lists(answer, true);
  CHECK(answer.tied.size() == 1);
}

}  // namespace previct::test
