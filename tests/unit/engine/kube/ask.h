#pragma once

#include "support/cluster.h"

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
