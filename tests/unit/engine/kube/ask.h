#pragma once

#include "support/cluster.h"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

/// What tests of the engine share about the pod ns/new.
namespace previct::test {

using Names = std::vector<std::string>;

/// Asks about the pod ns/new of a cluster that is made of documents.
[[nodiscard]] inline auto ask(const std::vector<std::string>& documents) -> Answer {
  return ask_kube(*a_cluster(documents), "ns/new");
}

/// A kube-scheduler that runs in the cluster.
[[nodiscard]] inline auto scheduler_pod(std::string_view release, std::string_view gates = "") -> std::string {
  return fmt::format(
      "apiVersion: v1\nkind: Pod\nmetadata: {{namespace: kube-system, name: kube-scheduler}}\n"
      "spec: {{containers: [{{name: kube-scheduler, image: 'registry.k8s.io/kube-scheduler:v{}', command: "
      "[kube-scheduler, '--feature-gates={}']}}]}}\nstatus: {{phase: Running}}\n",
      release, gates);
}

/// The rule that keeps the pod off the first node.
[[nodiscard]] inline auto first_rule(const Answer& answer) -> std::string {
  return answer.nodes.at(0).at("filter").at("reasons").at(0).at("rule");
}

[[nodiscard]] inline auto victims(const TestCluster& cluster, const Answer& answer) -> Names {
  Names names;
  for (const Victim& victim : answer.victims) names.push_back(cluster.snapshot->key(victim.pod));
  return names;
}

}  // namespace previct::test
