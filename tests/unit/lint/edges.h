#pragma once

#include "lint/linter.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

/// Limits of rules: manifests that differ in one thing from the rules' examples. The expectations follow from what the
/// rule says about upstream.
namespace previct::lint::edges {

/// `findings`: a part of each expected message, in order.
struct Edge {
  std::string_view rule;
  std::string_view what;
  std::string text;
  std::vector<std::string> findings;
};

inline auto findings_of(std::string_view rule, const std::string& text, bool whole = true) -> std::vector<Finding> {
  Tree tree;
  tree.read_text("m.yaml", text, false);
  CHECK(tree.broken().empty());
  tree.finish({}, whole);
  std::vector<Finding> of;
  for (Finding& finding : lint::lint(tree, {}, {}).items) {
    if (finding.rule == rule) of.push_back(std::move(finding));
  }
  return of;
}

inline void check(const std::vector<Edge>& edges) {
  for (const Edge& edge : edges) {
    INFO(edge.rule << ": " << edge.what << '\n' << edge.text);
    const auto found = findings_of(edge.rule, edge.text);
    CHECK(found.size() == edge.findings.size());
    for (std::size_t i = 0; i < std::min(found.size(), edge.findings.size()); ++i)
      CHECK_THAT(found[i].message, Catch::Matchers::Contains(edge.findings[i]));
  }
}

inline auto object(std::string_view api, std::string_view kind, std::string_view meta, std::string_view rest)
    -> std::string {
  return fmt::format("---\napiVersion: {}\nkind: {}\nmetadata: {{{}}}\n{}\n", api, kind, meta, rest);
}
inline auto priority_class(std::string_view name, int value, std::string_view more = "") -> std::string {
  return object("scheduling.k8s.io/v1", "PriorityClass", fmt::format("name: {}", name),
                fmt::format("value: {}\n{}", value, more));
}
inline auto kai_queue(std::string_view name, std::string_view spec) -> std::string {
  return object("scheduling.run.ai/v2", "Queue", fmt::format("name: {}", name), fmt::format("spec: {{{}}}", spec));
}
/// `pod`: fields of the template's spec, `meta`: fields of its metadata.
inline auto workload(std::string_view kind, std::string_view name, std::string_view pod,
                     std::string_view more = "replicas: 3", std::string_view meta = "labels: {app: a}") -> std::string {
  return object(
      "apps/v1", kind, fmt::format("name: {}", name),
      fmt::format("spec:\n  {}\n  template:\n    metadata: {{{}}}\n    spec: {{containers: [{{name: c}}]{}{}}}", more,
                  meta, pod.empty() ? "" : ", ", pod));
}
inline auto pod(std::string_view meta, std::string_view spec, std::string_view rest = "") -> std::string {
  return object("v1", "Pod", meta,
                fmt::format("spec: {{containers: [{{name: c}}]{}{}}}\n{}", spec.empty() ? "" : ", ", spec, rest));
}
inline auto budget(std::string_view meta, std::string_view app) -> std::string {
  return object("policy/v1", "PodDisruptionBudget", meta,
                fmt::format("spec: {{minAvailable: 1, selector: {{matchLabels: {{app: {}}}}}}}", app));
}
inline auto yunikorn_queue(std::string_view properties) -> std::string {
  return fmt::format(
      "partitions:\n- name: default\n  queues:\n  - name: root\n    queues:\n    - name: a\n      properties: {{{}}}\n",
      properties);
}

inline const std::string kLow = priority_class("low", 100);
inline const std::string kTwo = kLow + priority_class("high", 9000);
inline constexpr std::string_view kOwned =
    "name: p, ownerReferences: [{kind: ReplicaSet, name: r, uid: u, controller: true}]";
inline constexpr std::string_view kDone = "status: {phase: Succeeded}";

}  // namespace previct::lint::edges
