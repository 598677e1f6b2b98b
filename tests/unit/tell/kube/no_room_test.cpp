#include "report/aligned.h"
#include "support/cluster.h"
#include "tell/tell.h"

#include <catch2/catch.hpp>

using namespace previct;
using namespace previct::test;

namespace {

auto ask(const TestCluster& cluster, const std::string& version) -> Answer {
  Question question;
  question.ns = "ns";
  question.name = "new";
  question.now = parse_instant("2026-03-02T12:00:00Z").value();
  question.k8s_version = version;
  question.toleration_plugin = "off";
  for (const Engine* engine : engines()) {
    if (engine->name() != "kube") continue;
    auto answer = explain(*engine, *cluster.snapshot, question);
    if (!answer) FAIL(answer.error().message);
    return *answer;
  }
  FAIL("no kube engine");
  return {};
}

}  // namespace

// Up to 1.31, preemption is tried on a node that is too small, so that the scheduler's message does not show it; later
// it is not. In both cases no pod waits for pods there to finish.
TEST_CASE("node reasons: nodes that are too small are not reported as in use", "[kube]") {
  const auto cluster = a_cluster({a_node("a", "2"), a_node("b", "3"), a_pod("ns/small").on("a").priority(900).yaml(),
                                  a_pod("ns/new").cpu("4").priority(9).yaml()});
  for (const char* version : {"1.31", "1.36"}) {
    INFO(version);
    const Answer answer = ask(*cluster, version);
    CHECK(answer.sentence == "stays pending: no node has 4 cpu (at most 3)");
    REQUIRE(answer.reasons);
    REQUIRE(answer.reasons->rows.size() == 1);
    CHECK(answer.reasons->rows[0][0].text == "less than 4 cpu");
    CHECK(answer.reasons->rows[0][1].text == "2");
    CHECK(answer.reasons->rows[0][2].text == "preemption cannot change this");
  }
}

TEST_CASE("node reasons: a resource is named only where it is lacking", "[kube]") {
  const std::string apart =
      "affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: "
      "kubernetes.io/hostname, labelSelector: {matchLabels: {app: x}}}]}}";
  const auto cluster = a_cluster({a_node("a", "2"), a_pod("ns/old").on("a").priority(900).labels("{app: x}").yaml(),
                                  a_pod("ns/new").priority(9).labels("{app: x}").spec(apart).yaml()});
  CHECK(
      ask(*cluster, "1.36").sentence ==
      "stays pending: a has a pod that the pod's anti-affinity excludes (hostname); no pod of lower priority to evict");

  const auto full =
      a_cluster({a_node("a", "1"), a_pod("ns/old").on("a").priority(900).yaml(), a_pod("ns/new").priority(9).yaml()});
  CHECK(ask(*full, "1.36").sentence ==
        "stays pending: a lacks cpu (1 requested, none free); no pod of lower priority to evict");
}

TEST_CASE("node reasons: those counted in a table are not repeated below the nodes", "[kube]") {
  const auto cluster = a_cluster({a_node("a", "2") + "spec: {unschedulable: true}\n",
                                  a_node("b", "2") + "spec: {taints: [{key: k, effect: NoSchedule}]}\n",
                                  a_pod("ns/new").priority(9).yaml()});
  const Answer answer = ask(*cluster, "1.36");
  REQUIRE(answer.reasons);
  REQUIRE(answer.node_table);
  REQUIRE(answer.node_table->footer.size() == 1);
  CHECK(text_of(answer.node_table->footer[0]) == "+ 2 nodes where preemption cannot help (--show all)");
}
