// An evicting action does not try a group with the signature of one that failed there, unless it requests less.
// Source: kai-scheduler/KAI-Scheduler: pkg/scheduler/actions/utils/min_representatives.go IsEasierToSchedule,
// UpdateRepresentative; pkg/scheduler/api/podgroup_info GetSchedulingConstraintsSignature,
// pkg/scheduler/api/pod_info (d5bc503a).
#include "support/kai.h"

#include <fmt/format.h>

#include <vector>

namespace previct {
namespace {

constexpr const char* kCluster = R"(---
{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: low}, value: 10}
---
{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: high}, value: 60}
---
{apiVersion: scheduling.run.ai/v2, kind: Queue, metadata: {name: q}, spec: {resources: {cpu: {quota: -1, limit: -1}, memory: {quota: -1, limit: -1}, gpu: {quota: -1, limit: -1}}}}
---
{apiVersion: v1, kind: Node, metadata: {name: a, labels: {rack: r, nvidia.com/gpu.count: "2"}}, status: {allocatable: {cpu: "8", memory: 8Gi, pods: "110", nvidia.com/gpu: "2"}, conditions: [{type: Ready, status: "True"}]}}
---
{apiVersion: v1, kind: Node, metadata: {name: b, labels: {zone: z, nvidia.com/gpu.count: "2"}}, spec: {taints: [{key: kept, effect: NoSchedule}]}, status: {allocatable: {cpu: "8", memory: 8Gi, pods: "110", nvidia.com/gpu: "2"}, conditions: [{type: Ready, status: "True"}]}}
)";

struct OnePodGroup {
  std::string name;
  std::string spec{};  // fields of the pod spec, besides its container
  int gpus = 1;
  std::string group{};  // more fields of the PodGroup spec
  std::string on{};     // node; empty if pending
  bool stays = false;   // not preemptible
  std::string other{};  // the spec of a second pod; none if empty
  int minimum = 1;
};

// A group of one pod, of the class low if it runs, else high; created in the minute with which its name ends.
auto one_pod_group(const OnePodGroup& asked) -> std::string {
  std::string text = fmt::format(
      R"(---
{{apiVersion: scheduling.run.ai/v2alpha2, kind: PodGroup, metadata: {{name: {0}, namespace: ml, creationTimestamp: "2026-03-01T00:0{1}:00Z"}}, spec: {{queue: q, minMember: {5}, priorityClassName: {2}, preemptibility: {4}{3}}}}}
)",
      asked.name, asked.name.back(), asked.on.empty() ? "high" : "low", asked.group.empty() ? "" : ", " + asked.group,
      asked.stays ? "non-preemptible" : "preemptible", asked.minimum);
  const auto add = [&](const std::string& name, const std::string& spec) {
    text += fmt::format(
        R"(---
{{apiVersion: v1, kind: Pod, metadata: {{name: {0}, namespace: ml, uid: {0}, annotations: {{pod-group-name: {1}}}}}, spec: {{schedulerName: kai-scheduler{2}{3}, containers: [{{name: c, resources: {{requests: {{nvidia.com/gpu: "{4}"}}}}}}]}}, status: {{phase: {5}}}}}
)",
        name, asked.name, asked.on.empty() ? "" : ", nodeName: " + asked.on, spec.empty() ? "" : ", " + spec,
        asked.gpus, asked.on.empty() ? "Pending" : "Running");
  };
  add(asked.name, asked.spec);
  if (!asked.other.empty()) add(asked.name + "-other", asked.other);
  return text;
}

constexpr const char* kTolerated = "tolerations: [{key: kept, operator: Exists}]";

// Returns the outcome of `second` after `first` failed. Pods of 1 GPU fill both nodes; only one of them, on b, may be
// evicted.
auto outcome_after_failed(OnePodGroup first, OnePodGroup second) -> Outcome {
  first.name = "first1";
  second.name = "second2";
  const test::AskedGroup asked(kCluster + one_pod_group({.name = "runs3", .on = "a", .stays = true}) +
                                   one_pod_group({.name = "runs4", .on = "a", .stays = true}) +
                                   one_pod_group({.name = "runs5", .on = "b", .stays = true}) +
                                   one_pod_group({.name = "runs6", .on = "b"}) + one_pod_group(first) +
                                   one_pod_group(second),
                               "second2");
  Question of_first = asked.question;
  of_first.name = "first1";
  const auto answer = explain(kai_engine, *asked.cluster, of_first);
  REQUIRE(answer);
  CHECK(answer->outcome != Outcome::preempts);
  return asked.explain().outcome;
}

auto tolerating(const std::string& more) -> OnePodGroup {
  return {.name = {}, .spec = kTolerated + (", " + more)};
}

}  // namespace

// Each pair differs in one field, which keeps the first group off node b. If signatures did not cover that field, the
// second group would not be tried.
TEST_CASE("kai signatures: a group is tried after one that failed if their constraints differ", "[kai]") {
  const OnePodGroup plain{.name = {}, .spec = kTolerated};
  CHECK(outcome_after_failed({.name = {}}, plain) == Outcome::preempts);  // tolerations
  CHECK(outcome_after_failed(tolerating("nodeSelector: {rack: r}"), tolerating("nodeSelector: {zone: z}")) ==
        Outcome::preempts);
  const auto near = [](const std::string& expression) {
    return tolerating(
        "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: "
        "[{matchExpressions: [" +
        expression + "]}]}}}");
  };
  CHECK(outcome_after_failed(near("{key: rack, operator: Exists}"), near("{key: zone, operator: Exists}")) ==
        Outcome::preempts);
  CHECK(outcome_after_failed(near("{key: rack, operator: Exists}"), near("{key: rack, operator: DoesNotExist}")) ==
        Outcome::preempts);
  CHECK(outcome_after_failed(near("{key: rack, operator: In, values: [r]}"),
                             near("{key: rack, operator: NotIn, values: [r]}")) == Outcome::preempts);
  // A Topology that does not exist.
  const OnePodGroup lost{.name = {},
                         .spec = kTolerated,
                         .gpus = 1,
                         .group = "topologyConstraint: {topology: none, requiredTopologyLevel: rack}"};
  CHECK(outcome_after_failed(lost, plain) == Outcome::preempts);
}

TEST_CASE("kai signatures: a group equal to one that failed is tried only if it requests less", "[kai]") {
  const auto of = [](int gpus) { return OnePodGroup{.name = {}, .spec = kTolerated, .gpus = gpus}; };
  CHECK(outcome_after_failed(of(2), of(1)) == Outcome::preempts);
}

// The first group needs both pods, and only one GPU can be freed. Of the second one, a scheduling gate holds one pod,
// so that fewer pods are pending; gates are no constraint that signatures cover. Source: min_representatives.go
// IsEasierToSchedule.
TEST_CASE("kai signatures: a group equal to one that failed is tried if fewer of its pods are pending", "[kai]") {
  OnePodGroup two{.name = {}, .spec = kTolerated};
  two.other = kTolerated;
  two.minimum = 2;
  OnePodGroup one = two;
  one.other = std::string(kTolerated) + ", schedulingGates: [{name: g}]";
  one.minimum = 1;
  CHECK(outcome_after_failed(two, one) == Outcome::preempts);
  CHECK(outcome_after_failed(two, two) != Outcome::preempts);
}

}  // namespace previct
