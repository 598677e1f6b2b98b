// What older releases do in their own way. The verdict of a release whose answers were not compared is a condition.

#include "api/load.h"
#include "support/kai.h"

#include <catch2/catch.hpp>

#include <string>

using namespace previct;

namespace {

/// Returns the outcome by the rules of the release: that of an answer, or the one under the condition.
auto outcome_by(test::AskedGroup& asked, const std::string& version) -> Outcome {
  asked.question.kai_version = version;
  const Answer answer = asked.explain();
  if (answer.outcome != Outcome::unknown) return answer.outcome;
  REQUIRE(answer.assumed.size() == 1);
  return answer.assumed.front().outcome;
}

auto of_file(const std::string& file, const std::string& group) -> test::AskedGroup {
  test::AskedGroup asked("---\n{apiVersion: v1, kind: Namespace, metadata: {name: ml}}\n", group);
  static_cast<Stores&>(asked.objects) = Stores();
  REQUIRE(load({std::string(PREVICT_SOURCE_DIR "/fixtures/kai/examples/") + file}, {}, asked.objects));
  asked.cluster = std::make_unique<Snapshot>(asked.objects);
  asked.question.now = *parse_instant("2026-11-20T09:00:00Z");
  return asked;
}

// kai-scheduler/KAI-Scheduler issue 1750: a pending job does not reclaim from a queue above its quota if a queue of
// lower priority is within its quota. Corrected by #1764, in 0.16 and later.
TEST_CASE("kai 0.15 and older: a queue within its quota prevents reclaim from the others", "[kai][release]") {
  test::AskedGroup asked = of_file("protected-queue/dump.yaml", "reclaimer-job");
  CHECK(outcome_by(asked, "0.17") == Outcome::preempts);
  CHECK(outcome_by(asked, "0.16") == Outcome::preempts);
  CHECK(outcome_by(asked, "0.14") == Outcome::pending);
}

// Before 0.13, JobsOrderByQueues orders parent queues and, in each, its leaf queues: a leaf queue without a parent is
// in neither.
TEST_CASE("kai 0.12 and older: groups of a leaf queue without a parent are never tried", "[kai][release]") {
  const std::string queue =
      "---\n{apiVersion: scheduling.run.ai/v2, kind: Queue, metadata: {name: top}, spec: {resources: {cpu: {quota: -1, "
      "limit: -1}, memory: {quota: -1, limit: -1}, gpu: {quota: 1, limit: -1, overQuotaWeight: 1}}}}\n";
  const std::string rest =
      "---\n{apiVersion: v1, kind: Node, metadata: {name: n1}, status: {allocatable: {cpu: \"64\", memory: 256Gi, "
      "pods: "
      "\"110\", nvidia.com/gpu: \"2\"}, conditions: [{type: Ready, status: \"True\"}]}}\n"
      "---\n{apiVersion: scheduling.run.ai/v2alpha2, kind: PodGroup, metadata: {name: g, namespace: ml, "
      "creationTimestamp: \"2026-03-02T09:00:00Z\"}, spec: {queue: top, minMember: 1}}\n"
      "---\n{apiVersion: v1, kind: Pod, metadata: {name: g-0, namespace: ml, uid: g-0, creationTimestamp: "
      "\"2026-03-02T09:00:00Z\", annotations: {pod-group-name: g}}, spec: {schedulerName: kai-scheduler, containers: "
      "[{name: c, resources: {requests: {nvidia.com/gpu: \"1\"}}}]}, status: {phase: Pending}}\n";
  test::AskedGroup asked(queue + rest, "g");
  CHECK(outcome_by(asked, "0.13") == Outcome::fits);
  CHECK(outcome_by(asked, "0.12") == Outcome::pending);
}

// PodGroupInfo.ResolveTopologyAliases came with 0.17. The scheduler of v0.16.8 said that the tree does not contain the
// level, and placed nothing.
TEST_CASE("kai 0.16 and older: a constraint cannot name a level by its alias", "[kai][release]") {
  const std::string text =
      "---\n{apiVersion: scheduling.run.ai/v2, kind: Queue, metadata: {name: root}, spec: {resources: {cpu: {quota: "
      "-1, "
      "limit: -1}, memory: {quota: -1, limit: -1}, gpu: {quota: 1, limit: -1, overQuotaWeight: 1}}}}\n"
      "---\n{apiVersion: scheduling.run.ai/v2, kind: Queue, metadata: {name: leaf}, spec: {parentQueue: root, "
      "resources: "
      "{cpu: {quota: -1, limit: -1}, memory: {quota: -1, limit: -1}, gpu: {quota: 1, limit: -1, overQuotaWeight: "
      "1}}}}\n"
      "---\n{apiVersion: kai.scheduler/v1alpha1, kind: Topology, metadata: {name: site}, spec: {levels: [{nodeLabel: "
      "example.com/rack, alias: rack}]}}\n"
      "---\n{apiVersion: v1, kind: Node, metadata: {name: n1, labels: {example.com/rack: r1}}, status: {allocatable: "
      "{cpu: \"64\", memory: 256Gi, pods: \"110\", nvidia.com/gpu: \"2\"}, conditions: [{type: Ready, status: "
      "\"True\"}]}}\n"
      "---\n{apiVersion: scheduling.run.ai/v2alpha2, kind: PodGroup, metadata: {name: g, namespace: ml, "
      "creationTimestamp: \"2026-03-02T09:00:00Z\"}, spec: {queue: leaf, minMember: 1, topologyConstraint: {topology: "
      "site, requiredTopologyLevel: rack}}}\n"
      "---\n{apiVersion: v1, kind: Pod, metadata: {name: g-0, namespace: ml, uid: g-0, creationTimestamp: "
      "\"2026-03-02T09:00:00Z\", annotations: {pod-group-name: g}}, spec: {schedulerName: kai-scheduler, containers: "
      "[{name: c, resources: {requests: {nvidia.com/gpu: \"1\"}}}]}, status: {phase: Pending}}\n";
  test::AskedGroup asked(text, "g");
  CHECK(outcome_by(asked, "0.17") == Outcome::fits);
  CHECK(outcome_by(asked, "0.16") == Outcome::pending);
}

// ResourceVector.SetMax of v0.14.7 and v0.15.3 keeps only the resources of the node that comes first in map order.
TEST_CASE("kai 0.14 and 0.15: requests for resources that not all nodes have are not modeled", "[kai][release]") {
  const auto node = [](const std::string& name, const std::string& more) {
    return "---\n{apiVersion: v1, kind: Node, metadata: {name: " + name +
           "}, status: {allocatable: {cpu: \"64\", memory: 256Gi, pods: \"110\"" + more +
           "}, conditions: [{type: Ready, status: \"True\"}]}}\n";
  };
  const std::string text =
      "---\n{apiVersion: scheduling.run.ai/v2, kind: Queue, metadata: {name: root}, spec: {resources: {cpu: {quota: "
      "-1, "
      "limit: -1}, memory: {quota: -1, limit: -1}, gpu: {quota: 1, limit: -1, overQuotaWeight: 1}}}}\n"
      "---\n{apiVersion: scheduling.run.ai/v2, kind: Queue, metadata: {name: leaf}, spec: {parentQueue: root, "
      "resources: "
      "{cpu: {quota: -1, limit: -1}, memory: {quota: -1, limit: -1}, gpu: {quota: 1, limit: -1, overQuotaWeight: "
      "1}}}}\n"
      "---\n{apiVersion: scheduling.run.ai/v2alpha2, kind: PodGroup, metadata: {name: g, namespace: ml, "
      "creationTimestamp: \"2026-03-02T09:00:00Z\"}, spec: {queue: leaf, minMember: 1}}\n"
      "---\n{apiVersion: v1, kind: Pod, metadata: {name: g-0, namespace: ml, uid: g-0, creationTimestamp: "
      "\"2026-03-02T09:00:00Z\", annotations: {pod-group-name: g}}, spec: {schedulerName: kai-scheduler, containers: "
      "[{name: c, resources: {requests: {example.com/nic: \"1\"}}}]}, status: {phase: Pending}}\n";
  const auto outcome = [&](const std::string& others, const std::string& version) {
    test::AskedGroup asked(text + node("n1", ", example.com/nic: \"2\"") + node("n2", others), "g");
    asked.question.kai_version = version;
    return asked.explain().outcome;
  };
  CHECK(outcome("", "0.16") == Outcome::fits);
  CHECK(outcome("", "0.15") == Outcome::unknown);
  CHECK(outcome("", "0.13") == Outcome::fits);
  CHECK(outcome(", example.com/nic: \"2\"", "0.15") == Outcome::fits);
  // Until 0.14, a resource whose name ends in gpu was one of its own.
  CHECK(outcome(", example.com/nic: \"2\", example.com/gpu: \"2\"", "0.15") == Outcome::fits);
  CHECK(outcome(", example.com/nic: \"2\", example.com/gpu: \"2\"", "0.14") == Outcome::unknown);
}

}  // namespace
