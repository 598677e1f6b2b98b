// Why no node takes a group of KAI, whatever is evicted, and what keeps a group from being tried.
// Source: kai-scheduler/KAI-Scheduler: pkg/scheduler/plugins/predicates, api/node_info (d5bc503a).
#include "support/kai.h"
#include "support/kai_cycle.h"

using namespace previct;
using namespace previct::test::cycles;

namespace {

// Queue want may use 4 GPUs and uses none. The node, with 4 free GPUs, is `a`.
auto sentence(const std::string& nodes, const PodText& of, std::string_view more = "") -> std::string {
  return test::AskedGroup(std::string(kTrain) + queue("want", 4) + nodes + alone(of) + std::string(more), "p")
      .explain()
      .sentence;
}

auto with_spec(std::string text, const std::string& spec) -> std::string {
  return text.insert(text.find("status: {allocatable"), fmt::format("spec: {{{}}}, ", spec));
}

const PodText kOneGpu = {.name = "p", .request = kGpuEach};

}  // namespace

TEST_CASE("kai words: a node that rejects the pod is named with the reason", "[kai]") {
  const std::string end = "; evicting pods does not change that";
  const std::string start = "stays pending: no node takes it: ";
  CHECK(sentence(node("a", 4), kOneGpu) == "fits on a now; no pod is evicted");
  CHECK(sentence(with_spec(node("a", 4), "unschedulable: true"), kOneGpu) == start + "a is cordoned" + end);
  const std::string tainted = with_spec(node("a", 4), "taints: [{key: only, value: x, effect: NoSchedule}]");
  CHECK(sentence(tainted, kOneGpu) == start + "a has the taint only=x:NoSchedule" + end);
  CHECK(sentence(node("a", 4), {.name = "p", .request = kGpuEach, .spec = ", nodeSelector: {disk: ssd}"})
            .starts_with(start + "a does not match "));
  std::string unready = node("a", 4);
  unready.replace(unready.find("status: \"True\""), 14, "status: \"False\"");
  CHECK(sentence(unready, kOneGpu) == start + "a is not ready, or reports pressure or no network" + end);
  std::string unlabeled = node("a", 4);
  unlabeled.replace(unlabeled.find("nvidia.com/gpu.memory"), 21, "other");
  CHECK(sentence(unlabeled, {.name = "p", .annotations = ", gpu-memory: \"1024\""}) ==
        start + "a has no label nvidia.com/gpu.memory, and the pod requests GPU memory" + end);
  // Two cordoned nodes count together.
  CHECK(sentence(with_spec(node("a", 4), "unschedulable: true") + with_spec(node("b", 4), "unschedulable: true"),
                 kOneGpu) == start + "2 nodes are cordoned" + end);
}

TEST_CASE("kai words: of nodes that lack resources, one that has them and rejects the pod is named, too", "[kai]") {
  // a has 0 GPUs, b has 4 and is cordoned.
  CHECK(sentence(node("a", 0) + with_spec(node("b", 4), "unschedulable: true"), kOneGpu)
            .starts_with("stays pending: no node has a free GPU; b is cordoned; "));
}

TEST_CASE("kai words: a node of another shard is not a node of this one", "[kai]") {
  CHECK(sentence(node("a", 4, ", kai.scheduler/node-pool: other"), kOneGpu) ==
        "stays pending: no node belongs to shard default (label kai.scheduler/node-pool: a other)");
}

TEST_CASE("kai words: a missing claim, ConfigMap or Topology is named", "[kai]") {
  const std::string claim = sentence(
      node("a", 4),
      {.name = "p", .request = kGpuEach, .spec = ", volumes: [{name: v, persistentVolumeClaim: {claimName: data}}]"},
      "---\n{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: other, namespace: ml}}\n");
  CHECK(claim.starts_with("stays pending: "));
  CHECK(claim.find("data") != std::string::npos);
  CHECK(sentence(node("a", 4),
                 {.name = "p",
                  .request = kGpuEach,
                  .spec = ", volumes: [{name: v, configMap: {name: settings}}]",
                  .container = ", volumeMounts: [{name: v, mountPath: /x}]"},
                 "---\n{apiVersion: v1, kind: ConfigMap, metadata: {name: other, namespace: ml}}\n") ==
        "stays pending: the ConfigMap ml/settings does not exist");
}

TEST_CASE("kai volumes: if the input has no PersistentVolumeClaim, it is not known whether a claim exists", "[kai]") {
  // Source: pkg/scheduler/k8s_internal/predicates VolumeBinding PreFilter, which refuses a pod without its claim.
  const auto asked = [](int gpus, std::string_view more) {
    return test::AskedGroup(std::string(kTrain) + queue("want", 4) + node("a", gpus) +
                                alone({.name = "p",
                                       .request = kGpuEach,
                                       .spec = ", volumes: [{name: v, persistentVolumeClaim: {claimName: data}}]"}) +
                                std::string(more),
                            "p")
        .explain();
  };
  const Answer unknown = asked(4, "");
  CHECK(unknown.outcome == Outcome::unknown);
  CHECK(unknown.sentence.starts_with(
      "cannot tell, because the pod uses the claim data, but the input has no PersistentVolumeClaim"));
  // Without a GPU, it stays pending wherever its volume is.
  CHECK(asked(0, "").outcome == Outcome::pending);
  CHECK(asked(4, "---\n{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: other, namespace: ml}}\n")
            .outcome == Outcome::pending);
}

TEST_CASE("kai words: the free part of a GPU that is too small is named", "[kai]") {
  // The pods of queue have, which is within its quota, share the GPUs of node a.
  // Source: api/node_info/gpu_sharing_node_info.go isTaskAllocatableOnGpu.
  const auto beside = [](int gpus, const PodText& running, const PodText& asked) {
    return test::AskedGroup(std::string(kTrain) + queue("want", 2) + queue("have", 2) + node("a", gpus) +
                                alone(running, "have") + alone(asked),
                            "p")
        .explain()
        .sentence;
  };
  // 102400 - 60000 = 42400 MiB are free.
  CHECK(beside(1, {.name = "e", .node = "a", .annotations = ", gpu-memory: \"60000\"", .labels = "runai-gpu-group: g"},
               {.name = "p", .annotations = ", gpu-memory: \"50000\""})
            .starts_with("stays pending: no node has 1 GPU with 50000 MiB free; "));
}

TEST_CASE("kai words: a gang with too few pods is reported with its numbers", "[kai]") {
  const auto of = [](const std::string& pods) {
    return test::AskedGroup(
               std::string(kTrain) + queue("want", 4) + node("a", 4) + group("p", "want", ", minMember: 3") + pods, "p")
        .explain()
        .sentence;
  };
  const std::string two = pod({.name = "p0", .group = "p"}) + pod({.name = "p1", .group = "p"});
  CHECK(of(two) == "stays pending: it has 2 pods, and its minMember is 3");
  CHECK(of(two + pod({.name = "p2", .group = "p", .spec = ", schedulingGates: [{name: g}]"})) ==
        "stays pending: 1 of its 3 pods has scheduling gates, and its minMember is 3");
}

TEST_CASE("kai words: a pod with a BindRequest is being bound, not running", "[kai]") {
  const std::string bind =
      "---\n{apiVersion: scheduling.run.ai/v1alpha2, kind: BindRequest, metadata: {name: p, namespace: ml}, spec: "
      "{podName: p, selectedNode: a, receivedResourceType: Regular}}\n";
  CHECK(sentence(node("a", 4), kOneGpu, bind) == "is already scheduled: pods of it are being bound to a (BindRequest)");
}

TEST_CASE("kai semi-preemptible: what it evicts, or evicts for it, is not known", "[kai]") {
  // e runs 2 pods on the only 2 GPUs, above the quota 0 of its queue. p of queue want, which has a quota of 1, reclaims
  // from it. KAI 0.18 evicts at most the pod above the minimum of e; older releases have no such value.
  const auto asked = [](const std::string& preemptibility, const std::string& version) {
    test::AskedGroup question(std::string(kTrain) + queue("want", 1) + queue("have", 0) + node("a", 2) +
                                  group("e", "have", ", minMember: 1" + preemptibility) +
                                  pod({.name = "e0", .group = "e", .node = "a", .request = kGpuEach}) +
                                  pod({.name = "e1", .group = "e", .node = "a", .request = kGpuEach}) +
                                  alone({.name = "p", .request = kGpuEach}),
                              "p");
    question.question.kai_version = version;
    return question.explain();
  };
  CHECK(asked(", preemptibility: preemptible", "").outcome == Outcome::preempts);
  const Answer answer = asked(", preemptibility: semi-preemptible", "");
  CHECK(answer.outcome == Outcome::unknown);
  CHECK(answer.sentence.starts_with(
      "cannot tell, because evictions by KAI 0.18 with semi-preemptible groups (ml/e) are not modeled"));
  CHECK(asked(", preemptibility: semi-preemptible", "0.18").outcome == Outcome::unknown);
  CHECK(asked(", preemptibility: semi-preemptible", "0.17").outcome == Outcome::preempts);
}

TEST_CASE("kai semi-preemptible: a preemptible group that fits is placed nevertheless", "[kai]") {
  const Answer answer = test::AskedGroup(std::string(kTrain) + queue("want", 1) + queue("have", 0) + node("a", 2) +
                                             group("e", "have", ", minMember: 1, preemptibility: semi-preemptible") +
                                             pod({.name = "e0", .group = "e", .node = "a", .request = kGpuEach}) +
                                             alone({.name = "p", .request = kGpuEach}),
                                         "p")
                            .explain();
  CHECK(answer.outcome == Outcome::fits);
  CHECK(std::any_of(answer.gaps.begin(), answer.gaps.end(),
                    [](const Gap& gap) { return gap.rule == GapRule::kai_release_evicts && may_change_answer(gap); }));
}
