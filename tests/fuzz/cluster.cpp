// Whole clusters, generated from the bytes of the input: each byte is a choice. Every engine is asked about every
// pending pod, and Kueue's about every Workload. The decision must be the same from a capture of the cluster, from its
// objects in the other order, and with two threads; a list of all pods must be the same with three. Some answers are
// also printed in every format.

#include "analysis/list_answers.h"
#include "capture/capture.h"
#include "fuzz/ask.h"
#include "fuzz/fuzz.h"
#include "support/input.h"
#include "tell/tell.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

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
constexpr std::array<std::string_view, 5> kQuotas = {"1", "2", "4", "500m", "0"};
constexpr std::size_t kMostWorkloads = 5;
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

/// Objects of Kueue: a cohort of queues that borrow, and Workloads that have quota or wait for it.
void add_kueue(Choices& choose, std::vector<std::string>& objects) {
  const auto object = [&](std::string_view kind, std::string_view meta, std::string_view rest) {
    objects.push_back(fmt::format(R"({{"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "{}", "metadata": {{{}}}, {}}})",
                                  kind, meta, rest));
  };
  constexpr std::array<std::string_view, 3> kPolicies = {"Never", "LowerPriority", "Any"};
  constexpr std::array<std::string_view, 3> kWithin = {"Never", "LowerPriority", "LowerOrNewerEqualPriority"};
  object("ResourceFlavor", R"("name": "f")", R"("spec": {})");
  const std::size_t queues = 1 + choose.below(3);
  for (std::size_t i = 0; i < queues; ++i) {
    object(
        "ClusterQueue", fmt::format(R"("name": "q{}")", i),
        fmt::format(
            R"("spec": {{"namespaceSelector": {{}}, "cohortName": "{}", "queueingStrategy": "{}", "preemption": {{"reclaimWithinCohort": "{}",
 "withinClusterQueue": "{}"}}, "resourceGroups": [{{"coveredResources": ["cpu"], "flavors": [{{"name": "f", "resources": [{{"name": "cpu",
 "nominalQuota": "{}"{}}}]}}]}}]}})",
            choose.below(3) == 2 ? "" : "all", choose.below(2) == 0 ? "BestEffortFIFO" : "StrictFIFO",
            choose.of(kPolicies), choose.of(kWithin), choose.of(kQuotas),
            choose.perhaps(fmt::format(R"(, "borrowingLimit": "{}")", choose.of(kQuotas)))));
    object("LocalQueue", fmt::format(R"("name": "q{}", "namespace": "team")", i),
           fmt::format(R"("spec": {{"clusterQueue": "q{}"}})", i));
  }
  for (std::size_t i = choose.below(kMostWorkloads + 1); i > 0; --i) {
    const std::size_t queue = choose.below(queues);
    const std::string_view cpu = choose.of(kQuotas);
    const std::string_view time = choose.of(kTimes);
    const std::string status =
        choose.below(2) == 0
            ? std::string()
            : fmt::format(
                  R"(, "status": {{"admission": {{"clusterQueue": "q{0}", "podSetAssignments": [{{"name": "main", "count": 1, "flavors":
 {{"cpu": "f"}}, "resourceUsage": {{"cpu": "{1}"}}}}]}}, "conditions": [{{"type": "QuotaReserved", "status": "True", "reason":
 "QuotaReserved", "lastTransitionTime": "{2}"}}, {{"type": "Admitted", "status": "True", "reason": "Admitted", "lastTransitionTime":
 "{2}"}}]}})",
                  queue, cpu, time);
    object(
        "Workload",
        fmt::format(R"("name": "w{0}", "namespace": "team", "uid": "w{0}", "creationTimestamp": "{1}")", i, time),
        fmt::format(
            R"("spec": {{"queueName": "q{}", "priority": {}, "podSets": [{{"name": "main", "count": 1, "template": {{"spec":
 {{"containers": [{{"name": "c", "resources": {{"requests": {{"cpu": "{}"}}}}}}]}}}}}}]}}{})",
            queue, choose.of(kPriorities), cpu, status));
  }
}

/// JSON, each on lines of its own.
auto objects_of(Choices& choose) -> std::vector<std::string> {
  std::vector<std::string> objects;
  const std::size_t nodes = 1 + choose.below(4);
  for (std::size_t i = 0; i < nodes; ++i) objects.push_back(node(choose, i));
  for (std::size_t i = 0; i < 3; ++i) {
    const std::string tolerant =
        fmt::format(R"("preemption-toleration.scheduling.x-k8s.io/minimum-preemptable-priority": "{}",
 "preemption-toleration.scheduling.x-k8s.io/toleration-seconds": "{}")",
                    choose.of(kPriorities), choose.of(kPriorities));
    objects.push_back(fmt::format(
        R"({{"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": {{"name": "c{}", "annotations": {{{}}}}}, "value": {}}})",
        i, choose.below(2) == 0 ? tolerant : std::string(), choose.of(kPriorities)));
  }
  for (std::size_t i = choose.below(3); i > 0; --i) {
    objects.push_back(fmt::format(
        R"({{"apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": {{"name": "b{}", "namespace": "default"}},
 "spec": {{"selector": {}}}, "status": {{"disruptionsAllowed": {}}}}})",
        i, label_selector(choose), static_cast<int>(choose.below(4)) - 1));
  }
  for (std::size_t i = choose.below(3); i > 0; --i) {
    objects.push_back(fmt::format(
        R"({{"apiVersion": "scheduling.run.ai/v2", "kind": "Queue", "metadata": {{"name": "q{}"}}, "spec": {{"parentQueue": "q{}",
 "resources": {{"gpu": {{"quota": {}}}, "cpu": {{"quota": {}}}}}}}}})",
        i, choose.below(4), choose.below(3), choose.below(3)));
  }
  const std::size_t pods = 2 + choose.below(9);
  for (std::size_t i = 0; i < pods; ++i) objects.push_back(pod(choose, i, nodes));
  if (choose.below(3) == 1) add_kueue(choose, objects);
  return objects;
}

/// What is compared between two answers. Of equal nodes and pods, the answer shows those that come first.
auto decision_of(const Result<Verdict>& verdict, const Snapshot& cluster) -> std::string {
  if (!verdict) return "failure";
  std::vector<std::string> nodes = cluster.names(verdict->tied);
  if (nodes.size() < 2) nodes = {verdict->node};
  std::vector<std::string> victims;
  if (nodes.size() == 1 && !verdict->orders) {
    for (const Victim& victim : verdict->victims) victims.emplace_back(cluster.text(cluster.pod(victim.pod).meta.name));
  }
  std::sort(nodes.begin(), nodes.end());
  std::sort(victims.begin(), victims.end());
  return fmt::format("{} on {} evicts {}", outcome_name(verdict->outcome), fmt::join(nodes, ","),
                     fmt::join(victims, ","));
}

/// The cluster, and the same cluster from other inputs.
struct Variants {
  std::string text;
  bool has_negative_request;  // No API server accepts one. With it, a reprieved pod can make room for another.
  std::unique_ptr<Cluster> as_made;
  std::unique_ptr<Cluster> captured;
  std::unique_ptr<Cluster> other_order;
};

void insist_on_equal_answers(const Engine& engine, const Variants& variants, const Question& asked, bool print) {
  if (print) insist_on_answer(engine, *variants.as_made, asked);
  Question question = asked;
  question.brief = true;
  const auto answer = [&](const Cluster& cluster) {
    return decision_of(engine.decide(*cluster.snapshot, question), *cluster.snapshot);
  };
  const std::string here = answer(*variants.as_made);
  const auto insist_on = [&](const std::string& there, std::string_view what) {
    insist(here == there, fmt::format("{} gives another decision of {} about {}: {}, not {}\n{}", what, engine.name(),
                                      asked.name, there, here, variants.text));
  };
  insist_on(answer(*variants.captured), "a capture");
  if (!variants.has_negative_request) insist_on(answer(*variants.other_order), "another order of the objects");
  question.threads = 2;
  insist_on(answer(*variants.as_made), "a second thread");
}

// One line for each pending pod.
auto list_of(const Snapshot& cluster, unsigned threads) -> std::string {
  const std::vector<Subject> pods = pending_subjects(cluster, "");
  std::vector<Answer> answers;
  Question brief = question_about("", "");
  brief.brief = true;
  brief.threads = threads;
  ListAnswers list(cluster, pods, answers,
                   {.engine = "kube",
                    .question = std::move(brief),
                    .even_if_small = true,
                    .ask = [](const Snapshot& of_thread, const Subject& subject, const Question& question) {
                      return explain(engine_named("kube"), of_thread, about(subject, question));
                    }});
  std::string lines;
  for (std::size_t i = 0; i < pods.size(); ++i) {
    Result<Answer> answer = list.next();
    lines += answer ? fmt::format("{} {}\n", answer->subject_name, answer->sentence) : answer.error().message + "\n";
    answers.push_back(answer ? *std::move(answer) : Answer());
  }
  return lines;
}

}  // namespace

void cluster(std::string_view input) {
  Choices choose(input);
  std::vector<std::string> objects = objects_of(choose);
  const std::string text = fmt::format("{}\n", fmt::join(objects, "\n"));
  std::reverse(objects.begin(), objects.end());
  const bool negative =
      text.find(R"("cpu": "-1")") != std::string::npos || text.find(R"("memory": "-1")") != std::string::npos;
  Variants variants{text, negative, cluster_of(text), nullptr,
                    cluster_of(fmt::format("{}\n", fmt::join(objects, "\n")))};
  insist(variants.as_made != nullptr && variants.other_order != nullptr, "a made-up cluster cannot be read: " + text);
  const Objects& read = variants.as_made->objects;
  const auto captured =
      capture::text_of(read, {}, capture::manifest_of(read, nullptr, {}), capture::AsRead(read.symbols));
  insist(captured.has_value(), "a cluster cannot be captured");
  variants.captured = cluster_of(*captured);
  insist(variants.captured != nullptr, "a capture cannot be read");
  const Snapshot& snapshot = *variants.as_made->snapshot;
  for (const PodId pod : snapshot.pods().ids()) {
    if (!snapshot.pending(pod)) continue;
    for (const Engine* engine : engines()) {
      Question question = question_about(std::string(snapshot.text(snapshot.pod(pod).meta.ns)),
                                         std::string(snapshot.text(snapshot.pod(pod).meta.name)));
      question.toleration_plugin = choose.below(2) == 0 ? "on" : "off";
      insist_on_equal_answers(*engine, variants, question, choose.below(8) == 1);
    }
  }
  insist(list_of(snapshot, 3) == list_of(snapshot, 1), "three threads give another list about " + text);
  for (std::size_t i = 0; i < kMostWorkloads; ++i) {
    Question question = question_about("team", fmt::format("w{}", i + 1));
    question.kind = "workload";
    insist_on_equal_answers(engine_named("kueue"), variants, question, false);
  }
}

}  // namespace previct::fuzz
