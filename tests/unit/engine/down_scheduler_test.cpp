#include "engine/engine.h"
#include "support/cluster.h"
#include "tell/gap_words.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>

using namespace previct;

namespace {

auto scheduler(std::string_view name, std::string_view ready, std::string_view ns = "kube-system") -> std::string {
  return fmt::format(
      "{{apiVersion: v1, kind: Pod, metadata: {{name: {}, namespace: {}}}, spec: {{nodeName: node, containers: "
      "[{{name: "
      "kube-scheduler, image: \"registry.k8s.io/kube-scheduler:v1.34.2\"}}]}}, status: {{phase: Running, conditions: "
      "[{{type: Ready, status: \"{}\", reason: ContainersNotReady}}]}}}}\n",
      name, ns, ready);
}

// What the answer about pod ml/p assumes of the scheduler; empty: nothing.
auto assumed(std::vector<std::string> documents, std::string_view pod_of = "") -> std::string {
  documents.push_back(test::a_node("node", "4"));
  auto pod = test::a_pod("ml/p");
  documents.push_back(pod_of.empty() ? pod.yaml() : pod.spec(fmt::format("schedulerName: {}", pod_of)).yaml());
  const auto cluster = test::a_cluster(documents);
  Question question;
  question.ns = "ml";
  question.name = "p";
  question.now = *parse_instant("2026-03-02T12:00:00Z");
  const auto verdict = find_engine("kube")->decide(*cluster->snapshot, question);
  REQUIRE(verdict);
  const auto found = std::find_if(verdict->gaps.begin(), verdict->gaps.end(), [](const Gap& gap) {
    return gap.rule == GapRule::scheduler_not_ready || gap.rule == GapRule::scheduler_scaled_down;
  });
  return found == verdict->gaps.end() ? std::string() : what_words(*found);
}

}  // namespace

TEST_CASE("down scheduler: an answer says that no pod of the scheduler is ready", "[engine]") {
  CHECK(assumed({}).empty());
  CHECK(assumed({scheduler("s-1", "True")}).empty());
  CHECK(assumed({scheduler("s-1", "False")}) ==
        "the scheduler runs, although 1 pod of it is not ready (the first: kube-system/s-1: ContainersNotReady)");
  // Of several, one decides, and the others wait for its lease.
  CHECK(assumed({scheduler("s-1", "False"), scheduler("s-2", "True")}).empty());
  // The same image runs as another scheduler, in another namespace or for another schedulerName.
  CHECK(assumed({scheduler("s-1", "False", "team")}).empty());
  CHECK(assumed({scheduler("s-1", "False")}, "mine").empty());
}

TEST_CASE("down scheduler: an answer says that its Deployment has no replica", "[engine]") {
  const auto deployment = [](int replicas) {
    return fmt::format(
        "{{apiVersion: apps/v1, kind: Deployment, metadata: {{name: s, namespace: kube-system}}, spec: {{replicas: {}, "
        "template: {{spec: {{containers: [{{name: c, image: \"registry.k8s.io/kube-scheduler:v1.34.2\"}}]}}}}}}}}\n",
        replicas);
  };
  CHECK(assumed({deployment(1)}).empty());
  CHECK(assumed({deployment(0)}) == "the scheduler runs, although its Deployment kube-system/s has 0 replicas");
  CHECK(assumed({deployment(0), scheduler("s-1", "True")}).empty());
}
