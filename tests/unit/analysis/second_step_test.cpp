#include "analysis/second_step.h"

#include "support/kueue.h"

#include <catch2/catch.hpp>

#include <algorithm>

// What becomes of the pods that Kueue releases: they are created as the API server creates them.

namespace previct {
namespace {

using test::flavor;
using test::KueueAsked;
using test::queue;
using test::workload;

// A node of 4 cpu, with a pod that requests nothing.
constexpr const char* kNode =
    "---\n{apiVersion: v1, kind: Node, metadata: {name: n1, labels: {kubernetes.io/hostname: n1}}, status: "
    "{allocatable: {cpu: \"4\", memory: 8Gi, pods: \"110\"}, conditions: [{type: Ready, status: \"True\"}]}}\n"
    "---\n{apiVersion: v1, kind: Pod, metadata: {name: o, namespace: ns, uid: o}, spec: {nodeName: n1, priority: 0, "
    "containers: [{name: c}]}, status: {phase: Running}}\n";

/// The words for the pods of the workload w.
auto words_of_all(const std::string& objects) -> std::string {
  KueueAsked asked(kNode + objects);
  const auto verdict = asked.decide("w");
  REQUIRE(verdict);
  const auto step = second_step(asked.objects, *verdict, asked.question);
  REQUIRE(step);
  return fmt::format("{}", fmt::join(step->words(), "; "));
}

/// The words for the pods of the workload w: `pods` of 1 cpu, with this metadata and these fields of their spec.
auto words(const std::string& objects, const std::string& labels = "", const std::string& spec = "", int pods = 1)
    -> std::string {
  std::string object = workload({.name = "w", .pod = spec, .count = pods});
  const std::string marker = "template: {spec";
  object.replace(object.find(marker), marker.size(), "template: {metadata: {labels: {" + labels + "}}, spec");
  return words_of_all(flavor() + queue({.cpu = "100"}) + object + objects);
}

}  // namespace

TEST_CASE("second step: pods have the labels of their template", "[kueue][second-step]") {
  // Each of two pods must not share a node with another of app=z, and there is one node (InterPodAffinity).
  const std::string apart =
      "affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: "
      "kubernetes.io/hostname, labelSelector: {matchLabels: {app: z}}}]}}, ";
  CHECK(words("", "app: z", apart, 2).starts_with("pod set main: kube-scheduler places 1 of 2 pods (on n1)"));
  CHECK(words("", "app: other", apart, 2) == "pod set main: kube-scheduler places 2 of 2 pods (on n1)");
}

TEST_CASE("second step: the pods that get no node are counted", "[kueue][second-step]") {
  // 4 cpu: 4 of 6 pods with 1 cpu each.
  KueueAsked asked(kNode + flavor() + queue({.cpu = "100"}) + workload({.name = "w", .count = 6}));
  const auto verdict = asked.decide("w");
  REQUIRE(verdict);
  const auto step = second_step(asked.objects, *verdict, asked.question);
  REQUIRE(step);
  CHECK(step->without_node() == 2);
}

TEST_CASE("second step: pods get the global default class", "[kueue][second-step]") {
  // A pod of priority 100 uses all 4 cpu. The class gives the new pod 500, so that it preempts.
  const std::string running =
      "---\n{apiVersion: v1, kind: Pod, metadata: {name: x, namespace: ns, uid: x}, spec: {nodeName: n1, priority: "
      "100, "
      "containers: [{name: c, resources: {requests: {cpu: 4}}}]}, status: {phase: Running}}\n";
  const std::string usual =
      "---\n{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: usual}, value: 500, "
      "globalDefault: "
      "true}\n";
  CHECK(words(running + usual).starts_with("pod set main: kube-scheduler places 1 of 1 pod (on n1); 1 pod would be"));
  CHECK(words(running).starts_with("pod set main: kube-scheduler places 0 of 1 pod"));
}

TEST_CASE("second step: LimitRanges, RuntimeClasses and quotas apply to new pods", "[kueue][second-step]") {
  // The LimitRange sets a request of 9 cpu for the init container.
  CHECK(words("---\n{apiVersion: v1, kind: LimitRange, metadata: {name: l, namespace: ns}, spec: {limits: [{type: "
              "Container, defaultRequest: {cpu: 9}}]}}\n",
              "", "initContainers: [{name: i, image: x}], ")
            .starts_with("pod set main: kube-scheduler places 0 of 1 pod"));
  // 1 cpu, and 4 of overhead.
  CHECK(
      words("---\n{apiVersion: node.k8s.io/v1, kind: RuntimeClass, metadata: {name: r, uid: r}, handler: h, overhead: "
            "{podFixed: {cpu: 4}}}\n",
            "", "runtimeClassName: r, ")
          .starts_with("pod set main: kube-scheduler places 0 of 1 pod"));
  // 1 of 2 cpu is in use: the first pod of two uses the rest.
  const std::string quota =
      "---\n{apiVersion: v1, kind: ResourceQuota, metadata: {name: k, namespace: ns}, spec: {hard: {requests.cpu: 2}}, "
      "status: {hard: {requests.cpu: 2}, used: {requests.cpu: 1}}}\n";
  CHECK(words(quota, "", "", 2) ==
        "pod set main: kube-scheduler places 1 of 2 pods (on n1); the next one cannot be created: ResourceQuota k is "
        "exceeded: 1 requested, 2 in use, limited to 2 of requests.cpu");
}

TEST_CASE("second step: a namespace that is being deleted gets no pods", "[kueue][second-step]") {
  CHECK(words("---\n{apiVersion: v1, kind: Namespace, metadata: {name: ns, deletionTimestamp: "
              "\"2026-05-01T11:00:00Z\"}}\n") ==
        "pod set main: the first of its pods cannot be created: its namespace is being deleted");
}

TEST_CASE("second step: a pod that cannot be created is not one without a node", "[kueue][second-step]") {
  const auto refused = [](const std::string& objects, const std::string& cpu) {
    KueueAsked asked(kNode + flavor() + queue({.cpu = "100"}) + workload({.name = "w", .cpu = cpu}) + objects);
    const auto verdict = asked.decide("w");
    REQUIRE(verdict);
    const auto step = second_step(asked.objects, *verdict, asked.question);
    REQUIRE(step);
    CHECK(step->leaves_pending());
    return step->sets.at(0).refused;
  };
  CHECK(
      refused("---\n{apiVersion: v1, kind: Namespace, metadata: {name: ns, deletionTimestamp: "
              "\"2026-05-01T11:00:00Z\"}}\n",
              "1"));
  // It is created, and the node has 4 cpu.
  CHECK_FALSE(refused("", "5"));
}

TEST_CASE("second step: a host port is that of the container on the host network", "[kueue][second-step]") {
  // Source: kubernetes pkg/apis/core/v1/defaults.go SetDefaults_Pod: two such pods do not fit on one node.
  std::string spec =
      "hostNetwork: true, initContainers: [{name: s, restartPolicy: Always, ports: [{containerPort: "
      "80}]}], ";
  CHECK(words("", "", spec, 2).starts_with("pod set main: kube-scheduler places 1 of 2 pods (on n1)"));
}

TEST_CASE("second step: it does not count on the end of static pods", "[kueue][second-step]") {
  // The pod of priority 100 uses all 4 cpu, and its mirror names the node as its owner.
  const std::string running =
      "---\n{apiVersion: v1, kind: Pod, metadata: {name: x, namespace: ns, uid: x, annotations: "
      "{kubernetes.io/config.mirror: h}, ownerReferences: [{apiVersion: v1, kind: Node, name: n1, controller: true}]}, "
      "spec: {nodeName: n1, priority: 100, containers: [{name: c, resources: {requests: {cpu: 4}}}]}, status: {phase: "
      "Running}}\n"
      "---\n{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: usual}, value: 500, "
      "globalDefault: true}\n";
  CHECK(words(running) ==
        "pod set main: cannot tell, because static pods are among the victims, and the kubelet keeps them running");
}

TEST_CASE("second step: a node that is being deleted is assumed to stay", "[kueue][second-step]") {
  std::string node = kNode;
  node.insert(node.find("labels:"), "deletionTimestamp: \"2026-05-01T11:00:00Z\", ");
  KueueAsked asked(node + flavor() + queue({.cpu = "100"}) + workload({.name = "w", .pod = "", .count = 1}));
  const auto verdict = asked.decide("w");
  REQUIRE(verdict);
  const auto step = second_step(asked.objects, *verdict, asked.question);
  REQUIRE(step);
  CHECK(std::any_of(step->gaps.begin(), step->gaps.end(),
                    [](const Gap& gap) { return gap.rule == GapRule::deleting_nodes; }));
}

namespace {

auto check_of(const std::string& controller) -> std::string {
  return fmt::format(
      "---\n{{apiVersion: kueue.x-k8s.io/v1beta2, kind: AdmissionCheck, metadata: {{name: k}}, spec: {{controllerName: "
      "kueue.x-k8s.io/{}}}, status: {{conditions: [{{type: Active, status: \"True\"}}]}}}}\n",
      controller);
}

}  // namespace

TEST_CASE("second step: what an admission check places is not known", "[kueue][second-step]") {
  const std::string checked = queue({.more = ", admissionChecksStrategy: {admissionChecks: [{name: k}]}"});
  CHECK(words_of_all(flavor() + checked + workload({.name = "w"}) + check_of("multikueue")) ==
        "pod set main: cannot tell, because its pods run in a worker cluster (MultiKueue)");
  CHECK(words_of_all(flavor() + checked + workload({.name = "w"}) + check_of("provisioning-request")) ==
        "pod set main: cannot tell, because admission check k provisions nodes for the workload");
}

TEST_CASE("second step: pods of a deactivated workload end", "[kueue][second-step]") {
  // The pod of the workload run uses the 4 cpu of the node; its quota is free.
  const std::string pod =
      "---\n{apiVersion: v1, kind: Pod, metadata: {name: x, namespace: ns, uid: x, annotations: "
      "{kueue.x-k8s.io/workload: run}}, spec: {nodeName: n1, priority: 0, containers: [{name: c, resources: {requests: "
      "{cpu: 4}}}]}, status: {phase: Running}}\n";
  CHECK(words_of_all(flavor() + queue({}) + workload({.name = "w", .cpu = "4"}) + pod +
                     workload({.name = "run", .cpu = "4", .holds = true, .spec = ", active: false"})) ==
        "pod set main: kube-scheduler places 1 of 1 pod (on n1)");
}

TEST_CASE("second step: pods that are pending already come first", "[kueue][second-step]") {
  // The node has 4 cpu, and each of the two pods requests 3. Of equal priority, the older one is first; the released
  // pod has priority 0.
  const auto with_pending = [](int priority) {
    return words_of_all(
        flavor() + queue({}) + workload({.name = "w", .cpu = "3"}) +
        fmt::format("---\n{{apiVersion: v1, kind: Pod, metadata: {{name: x, namespace: ns, uid: x}}, spec: {{priority: "
                    "{}, containers: [{{name: c, resources: {{requests: {{cpu: 3}}}}}}]}}, status: {{phase: "
                    "Pending}}}}\n",
                    priority));
  };
  CHECK(with_pending(0).starts_with(
      "pod set main: kube-scheduler places 0 of 1 pod; 1 pending pod is placed before them (ns/x); the next one"));
  CHECK(with_pending(-1) == "pod set main: kube-scheduler places 1 of 1 pod (on n1)");
}

// The workload run is preempted, and the Job of the pod on the node may be one of the JobSet that owns it.
TEST_CASE("second step: pods that victims may have are not counted as staying", "[kueue][second-step]") {
  CHECK(
      words_of_all(
          flavor() + queue({.preemption = "withinClusterQueue: LowerPriority"}) +
          workload({.name = "w", .cpu = "4", .priority = 9}) +
          workload({.name = "run",
                    .cpu = "4",
                    .holds = true,
                    .meta = ", ownerReferences: [{apiVersion: x/v1, kind: JobSet, name: js, uid: top}]"}) +
          "---\n{apiVersion: v1, kind: Pod, metadata: {name: x, namespace: ns, uid: x, ownerReferences: [{apiVersion: "
          "batch/v1, kind: Job, name: j, uid: j, controller: true}]}, spec: {nodeName: n1, priority: 0, containers: "
          "[{name: c, resources: {requests: {cpu: 4}}}]}, status: {phase: Running}}\n") ==
      "pod set main: cannot tell, because workload ns/run may have more pods than those that the input shows to be "
      "its own");
}

TEST_CASE("second step: pods that a Job has yet to create may come first", "[kueue][second-step]") {
  // The Job of the workload run, which is admitted, runs 1 pod at a time; the input has none.
  const auto with_job = [](const std::string& spec) {
    return words_of_all(
        flavor() + queue({}) + workload({.name = "w"}) +
        workload(
            {.name = "run",
             .holds = true,
             .meta = ", ownerReferences: [{apiVersion: batch/v1, kind: Job, name: j, uid: j, controller: true}]"}) +
        "---\n{apiVersion: batch/v1, kind: Job, metadata: {name: j, namespace: ns, uid: j}, spec: {" + spec + "}}\n");
  };
  CHECK(with_job("parallelism: 1") ==
        "pod set main: cannot tell, because the input lacks 1 pod that the Job of workload ns/run, which is admitted, "
        "runs or creates");
  CHECK(with_job("suspend: true") == "pod set main: kube-scheduler places 1 of 1 pod (on n1)");
}

TEST_CASE("second step: pending pods of a preempted workload end, too", "[kueue][second-step]") {
  // The node has 4 cpu. The pod x of run is pending, and would come first.
  CHECK(words_of_all(
            flavor() + queue({.preemption = "withinClusterQueue: LowerPriority"}) +
            workload({.name = "w", .cpu = "4", .priority = 9}) + workload({.name = "run", .cpu = "4", .holds = true}) +
            "---\n{apiVersion: v1, kind: Pod, metadata: {name: x, namespace: ns, uid: x, annotations: "
            "{kueue.x-k8s.io/workload: run}}, spec: {priority: 0, containers: [{name: c, resources: {requests: "
            "{cpu: 4}}}]}, status: {phase: Pending}}\n") == "pod set main: kube-scheduler places 1 of 1 pod (on n1)");
}

}  // namespace previct
