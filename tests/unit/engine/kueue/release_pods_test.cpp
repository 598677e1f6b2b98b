#include "support/kueue.h"

#include <catch2/catch.hpp>

// The pods of a workload that gets quota: what the scheduler of its pods will see, and which pods a preemption ends.

namespace previct {
namespace {

using test::flavor;
using test::KueueAsked;
using test::queue;
using test::workload;

auto pod_of_run(const std::string& name, const std::string& on, const std::string& phase = "Running") -> std::string {
  return fmt::format(
      "---\n{{apiVersion: v1, kind: Pod, metadata: {{name: {}, namespace: ns, uid: {}, annotations: "
      "{{kueue.x-k8s.io/workload: run}}}}, spec: {{{}containers: [{{name: c, image: x}}]}}, status: {{phase: {}}}}}\n",
      name, name, on.empty() ? "" : fmt::format("nodeName: {}, ", on), on.empty() ? "Pending" : phase);
}

}  // namespace

TEST_CASE("kueue released pods: pending pods with the labels and tolerations of their flavor", "[kueue]") {
  const std::string spot = "nodeLabels: {type: spot}, tolerations: [{key: spot, operator: Exists, effect: NoSchedule}]";
  KueueAsked asked(flavor("f", spot) + queue({}) +
                   workload({.name = "w", .pod = "nodeSelector: {zone: a}, ", .count = 3}));
  const auto verdict = asked.decide("w");
  REQUIRE(verdict);
  REQUIRE(verdict->releases.size() == 1);
  const ReleasedPods& released = verdict->releases.front();
  CHECK(released.what == "pod set main");
  CHECK(released.count == 3);
  const Snapshot& cluster = *asked.cluster;
  CHECK(cluster.text(released.pod.meta.ns) == "ns");
  CHECK(cluster.text(released.pod.meta.name) == "w-main");
  CHECK(cluster.text(released.pod.status.phase) == "Pending");
  CHECK(cluster.text(released.pod.spec.node_selector.get(cluster.symbol("type"))) == "spot");
  CHECK(cluster.text(released.pod.spec.node_selector.get(cluster.symbol("zone"))) == "a");
  REQUIRE(released.pod.spec.tolerations.size() == 1);
  CHECK(cluster.text(released.pod.spec.tolerations[0].key) == "spot");
}

TEST_CASE("kueue released pods: labels of their template, and what the API server reads of it", "[kueue]") {
  std::string object = workload({.name = "w", .pod = "runtimeClassName: sandbox, "});
  const std::string marker = "template: {spec";
  object.replace(object.find(marker), marker.size(), "template: {metadata: {labels: {app: z}}, spec");
  KueueAsked asked(flavor() + queue({}) + object);
  const auto verdict = asked.decide("w");
  REQUIRE(verdict);
  const ReleasedPods& released = verdict->releases.front();
  const Snapshot& cluster = *asked.cluster;
  CHECK(cluster.text(released.pod.meta.labels.get(cluster.symbol("app"))) == "z");
  CHECK(cluster.text(released.runtime_class) == "sandbox");
  CHECK_FALSE(released.admitted);
  CHECK_FALSE(released.pod.spec.has_priority);
}

TEST_CASE("kueue released pods: of a workload of pods, those that wait at its gate", "[kueue]") {
  // Kueue removes its own gates only. Source: pkg/controller/jobs/pod/pod_controller.go ungatePod.
  KueueAsked asked(
      flavor("f", "nodeLabels: {type: spot}") + queue({}) +
      workload({.name = "w", .meta = ", ownerReferences: [{apiVersion: v1, kind: Pod, name: p, uid: p}]"}) +
      "---\n{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: ns, uid: p}, spec: {schedulingGates: [{name: "
      "kueue.x-k8s.io/admission}, {name: other/gate}], containers: [{name: c}]}, status: {phase: Pending}}\n");
  const auto verdict = asked.decide("w");
  REQUIRE(verdict);
  const ReleasedPods& released = verdict->releases.front();
  const Snapshot& cluster = *asked.cluster;
  CHECK(released.admitted);
  REQUIRE(released.existing.size() == 1);
  const auto& [pod, spec] = released.existing.front();
  CHECK(cluster.key(pod) == "ns/p");
  REQUIRE(spec.scheduling_gates.size() == 1);
  CHECK(cluster.text(spec.scheduling_gates[0].name) == "other/gate");
  CHECK(cluster.text(spec.node_selector.get(cluster.symbol("type"))) == "spot");
}

TEST_CASE("kueue released pods: none while the workload gets no quota", "[kueue]") {
  KueueAsked asked(flavor() + queue({.cpu = "1"}) + workload({.name = "w", .cpu = "2"}));
  const auto verdict = asked.decide("w");
  REQUIRE(verdict);
  CHECK(verdict->releases.empty());
}

TEST_CASE("kueue preemption: the victims are the pods of the workload that run on a node", "[kueue]") {
  KueueAsked asked("---\n{apiVersion: v1, kind: Node, metadata: {name: n1}}\n" + flavor() +
                   queue({.preemption = "withinClusterQueue: LowerPriority"}) +
                   workload({.name = "run", .cpu = "2", .holds = true, .count = 2}) + pod_of_run("run-0", "n1") +
                   pod_of_run("run-1", "") + workload({.name = "w", .cpu = "4", .priority = 9}));
  const auto verdict = asked.decide("w");
  REQUIRE(verdict);
  CHECK(verdict->outcome == Outcome::preempts);
  CHECK(verdict->evicted == std::vector<std::string>{"workload/ns/run"});
  REQUIRE(verdict->victims.size() == 1);
  CHECK(asked.cluster->key(verdict->victims[0].pod) == "ns/run-0");
}

// Kueue suspends the Job, whose controller then deletes its active pods; neither looks at Nodes. Source: kubernetes
// pkg/controller/job/job_controller.go, manageJob and deleteActivePods.
TEST_CASE("kueue preemption: victims need no Node in the input, and have not finished", "[kueue]") {
  KueueAsked asked("---\n{apiVersion: v1, kind: Node, metadata: {name: n1}}\n" + flavor() +
                   queue({.preemption = "withinClusterQueue: LowerPriority"}) +
                   workload({.name = "run", .cpu = "2", .holds = true, .count = 2}) +
                   pod_of_run("done", "n1", "Succeeded") + pod_of_run("elsewhere", "n2") +
                   workload({.name = "w", .cpu = "4", .priority = 9}));
  const auto verdict = asked.decide("w");
  REQUIRE(verdict);
  REQUIRE(verdict->victims.size() == 1);
  CHECK(asked.cluster->key(verdict->victims[0].pod) == "ns/elsewhere");
}

}  // namespace previct
