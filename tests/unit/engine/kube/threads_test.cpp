#include "support/cluster.h"
#include "tell/tell.h"

#include <catch2/catch.hpp>

using namespace previct;
using namespace previct::test;

TEST_CASE("threads: the answer is the same, byte for byte, for any number of them") {
  // Threads get at least 64 nodes at a time: 500 nodes keep 7 threads busy. Priorities, start times and tolerations
  // differ from node to node, and many nodes tie.
  std::vector<std::string> documents = {
      a_class("low", 10), a_class("shielded", 10,
                                  "{preemption-toleration.scheduling.x-k8s.io/minimum-preemptable-priority: '100', "
                                  "preemption-toleration.scheduling.x-k8s.io/toleration-seconds: '600'}")};
  for (int n = 0; n < 500; ++n) {
    const std::string node = fmt::format("node-{}", n);
    documents.push_back(a_node(node, "4"));
    for (int p = 0; p < 3; ++p) {
      documents.push_back(a_pod(fmt::format("ns/pod-{}-{}", n, p))
                              .on(node)
                              .cpu(p == 0 ? "2" : "1")
                              .priority(10)
                              .priority_class((n + p) % 3 == 0 ? "shielded" : "low")
                              .scheduled(fmt::format("2026-03-02T11:5{}:00Z", (n + p) % 10))
                              .started(fmt::format("2026-03-02T11:5{}:00Z", n % 7))
                              .yaml());
    }
  }
  documents.push_back(a_pod("ns/new").priority(50).cpu("3").yaml());
  const auto cluster = a_cluster(documents);

  const auto said = [&](unsigned threads) {
    Question q;
    q.ns = "ns";
    q.name = "new";
    q.now = parse_instant("2026-03-02T12:00:00Z").value();
    q.toleration_plugin = "on";
    q.threads = threads;
    for (const Engine* engine : engines()) {
      if (engine->name() != "kube") continue;
      const auto answer = explain(*engine, *cluster->snapshot, q);
      REQUIRE(answer);
      return fmt::format("{}\n{}\n{}", answer->sentence, answer->scheduler_message, answer->evidence.dump());
    }
    return std::string();
  };
  const std::string one = said(1);
  CHECK(one.find("would preempt") != std::string::npos);
  CHECK(said(2) == one);
  CHECK(said(7) == one);
}
