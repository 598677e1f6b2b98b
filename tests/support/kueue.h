#pragma once

#include "engine/kueue/account.h"
#include "support/input.h"
#include "tell/tell.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <memory>
#include <string>

namespace previct {
extern const Engine& kueue_engine;
}

namespace previct::test {

/// Asks the engine about workloads of the namespace ns at noon.
struct KueueAsked {
  explicit KueueAsked(const std::string& manifests) { REQUIRE(test::read_text(manifests, objects)); }

  auto decide(const std::string& name) -> Result<Verdict> {
    cluster = std::make_unique<Snapshot>(objects);
    question.kind = "workload";
    question.ns = "ns";
    question.name = name;
    question.now = *parse_instant("2026-05-01T12:00:00Z");
    return kueue_engine.decide(*cluster, question);
  }
  auto explain(const std::string& name) -> Answer {
    auto verdict = decide(name);
    REQUIRE(verdict);
    return tell(*cluster, question, *std::move(verdict));
  }
  auto failure(const std::string& name) -> Failure {
    const auto verdict = decide(name);
    REQUIRE_FALSE(verdict);
    return verdict.error();
  }
  void config(const std::string& text) {
    question.kueue_config = ConfigFile{objects.files.add("kueue-config.yaml"),
                                       "apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\n" + text};
  }

  Objects objects;
  Question question;
  std::unique_ptr<Snapshot> cluster;
};

/// A list that shows that the cluster has no Cohort objects.
inline const std::string kNoCohorts = "---\n{apiVersion: kueue.x-k8s.io/v1beta2, kind: CohortList, items: []}\n";

/// Fair sharing in a Configuration of v1beta2, which has no default for the strategies.
inline const std::string kFairSharing =
    "fairSharing: {preemptionStrategies: [LessThanOrEqualToFinalShare, LessThanInitialShare]}";

/// `spec`: more fields in flow style, each followed by a comma.
[[nodiscard]] inline auto kueue_object(const std::string& kind, const std::string& name, const std::string& spec,
                                       const std::string& ns = "") -> std::string {
  return fmt::format("---\n{{apiVersion: kueue.x-k8s.io/v1beta2, kind: {}, metadata: {{name: {}{}}}, spec: {{{}}}}}\n",
                     kind, name, ns.empty() ? "" : ", namespace: " + ns, spec);
}
[[nodiscard]] inline auto flavor(const std::string& name = "f", const std::string& spec = "") -> std::string {
  return kueue_object("ResourceFlavor", name, spec);
}

struct QueueOf {
  std::string name = "q";
  std::string cpu = "4";  ///< nominal quota, of flavor f
  std::string cohort = "";
  std::string limits = "";      ///< `, lendingLimit: 1`
  std::string preemption = "";  ///< `withinClusterQueue: LowerPriority`
  std::string more = "";        ///< `, queueingStrategy: StrictFIFO`
};
/// Returns a ClusterQueue, and a LocalQueue of the same name.
[[nodiscard]] inline auto queue(const QueueOf& q) -> std::string {
  return kueue_object("ClusterQueue", q.name,
                      fmt::format("namespaceSelector: {{}}, {}preemption: {{{}}}, resourceGroups: [{{coveredResources: "
                                  "[cpu], flavors: [{{name: f, resources: [{{name: cpu, nominalQuota: {}{}}}]}}]}}]{}",
                                  q.cohort.empty() ? "" : fmt::format("cohortName: {}, ", q.cohort), q.preemption,
                                  q.cpu, q.limits, q.more)) +
         kueue_object("LocalQueue", q.name, "clusterQueue: " + q.name, "ns");
}

struct WorkloadOf {
  std::string name;
  std::string queue = "q";
  std::string cpu = "1";
  int priority = 0;
  bool holds = false;  ///< whether it has quota of its queue reserved, on flavor f
  int minute = 0;      ///< creation time, in minutes after 11:00
  std::string meta = "";
  std::string sets = "";    ///< more of its pod set: `, minCount: 1`
  std::string spec = "";    ///< more of its spec
  std::string pod = "";     ///< more of its pods' spec
  std::string status = "";  ///< more conditions, each preceded by a comma
  int count = 1;
};
[[nodiscard]] inline auto workload(const WorkloadOf& w) -> std::string {
  const std::string time = fmt::format("\"2026-05-01T11:{:02}:00Z\"", w.minute);
  std::string status;
  if (w.holds) {
    status = fmt::format(
        ", status: {{admission: {{clusterQueue: {}, podSetAssignments: [{{name: main, count: {}, flavors: {{cpu: f}}, "
        "resourceUsage: {{cpu: \"{}\"}}}}]}}, conditions: [{{type: QuotaReserved, status: \"True\", reason: "
        "QuotaReserved, "
        "lastTransitionTime: {}}}, {{type: Admitted, status: \"True\", reason: Admitted, lastTransitionTime: {}}}{}]}}",
        w.queue, w.count, w.cpu, time, time, w.status);
  }
  return fmt::format(
      "---\n{{apiVersion: kueue.x-k8s.io/v1beta2, kind: Workload, metadata: {{name: {}, namespace: ns, uid: {}, "
      "creationTimestamp: {}{}}}, spec: {{queueName: {}, priority: {}{}, podSets: [{{name: main, count: {}{}, "
      "template: "
      "{{spec: {{{}containers: [{{name: c, image: x, resources: {{requests: {{cpu: \"{}\"}}}}}}]}}}}}}]}}{}}}\n",
      w.name, w.name, time, w.meta, w.queue, w.priority, w.spec, w.count, w.sets, w.pod, w.cpu, status);
}

}  // namespace previct::test
