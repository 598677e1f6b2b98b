#include "support/kueue.h"

#include <catch2/catch.hpp>

#include <algorithm>

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

namespace {

/// A workload that is preempted, owned by the object `kind` js of this uid; a pod; and a workload that preempts.
auto preempted(const std::string& kind, const std::string& more, const std::string& pod_meta, int count = 1)
    -> std::string {
  return flavor() + queue({.preemption = "withinClusterQueue: LowerPriority"}) +
         workload({.name = "run",
                   .cpu = "4",
                   .holds = true,
                   .meta = fmt::format(", ownerReferences: [{{apiVersion: x/v1, kind: {}, name: js, uid: top, "
                                       "controller: true}}]",
                                       kind),
                   .count = count}) +
         more +
         fmt::format(
             "---\n{{apiVersion: v1, kind: Pod, metadata: {{name: p, namespace: ns, uid: p, {}}}, spec: "
             "{{nodeName: n1, containers: [{{name: c}}]}}, status: {{phase: Running}}}}\n",
             pod_meta) +
         workload({.name = "w", .cpu = "4", .priority = 9});
}
const std::string kOfJob =
    "ownerReferences: [{apiVersion: batch/v1, kind: Job, name: js-w-0, uid: j, controller: true}]";
auto job_of(const std::string& owner) -> std::string {
  return fmt::format(
      "---\n{{apiVersion: batch/v1, kind: Job, metadata: {{name: js-w-0, namespace: ns, uid: j{}}}, spec: {{}}}}\n",
      owner);
}
auto verdict_has(const Verdict& verdict, GapRule rule) -> bool {
  return std::any_of(verdict.gaps.begin(), verdict.gaps.end(), [&](const Gap& gap) { return gap.rule == rule; });
}

}  // namespace

// Kueue looks for the ancestor that it manages. Source: pkg/controller/jobframework/reconciler.go
// FindAncestorJobManagedByKueue.
TEST_CASE("kueue preemption: pods of a Job belong to the workload of the Job's owner", "[kueue]") {
  KueueAsked asked(preempted(
      "JobSet", job_of(", ownerReferences: [{apiVersion: x/v1, kind: JobSet, name: js, uid: top, controller: true}]"),
      kOfJob));
  const auto verdict = asked.decide("w");
  REQUIRE(verdict);
  REQUIRE(verdict->victims.size() == 1);
  CHECK(asked.cluster->key(verdict->victims[0].pod) == "ns/p");
  CHECK_FALSE(verdict_has(*verdict, GapRule::kueue_lost_pods));
}

TEST_CASE("kueue preemption: pods of a RayCluster belong to the workload of its RayJob", "[kueue]") {
  KueueAsked asked(preempted("RayJob",
                             "---\n{apiVersion: ray.io/v1, kind: RayCluster, metadata: {name: js-x8k2z, namespace: ns, "
                             "uid: c, ownerReferences: [{apiVersion: ray.io/v1, kind: RayJob, name: js, uid: top, "
                             "controller: true}]}}\n",
                             "ownerReferences: [{apiVersion: ray.io/v1, kind: RayCluster, name: js-x8k2z, uid: c, "
                             "controller: true}]"));
  const auto verdict = asked.decide("w");
  REQUIRE(verdict);
  CHECK(verdict->victims.size() == 1);
}

TEST_CASE("kueue preemption: pods belong to the workload of the object that their label names", "[kueue]") {
  const auto victims = [](const std::string& kind, const std::string& label) {
    KueueAsked asked(preempted(kind, "", fmt::format("labels: {{{}: js}}, {}", label, kOfJob)));
    const auto verdict = asked.decide("w");
    REQUIRE(verdict);
    return verdict->victims.size();
  };
  CHECK(victims("JobSet", "jobset.sigs.k8s.io/jobset-name") == 1);
  CHECK(victims("TrainJob", "jobset.sigs.k8s.io/jobset-name") == 1);
  CHECK(victims("MPIJob", "training.kubeflow.org/job-name") == 1);
  CHECK(victims("AppWrapper", "workload.codeflare.dev/appwrapper") == 1);
  CHECK(victims("JobSet", "training.kubeflow.org/job-name") == 0);
}

// Whether js-w-0 belongs to the JobSet is not known without the Job. With the Job, which has no owner, it does not.
TEST_CASE("kueue preemption: a workload may have pods whose owners the input lacks", "[kueue]") {
  const auto is_open = [](const std::string& more, int count) {
    KueueAsked asked(preempted("JobSet", more, kOfJob, count));
    const auto verdict = asked.decide("w");
    REQUIRE(verdict);
    CHECK(verdict->outcome == Outcome::preempts);
    CHECK(verdict->more_end.has_value() == verdict_has(*verdict, GapRule::kueue_lost_pods));
    return verdict->more_end.has_value();
  };
  CHECK(is_open("", 1));
  CHECK_FALSE(is_open(job_of(""), 1));
}

// Source: pkg/controller/core/workload_controller.go: the workload is evicted as soon as the controller sees it.
TEST_CASE("kueue released pods: the pods of a deactivated workload end", "[kueue]") {
  KueueAsked asked(flavor() + queue({}) +
                   workload({.name = "run", .cpu = "4", .holds = true, .spec = ", active: false"}) +
                   pod_of_run("run-0", "n1") + workload({.name = "w", .cpu = "4"}));
  const auto verdict = asked.decide("w");
  REQUIRE(verdict);
  CHECK(verdict->outcome == Outcome::fits);
  REQUIRE(verdict->ending.size() == 1);
  CHECK(asked.cluster->key(verdict->ending[0]) == "ns/run-0");
}

}  // namespace previct
