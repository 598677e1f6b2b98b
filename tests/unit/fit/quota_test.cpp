#include "analysis/changes.h"
#include "fit/fit.h"
#include "support/kueue.h"

#include <catch2/catch.hpp>

// Which changes admit a workload of Kueue. Derived by hand.

namespace previct::fit {
namespace {

using test::flavor;
using test::KueueAsked;
using test::queue;
using test::workload;

auto ways(const std::string& manifests, Limits limits = {}) -> std::vector<std::string> {
  KueueAsked asked(manifests);
  asked.question.kind = "workload";
  asked.question.ns = "ns";
  asked.question.name = "want";
  asked.question.now = *parse_instant("2026-05-01T12:00:00Z");
  const Stores before = asked.objects;
  const Snapshot cluster(asked.objects);
  const auto found = fit({.objects = asked.objects,
                          .cluster = cluster,
                          .engine = kueue_engine,
                          .engine_name = "kueue",
                          .question = asked.question,
                          .pod = {},
                          .limits = limits});
  CHECK(changes_between(before, asked.objects).empty());
  REQUIRE(found);
  std::vector<std::string> lines;
  for (const Solution& solution : found->solutions) {
    std::string line;
    for (const Step& step : solution.steps)
      line += fmt::format("{}{}: {}", line.empty() ? "" : " + ", kind_name(step.kind), step.what);
    lines.push_back(line);
  }
  return lines;
}

}  // namespace

TEST_CASE("fit, Kueue: finds the changes that admit a workload", "[fit][kueue]") {
  // 4 cpu, of which run (priority 0, older) uses 3. want: 2 pods of 1 cpu.
  const std::string objects = flavor() + queue({.cpu = "4"}) + workload({.name = "run", .cpu = "3", .holds = true}) +
                              workload({.name = "want", .cpu = "1", .minute = 1, .count = 2});
  // Priority alone does not help, because the queue does not preempt. LowerPriority alone does not help, because the
  // priorities are equal.
  CHECK(ways(objects) == std::vector<std::string>{"count: pods of pod set main 2 -> 1",
                                                  "quota: nominalQuota of cpu on flavor f 4 -> 5", "finish: ns/run"});
}

TEST_CASE("fit, Kueue: raises the priority of a workload no further than needed", "[fit][kueue]") {
  // run of priority 5 uses all 4 cpu; `other` of priority 9 is in another queue without a cohort.
  const std::string objects =
      flavor() + queue({.cpu = "4", .preemption = "withinClusterQueue: LowerPriority"}) +
      queue({.name = "o", .cpu = "1"}) + workload({.name = "run", .cpu = "4", .priority = 5, .holds = true}) +
      workload({.name = "other", .queue = "o", .priority = 9, .holds = true}) + workload({.name = "want", .cpu = "1"});
  const std::vector<std::string> found = ways(objects);
  REQUIRE(!found.empty());
  CHECK(found.front() == "priority: priority 0 -> 6");
  // Without victims, a higher priority does not help.
  CHECK(ways(objects, {.victims = false}) ==
        std::vector<std::string>{"quota: nominalQuota of cpu on flavor f 4 -> 5", "finish: ns/run"});
}

TEST_CASE("fit, Kueue: raises a borrowing limit", "[fit][kueue]") {
  // q has 1 of its own and may borrow 1. o lends 4. want requests 3.
  const std::string objects = flavor() + queue({.cpu = "1", .cohort = "team", .limits = ", borrowingLimit: 1"}) +
                              queue({.name = "o", .cpu = "4", .cohort = "team"}) +
                              workload({.name = "want", .cpu = "3"});
  CHECK(ways(objects) == std::vector<std::string>{"borrowing-limit: borrowingLimit of cpu on flavor f 1 -> 2",
                                                  "quota: nominalQuota of cpu on flavor f 1 -> 2"});
}

TEST_CASE("fit, Kueue: resumes a queue, and activates a workload", "[fit][kueue]") {
  const std::string want = workload({.name = "want"});
  CHECK(ways(flavor() + queue({.more = ", stopPolicy: Hold"}) + want) ==
        std::vector<std::string>{"stop-policy: stopPolicy Hold -> None"});
  std::string local = queue({});
  local.replace(local.find("{clusterQueue: q}"), 17, "{clusterQueue: q, stopPolicy: HoldAndDrain}");
  CHECK(ways(flavor() + local + want) == std::vector<std::string>{"stop-policy: stopPolicy HoldAndDrain -> None"});
  CHECK(ways(flavor() + queue({}) + workload({.name = "want", .spec = ", active: false"})) ==
        std::vector<std::string>{"active: active false -> true"});
}

TEST_CASE("fit, Kueue: raises the quota of pods", "[fit][kueue]") {
  // The queue may have 1 pod; want has 2.
  const std::string q =
      test::kueue_object("ClusterQueue", "q",
                         "namespaceSelector: {}, resourceGroups: [{coveredResources: [pods], flavors: [{name: f, "
                         "resources: [{name: pods, nominalQuota: 1}]}]}]") +
      test::kueue_object("LocalQueue", "q", "clusterQueue: q", "ns");
  CHECK(
      ways(flavor() + q + workload({.name = "want", .cpu = "0", .count = 2})) ==
      std::vector<std::string>{"count: pods of pod set main 2 -> 1", "quota: nominalQuota of pods on flavor f 1 -> 2"});
}

TEST_CASE("fit, Kueue: quota alone gives the pods no node", "[fit][kueue]") {
  // The pod of run uses the 4 cpu of the only node. More quota admits want, whose pod then stays pending; the end of
  // run also ends its pod.
  const std::string cluster =
      "---\n{apiVersion: v1, kind: Node, metadata: {name: n1}, status: {allocatable: {cpu: \"4\", memory: 8Gi, pods: "
      "\"110\"}, conditions: [{type: Ready, status: \"True\"}]}}\n"
      "---\n{apiVersion: v1, kind: Pod, metadata: {name: x, namespace: ns, uid: x, annotations: "
      "{kueue.x-k8s.io/workload: run}}, spec: {nodeName: n1, priority: 0, containers: [{name: c, resources: {requests: "
      "{cpu: 4}}}]}, status: {phase: Running}}\n";
  CHECK(ways(cluster + flavor() + queue({.cpu = "4"}) + workload({.name = "run", .cpu = "4", .holds = true}) +
             workload({.name = "want", .cpu = "4", .minute = 1})) ==
        std::vector<std::string>{"finish: ns/run", "quota: nominalQuota of cpu on flavor f 4 -> 8"});
}

}  // namespace previct::fit
