#pragma once

#include "engine/engine.h"
#include "support/cluster.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

/// Helpers for questions about the pod ns/new, shared by the tests of the kube engine.
namespace previct::test {

using Names = std::vector<std::string>;

/// Returns the answer for the pod ns/new in a cluster that is made of `documents`.
[[nodiscard]] inline auto ask(const std::vector<std::string>& documents) -> Answer {
  return ask_kube(*a_cluster(documents), "ns/new");
}

/// A question about the pod ns/new, at the time that ask() uses.
[[nodiscard]] inline auto a_question() -> Question {
  Question question;
  question.ns = "ns";
  question.name = "new";
  question.now = parse_instant("2026-03-02T12:00:00Z").value();
  return question;
}
/// A scheduler configuration of one profile; `fields` are its fields in flow style.
[[nodiscard]] inline auto with_profile(std::string_view fields) -> ConfigFile {
  return {FileId{}, fmt::format("apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n"
                                "profiles: [{{{}}}]\n",
                                fields)};
}
/// Returns the verdict of the kube engine, before it is put into words.
[[nodiscard]] inline auto verdict_on(const TestCluster& cluster, const Question& question) -> Verdict {
  const auto& all = engines();
  const auto kube = std::find_if(all.begin(), all.end(), [](const Engine* each) { return each->name() == "kube"; });
  auto verdict = (*kube)->decide(*cluster.snapshot, question);
  if (!verdict) throw std::runtime_error(verdict.error().message);
  return *std::move(verdict);
}

/// A pod of a kube-scheduler that runs in the cluster.
[[nodiscard]] inline auto scheduler_pod(std::string_view release, std::string_view gates = "") -> std::string {
  return fmt::format(
      "apiVersion: v1\nkind: Pod\nmetadata: {{namespace: kube-system, name: kube-scheduler}}\n"
      "spec: {{containers: [{{name: kube-scheduler, image: 'registry.k8s.io/kube-scheduler:v{}', command: "
      "[kube-scheduler, '--feature-gates={}']}}]}}\nstatus: {{phase: Running}}\n",
      release, gates);
}

/// Returns the rule that keeps the pod off the first node.
[[nodiscard]] inline auto first_rule(const Answer& answer) -> std::string {
  return answer.nodes.at(0).at("filter").at("reasons").at(0).at("rule");
}

[[nodiscard]] inline auto victims(const TestCluster& cluster, const Answer& answer) -> Names {
  Names names;
  for (const Victim& victim : answer.victims) names.push_back(cluster.snapshot->key(victim.pod));
  return names;
}

}  // namespace previct::test
