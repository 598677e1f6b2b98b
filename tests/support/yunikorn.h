#pragma once

#include "engine/engine.h"
#include "support/input.h"
#include "tell/tell.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <memory>
#include <string>

namespace previct {
extern const Engine& yunikorn_engine;
}

namespace previct::test {

/// Asks the engine about pods of the namespace ns at noon.
struct Asked {
  explicit Asked(const std::string& manifests) { REQUIRE(test::read_text(manifests, objects)); }

  auto explain(const std::string& name) -> Answer {
    cluster = std::make_unique<Snapshot>(objects);
    question.ns = "ns";
    question.name = name;
    question.now = *parse_instant("2026-05-01T12:00:00Z");
    auto answer = previct::explain(yunikorn_engine, *cluster, question);
    REQUIRE(answer);
    return *std::move(answer);
  }
  auto failure(const std::string& name) -> Failure {
    cluster = std::make_unique<Snapshot>(objects);
    question.ns = "ns";
    question.name = name;
    const auto answer = previct::explain(yunikorn_engine, *cluster, question);
    REQUIRE_FALSE(answer);
    return answer.error();
  }
  void queues(const std::string& text) {
    question.yunikorn_config = ConfigFile{objects.files.add("queues.yaml"), text};
  }
  void assume(const std::string& text) { question.assumptions = ConfigFile{objects.files.add("assume.yaml"), text}; }

  Objects objects;
  Question question;
  std::unique_ptr<Snapshot> cluster;
};

[[nodiscard]] inline auto node(const std::string& name, const std::string& spec = "") -> std::string {
  return fmt::format(
      R"({{"apiVersion": "v1", "kind": "Node", "metadata": {{"name": "{}"}}, "spec": {{{}}}, "status": {{"allocatable": {{"cpu": "4", "memory": "8Gi", "pods": "110"}}}}}})"
      "\n",
      name, spec);
}

/// A pod of YuniKorn; its application has the name of the pod unless `app` is set.
struct YunikornPod {
  std::string name;
  std::string cpu = "1";
  std::string requests = "";  // further ones: `, "memory": "1Gi"`
  std::string on = "n";
  int priority = 0;
  int minute = 0;  // creation time, in minutes after 11:00
  std::string queue = "root.a";
  std::string app = "";
  std::string meta = "";
  std::string spec = "";
};

[[nodiscard]] inline auto pod(const YunikornPod& p) -> std::string {
  return fmt::format(
      R"({{"apiVersion": "v1", "kind": "Pod", "metadata": {{{}"name": "{}", "namespace": "ns", "uid": "u-{}", "creationTimestamp": "2026-05-01T11:{:02}:00Z", )"
      R"("labels": {{"applicationId": "{}", "queue": "{}"}}}}, "spec": {{{}{}"schedulerName": "yunikorn", "priority": {}, "containers": [{{"name": "c", "resources": {{"requests": {{"cpu": "{}"{}}}}}}}]}}}})"
      "\n",
      p.meta, p.name, p.name, p.minute, p.app.empty() ? p.name : p.app, p.queue, p.spec,
      p.on.empty() ? "" : fmt::format(R"("nodeName": "{}", )", p.on), p.priority, p.cpu, p.requests);
}

/// Returns a pending pod of a DaemonSet for node n.
[[nodiscard]] inline auto daemon(const std::string& cpu = "1", const std::string& spec = "",
                                 const std::string& requests = "") -> std::string {
  YunikornPod p;
  p.name = "d";
  p.cpu = cpu;
  p.requests = requests;
  p.on = "";
  p.meta = R"("ownerReferences": [{"kind": "DaemonSet", "name": "s", "uid": "u"}], )";
  p.spec =
      R"("affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [{"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["n"]}]}]}}}, )" +
      spec;
  return pod(p);
}

}  // namespace previct::test
