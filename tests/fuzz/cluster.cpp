// Whole clusters, generated from the bytes of the input: each byte is a choice. Every engine is asked about every
// pending pod. Then the cluster is written and read again, which must not change any answer.

#include "capture/capture.h"
#include "fuzz/ask.h"
#include "fuzz/fuzz.h"
#include "support/input.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>

namespace previct::fuzz {
namespace {

/// Choices, one byte each; the first option of each when there are no bytes left.
class Choices {
 public:
  explicit Choices(std::string_view bytes) : bytes_(bytes) {}

  auto below(std::size_t n) -> std::size_t {
    if (at_ == bytes_.size()) return 0;
    return static_cast<unsigned char>(bytes_[at_++]) % n;
  }
  template <std::size_t kSize>
  auto of(const std::array<std::string_view, kSize>& texts) -> std::string_view {
    return texts[below(kSize)];
  }
  auto perhaps(std::string text) -> std::string { return below(4) == 1 ? std::move(text) : std::string(); }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
};

constexpr std::array<std::string_view, 12> kAmounts = {
    "1", "2", "500m", "3", "0", "100m", "1500m", "-1", "9223372036854775807", "1n", "4Gi", "7"};
constexpr std::array<std::string_view, 10> kPriorities = {"0",   "100", "1000",       "1",           "99",
                                                          "101", "-1",  "2000000000", "-2147483648", "2147483647"};
constexpr std::array<std::string_view, 8> kTimes = {
    "2026-01-02T00:00:00Z", "2026-01-01T00:00:00Z", "2026-01-02T00:04:59Z", "2026-01-02T00:05:00Z",
    "2026-01-02T00:05:01Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "1970-01-01T00:00:00Z"};
constexpr std::array<std::string_view, 4> kKeys = {"zone", "app", "kubernetes.io/hostname", "tier"};
constexpr std::array<std::string_view, 4> kValues = {"a", "b", "c", ""};
constexpr std::array<std::string_view, 8> kOperators = {"In", "NotIn", "Exists", "DoesNotExist",
                                                        "Gt", "Lt",    "Near",   ""};
constexpr std::array<std::string_view, 4> kSchedulers = {"default-scheduler", "yunikorn", "kai-scheduler", "other"};

auto labels(Choices& choose) -> std::string {
  return fmt::format(R"({{"{}": "{}", "{}": "{}"}})", choose.of(kKeys), choose.of(kValues), choose.of(kKeys),
                     choose.of(kValues));
}

auto expression(Choices& choose) -> std::string {
  const std::string values = choose.below(3) == 0 ? "" : fmt::format(R"("{}")", choose.of(kValues));
  return fmt::format(R"({{"key": "{}", "operator": "{}", "values": [{}]}})", choose.of(kKeys), choose.of(kOperators),
                     values);
}

auto label_selector(Choices& choose) -> std::string {
  if (choose.below(3) == 0) return fmt::format(R"({{"matchExpressions": [{}]}})", expression(choose));
  return fmt::format(R"({{"matchLabels": {{"{}": "{}"}}}})", choose.of(kKeys), choose.of(kValues));
}

auto node(Choices& choose, std::size_t number) -> std::string {
  return fmt::format(
      R"({{"apiVersion": "v1", "kind": "Node", "metadata": {{"name": "n{0}", "labels": {1}}}, "spec": {{{2}}}, "status": {{"allocatable":
 {{"cpu": "{3}", "memory": "{4}", "pods": "{5}"}}}}}})",
      number, labels(choose),
      choose.perhaps(fmt::format(R"("taints": [{{"key": "{}", "effect": "{}"}}])", choose.of(kKeys),
                                 choose.below(2) == 0 ? "NoSchedule" : "NoExecute")),
      choose.of(kAmounts), choose.of(kAmounts), 1 + choose.below(5));
}

auto affinity(Choices& choose) -> std::string {
  switch (choose.below(8)) {
    case 1:
      return fmt::format(R"(, "affinity": {{"nodeAffinity": {{"requiredDuringSchedulingIgnoredDuringExecution":
 {{"nodeSelectorTerms": [{{"matchExpressions": [{}]}}]}}}}}})",
                         expression(choose));
    case 2:
      return fmt::format(R"(, "affinity": {{"{}": {{"requiredDuringSchedulingIgnoredDuringExecution":
 [{{"labelSelector": {}, "topologyKey": "{}"}}]}}}})",
                         choose.below(2) == 0 ? "podAffinity" : "podAntiAffinity", label_selector(choose),
                         choose.of(kKeys));
    case 3:
      return fmt::format(R"(, "topologySpreadConstraints": [{{"maxSkew": {}, "topologyKey": "{}", "whenUnsatisfiable":
 "DoNotSchedule", "labelSelector": {}}}])",
                         1 + choose.below(2), choose.of(kKeys), label_selector(choose));
    case 4: return fmt::format(R"(, "nodeSelector": {{"{}": "{}"}})", choose.of(kKeys), choose.of(kValues));
    case 5: return R"(, "hostNetwork": true)";
    case 6: return fmt::format(R"(, "tolerations": [{{"key": "{}", "operator": "Exists"}}])", choose.of(kKeys));
    default: return "";
  }
}

auto pod(Choices& choose, std::size_t number, std::size_t nodes) -> std::string {
  const bool waits = choose.below(3) == 0;
  const std::string place = waits ? choose.perhaps(R"(, "schedulingGates": [{"name": "g"}])")
                                  : fmt::format(R"(, "nodeName": "n{}")", choose.below(nodes + 1));
  const std::string status =
      waits
          ? fmt::format(R"("phase": "Pending"{})",
                        choose.perhaps(fmt::format(R"(, "nominatedNodeName": "n{}")", choose.below(nodes))))
          : fmt::format(
                R"("phase": "{}", "startTime": "{}", "conditions": [{{"type": "PodScheduled", "status": "True", "lastTransitionTime": "{}"}}])",
                choose.below(8) == 1 ? "Succeeded" : "Running", choose.of(kTimes), choose.of(kTimes));
  return fmt::format(
      R"({{"apiVersion": "v1", "kind": "Pod", "metadata": {{"name": "p{0}", "namespace": "{1}", "uid": "u{0}", "creationTimestamp": "{2}"{3},
 "labels": {4}}}, "spec": {{"schedulerName": "{5}", "priority": {6}, "priorityClassName": "c{7}"{8}{9}{10},
 "containers": [{{"name": "c", "resources": {{"requests": {{"cpu": "{11}", "memory": "{12}"}}}}{13}}}]}}, "status": {{{14}}}}})",
      number, choose.below(2) == 0 ? "default" : "team", choose.of(kTimes),
      choose.perhaps(fmt::format(R"(, "deletionTimestamp": "{}")", choose.of(kTimes))), labels(choose),
      choose.of(kSchedulers), choose.of(kPriorities), choose.below(3), place,
      choose.perhaps(R"(, "preemptionPolicy": "Never")"), affinity(choose), choose.of(kAmounts), choose.of(kAmounts),
      choose.perhaps(R"(, "ports": [{"containerPort": 80, "hostPort": 80}])"), status);
}

auto text_of(Choices& choose) -> std::string {
  std::string text;
  const std::size_t nodes = 1 + choose.below(4);
  for (std::size_t i = 0; i < nodes; ++i) text += node(choose, i) + '\n';
  for (std::size_t i = 0; i < 3; ++i) {
    const std::string tolerant =
        fmt::format(R"("preemption-toleration.scheduling.x-k8s.io/minimum-preemptable-priority": "{}",
 "preemption-toleration.scheduling.x-k8s.io/toleration-seconds": "{}")",
                    choose.of(kPriorities), choose.of(kPriorities));
    text +=
        fmt::format(
            R"({{"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": {{"name": "c{}", "annotations": {{{}}}}}, "value": {}}})",
            i, choose.below(2) == 0 ? tolerant : std::string(), choose.of(kPriorities)) +
        '\n';
  }
  for (std::size_t i = choose.below(3); i > 0; --i) {
    text +=
        fmt::format(
            R"({{"apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": {{"name": "b{}", "namespace": "default"}},
 "spec": {{"selector": {}}}, "status": {{"disruptionsAllowed": {}}}}})",
            i, label_selector(choose), static_cast<int>(choose.below(4)) - 1) +
        '\n';
  }
  for (std::size_t i = choose.below(3); i > 0; --i) {
    text +=
        fmt::format(
            R"({{"apiVersion": "scheduling.run.ai/v2", "kind": "Queue", "metadata": {{"name": "q{}"}}, "spec": {{"parentQueue": "q{}",
 "resources": {{"gpu": {{"quota": {}}}, "cpu": {{"quota": {}}}}}}}}})",
            i, choose.below(4), choose.below(3), choose.below(3)) +
        '\n';
  }
  const std::size_t pods = 2 + choose.below(9);
  for (std::size_t i = 0; i < pods; ++i) text += pod(choose, i, nodes) + '\n';
  return text;
}

}  // namespace

void cluster(std::string_view input) {
  Choices choose(input);
  const std::string text = text_of(choose);
  const auto cluster = cluster_of(text);
  insist(cluster != nullptr, "a made-up cluster cannot be read: " + text);
  const Capture manifest = capture::manifest_of(cluster->objects, nullptr, {});
  const auto captured = capture::text_of(cluster->objects, {}, manifest, capture::AsRead(cluster->objects.symbols));
  insist(captured.has_value(), "a cluster cannot be captured");
  const auto again = cluster_of(*captured);
  insist(again != nullptr, "a capture cannot be read");
  const Snapshot& snapshot = *cluster->snapshot;
  for (const PodId pod : snapshot.pods().ids()) {
    if (!snapshot.pending(pod)) continue;
    for (const Engine* engine : engines()) {
      Question question = question_about(std::string(snapshot.text(snapshot.pod(pod).meta.ns)),
                                         std::string(snapshot.text(snapshot.pod(pod).meta.name)));
      question.toleration_plugin = choose.below(2) == 0 ? Switch::on : Switch::off;
      insist_on_answer(*engine, *cluster, question);
      question.brief = true;
      const auto here = engine->decide(snapshot, question);
      const auto there = engine->decide(*again->snapshot, question);
      insist(here.has_value() == there.has_value(), "a capture is answered otherwise");
      insist(!here || (here->outcome == there->outcome && here->node == there->node &&
                       here->victims.size() == there->victims.size()),
             "a capture gives another decision");
    }
  }
}

}  // namespace previct::fuzz
