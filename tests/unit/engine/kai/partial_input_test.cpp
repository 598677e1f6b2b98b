// Inputs that have only some of a cluster's objects: what is certain about a complete input is open.
#include "analysis/queue_fleet.h"
#include "support/kai.h"
#include "support/kai_cycle.h"

using namespace previct;
using namespace previct::test::cycles;

namespace {

auto of_other_namespace(std::string text) -> std::string {
  for (std::size_t at = text.find("namespace: ml"); at != std::string::npos; at = text.find("namespace: ml", at))
    text.replace(at, 13, "namespace: other");
  return text;
}

// Group p of queue want asks for the only GPU of node a.
auto asked(const std::string& more, const std::string& on = node("a", 1)) -> Answer {
  return test::AskedGroup(std::string(kTrain) + queue("want", 1) + queue("have", 0) + on +
                              alone({.name = "p", .request = kGpuEach}) + more,
                          "p")
      .explain();
}

}  // namespace

TEST_CASE("kai, partial input: nodes of a cluster on which no pod runs leave open what fits", "[kai][partial]") {
  std::string registered = node("a", 1);
  registered.replace(registered.find("metadata: {"), 11, "metadata: {uid: u, ");
  registered.replace(registered.find("status: {"), 9, "status: {nodeInfo: {kubeletVersion: v1.34.2}, ");
  CHECK(asked("").outcome == Outcome::fits);  // a node written by hand
  const Answer answer = asked("", registered);
  CHECK(answer.outcome == Outcome::unknown);
  CHECK(answer.sentence.starts_with("cannot tell, because the input has no running pods"));
  CHECK(asked(alone({.name = "e", .node = "a"}, "have"), registered).outcome == Outcome::fits);
  test::AskedGroup all(std::string(kTrain) + queue("want", 1) + registered + alone({.name = "p", .request = kGpuEach}),
                       "");
  all.question.kind = "";
  all.question.ns = "";
  const auto fleet = queue_fleet(kai_engine, *all.cluster, all.question);
  REQUIRE(fleet);
  REQUIRE(fleet->pending.size() == 1);
  CHECK(fleet->pending.front().outcome == Outcome::unknown);
}

TEST_CASE("kai, partial input: running pods without any PodGroup of their namespace may be victims", "[kai][partial]") {
  // e uses the GPU above the quota 0 of its queue, so that p reclaims it.
  const std::string e = pod({.name = "e", .group = "e", .node = "a", .request = kGpuEach});
  CHECK(asked(group("e", "have") + e).outcome == Outcome::preempts);
  const Answer answer = asked(of_other_namespace(e));
  CHECK(answer.outcome == Outcome::unknown);
  CHECK(
      answer.sentence.starts_with("cannot tell, because the input lacks the PodGroups of 1 running pod (the first: "
                                  "other/e)"));
  // The list of all pods and Namespaces is no list of all PodGroups.
  const std::string lists =
      "---\n{apiVersion: v1, kind: NamespaceList, items: []}\n---\n{apiVersion: v1, kind: PodList, items: []}\n";
  CHECK(asked(of_other_namespace(e) + lists).outcome == Outcome::unknown);
  // Other PodGroups of the namespace are in the input: this one does not exist, and KAI ignores the pod.
  CHECK(asked(e).outcome == Outcome::pending);
}

TEST_CASE("kai, partial input: PodGroups that have started have pods", "[kai][partial]") {
  std::string started = group("e", "have");
  started.replace(started.find("name: e"), 7,
                  "name: e, annotations: {kai.scheduler/last-start-timestamp: \"2026-03-02T09:00:00Z\"}");
  CHECK(asked(group("e", "have")).outcome == Outcome::fits);
  const Answer answer = asked(started);
  CHECK(answer.outcome == Outcome::unknown);
  CHECK(answer.sentence.starts_with(
      "cannot tell, because the input lacks the pods of 1 PodGroup that has started (the first: ml/e)"));
  CHECK(asked(started + pod({.name = "e", .group = "e", .phase = "Succeeded"})).outcome == Outcome::fits);
}
