// The node that a simulated pod gets. Without memory requests, a pod counts with 200Mi in scoring; all nodes have 16Gi.
#include "analysis/subject.h"
#include "sequence/kube_scenario.h"
#include "sequence/report.h"
#include "support/cluster.h"

#include <catch2/catch.hpp>

#include <algorithm>

namespace previct::sequence {
namespace {

using test::a_cluster;
using test::a_node;
using test::a_pod;
using test::TestCluster;

auto settings_of_all(const TestCluster& cluster) -> Settings {
  Settings settings;
  settings.question.now = parse_instant("2026-03-02T12:00:00Z").value();
  settings.question.k8s_version = "1.35";
  for (const Subject& subject : pending_subjects(*cluster.snapshot, "")) settings.pods.push_back(subject.pod);
  return settings;
}

auto play_all(TestCluster& cluster) -> SimulationResult {
  auto play = simulate_kube(cluster.objects, settings_of_all(cluster), {});
  if (!play) FAIL(play.error().message);
  return *std::move(play);
}

/// Returns `bound on n1`, or the name of another end.
auto place_of(const std::vector<End>& ends, const std::string& pod, const Snapshot& cluster) -> std::string {
  for (const End& end : ends) {
    if (end.name != pod) continue;
    const std::string name(end_name(end.kind));
    return end.node ? name + " on " + std::string(cluster.name(end.node)) : name;
  }
  return "not played";
}

}  // namespace

TEST_CASE("scores: a pod is placed on the node with the best score, so that others find it in use",
          "[sequence][scores]") {
  // d/s: n1 has (4-2)/4 of its CPU free, 50, and 97 % of its memory: 73; n2 75 and 98: 86. Balance: n1 75, n2 87. So it
  // gets n2, and d/b, which finds 3 CPUs free on either node, evicts d/a. On n1, d/s would have left n2 to d/b.
  const auto cluster = a_cluster({a_node("n1", "4"), a_node("n2", "4"), a_pod("d/a").on("n1").priority(1).yaml(),
                                  a_pod("d/s").priority(9).yaml(), a_pod("d/b").priority(8).cpu("3500m").yaml()});
  const SimulationResult play = play_all(*cluster);
  CHECK(place_of(play.ends, "d/s", *cluster->snapshot) == "bound on n2");
  CHECK(place_of(play.ends, "d/b", *cluster->snapshot) == "bound on n1");
  CHECK(std::any_of(play.steps.begin(), play.steps.end(), [&](const Step& step) {
    return step.what == EventKind::preempts && step.victims == std::vector{cluster->snapshot->find_pod("d", "a")};
  }));
  CHECK(play.node_open.empty());
}

TEST_CASE("scores: each pod is scored with the earlier pods on their nodes", "[sequence][scores]") {
  // n1 has 4 CPUs, n2 6. d/a: 75 and 98 on n1, 83 and 98 on n2: 86 to 90; balance 87 to 91. d/b: the same on n1; on n2
  // 66 and 97: 81; balance 100 - 100 * (1/3) / 2 = 83.
  const auto cluster = a_cluster(
      {a_node("n1", "4"), a_node("n2", "6"), a_pod("d/a").priority(9).yaml(), a_pod("d/b").priority(8).yaml()});
  const SimulationResult play = play_all(*cluster);
  CHECK(place_of(play.ends, "d/a", *cluster->snapshot) == "bound on n2");
  CHECK(place_of(play.ends, "d/b", *cluster->snapshot) == "bound on n1");
}

TEST_CASE("scores: if nodes tie, the scenario with another of them is simulated, too", "[sequence][scores]") {
  const auto cluster =
      a_cluster({a_node("n1", "4"), a_node("n2", "4"), a_pod("d/s").priority(9).yaml(),
                 a_pod("d/b").priority(8).cpu("3500m").spec("nodeSelector: {kubernetes.io/hostname: n2}").yaml()});
  const Result<Sequence> sequence = kube_sequence(cluster->objects, settings_of_all(*cluster));
  REQUIRE(sequence);
  REQUIRE(sequence->endings.size() == 2);
  CHECK(place_of(sequence->endings[0].ends, "d/b", *cluster->snapshot) == "bound on n2");
  CHECK(place_of(sequence->endings[1].ends, "d/b", *cluster->snapshot) == "unschedulable");
  CHECK(sequence->endings[1].when == "of several possible nodes, another is chosen");
  CHECK(sequence->play.node_open == std::set{cluster->snapshot->find_pod("d", "s")});
}

TEST_CASE("scores: a node that follows only from the known facts is reported as the likeliest", "[sequence][scores]") {
  // A Service that selects app=x would keep d/s away from d/w; the input has no Services.
  const auto cluster =
      a_cluster({a_node("n1", "4"), a_node("n2", "4"), a_pod("d/w").on("n1").cpu("0").labels("{app: x}").yaml(),
                 a_pod("d/s").labels("{app: x}").yaml()});
  const Settings settings = settings_of_all(*cluster);
  const SimulationResult play = play_all(*cluster);
  CHECK(play.node_open.size() == 1);
  const auto rules = [&] {
    std::vector<GapRule> found;
    for (const Gap& gap : gaps_of_play(*cluster->snapshot, settings, play, true)) found.push_back(gap.rule);
    return found;
  }();
  CHECK(std::count(rules.begin(), rules.end(), GapRule::likeliest_node) == 1);
  CHECK(std::count(rules.begin(), rules.end(), GapRule::spread_scores) == 1);
}

}  // namespace previct::sequence
