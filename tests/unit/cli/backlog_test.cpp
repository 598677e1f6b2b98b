#include "cli/backlog.h"

#include "support/bound_then_evicted.h"
#include "support/cluster.h"

#include <catch2/catch.hpp>

namespace previct::cli {
namespace {

using test::a_cluster;
using test::a_node;
using test::a_pod;
using Way = SimulatedOutcome::Way;

const std::string kNow = "2026-03-02T12:00:00Z";

// Returns the outcomes of these pods, in their order.
auto outcomes(test::TestCluster& cluster, const std::vector<std::string>& pods)
    -> std::vector<std::optional<SimulatedOutcome>> {
  Asked asked;
  asked.question.now = parse_instant(kNow).value();
  std::vector<Answer> answers;
  for (const std::string& pod : pods) answers.push_back(test::ask_kube(cluster, pod, kNow));
  auto turns = simulate_backlog(cluster.objects, *cluster.snapshot, asked, answers);
  if (!turns) FAIL(turns.error().message);
  return *std::move(turns);
}

}  // namespace

TEST_CASE("backlog: a pending pod may be scheduled, then evicted for another one", "[backlog]") {
  const auto cluster = test::bound_then_evicted();
  const auto turns = outcomes(*cluster, {"d/first", "d/partner", "d/low"});
  REQUIRE((turns[0] && turns[1] && turns[2]));
  CHECK(turns[0]->way == Way::preempts);
  CHECK(turns[0]->node == "n1");
  CHECK(turns[0]->victims == std::vector{cluster->snapshot->find_pod("d", "low")});
  CHECK(turns[1]->way == Way::enters);
  CHECK(turns[1]->node == "n1");
  CHECK(turns[1]->seconds == 0);
  CHECK(turns[2]->way == Way::evicted);
  CHECK(turns[2]->node.empty());
  CHECK(turns[2]->victims.empty());
}

TEST_CASE("backlog: a pod that stays pending has no node, nor has one that could get another", "[backlog]") {
  const auto cluster = a_cluster({a_node("n1", "2"), a_node("n2", "2"), a_pod("d/big").cpu("4").yaml(),
                                  a_pod("d/one").priority(1).cpu("1").yaml()});
  const auto turns = outcomes(*cluster, {"d/big", "d/one"});
  REQUIRE((turns[0] && turns[1]));
  CHECK(turns[0]->way == Way::stays);
  CHECK(turns[0]->node.empty());
  CHECK(turns[1]->way == Way::enters);
  CHECK(turns[1]->node.empty());
}

// The victim has a day to end, so that the pod still waits after the hour that is simulated.
TEST_CASE("backlog: a pod that waits for its victim is not bound", "[backlog]") {
  const auto cluster =
      a_cluster({a_node("n1", "1"), a_pod("d/slow").on("n1").spec("terminationGracePeriodSeconds: 86400").yaml(),
                 a_pod("d/p").priority(9).spec("nodeSelector: {kubernetes.io/hostname: n1}").yaml(), a_node("n2", "1"),
                 a_pod("d/q").priority(8).spec("nodeSelector: {kubernetes.io/hostname: n2}").yaml()});
  const auto turns = outcomes(*cluster, {"d/p", "d/q"});
  REQUIRE((turns[0] && turns[1]));
  CHECK(turns[0]->way == Way::preempts);
  CHECK(turns[0]->waiting == "waits for 1 terminating pod on n1, until 2026-03-03 12:00:00");
  CHECK(turns[1]->way == Way::enters);
  CHECK(turns[1]->waiting.empty());
}

// p never preempts, but is first in the queue when the victim of q has left.
TEST_CASE("backlog: a pod may evict another one in vain", "[backlog]") {
  const auto cluster = a_cluster({a_node("n1", "1"), a_pod("d/victim").on("n1").yaml(),
                                  a_pod("d/p").priority(9).never_preempts().yaml(), a_pod("d/q").priority(8).yaml()});
  const auto turns = outcomes(*cluster, {"d/p", "d/q"});
  REQUIRE((turns[0] && turns[1]));
  CHECK(turns[0]->way == Way::enters);
  CHECK(turns[1]->way == Way::stays);
  CHECK(turns[1]->victims == std::vector{cluster->snapshot->find_pod("d", "victim")});
}

// Whether 1.35 reads the operator depends on a feature gate.
TEST_CASE("backlog: a pod that is not simulated does not stay pending", "[backlog]") {
  const std::string tolerates = "tolerations: [{key: level, operator: Gt, value: '5', effect: NoSchedule}]";
  const auto cluster = a_cluster({a_node("n1", "4"), a_pod("d/runs").on("n1").yaml(),
                                  a_pod("d/p").spec(tolerates).yaml(), a_pod("d/q").spec(tolerates).yaml()});
  const auto turns = outcomes(*cluster, {"d/p", "d/q"});
  REQUIRE((turns[0] && turns[1]));
  CHECK(turns[0]->way == Way::unknown);
  CHECK(turns[0]->unknown.has_value());
}

TEST_CASE("backlog: a single pod is not simulated", "[backlog]") {
  const auto cluster = a_cluster({a_node("n1", "2"), a_pod("d/one").yaml(), a_pod("d/runs").on("n1").yaml()});
  CHECK_FALSE(outcomes(*cluster, {"d/one"})[0]);
}

}  // namespace previct::cli
