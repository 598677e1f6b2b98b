#pragma once

#include "lint/lint_report.h"
#include "lint/linter.h"
#include "lint/settings.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

/// Helpers for texts with file names: what is applied together, and the findings.
namespace previct::lint::together {

using Texts = std::vector<std::pair<std::string, std::string>>;

inline void read(Tree& tree, const Texts& texts, const std::vector<NamedScope>& named = {}) {
  for (const auto& [name, text] : texts) tree.read_text(name, text, false);
  tree.finish(named);
}

// Returns `kustomization overlays/a: base/x.yaml overlays/a/y.yaml`, by the names of the files.
inline auto scopes_of(const Texts& texts, const std::vector<NamedScope>& named = {}) -> std::vector<std::string> {
  Tree tree;
  read(tree, texts, named);
  std::vector<std::string> out;
  for (const Scope& scope : tree.scopes()) {
    std::set<std::string> files;
    for (const Manifest* manifest : scope.manifests) files.insert(manifest->as_read().source->name);
    std::string line =
        std::string(scope_kind_name(scope.kind)) + ' ' + scope.name + (scope.partial ? " (partial):" : ":");
    for (const std::string& file : files) line += ' ' + file;
    out.push_back(line);
  }
  return out;
}

inline auto found(const Texts& texts, std::string_view rule, const std::vector<NamedScope>& named = {})
    -> std::vector<std::string> {
  Tree tree;
  read(tree, texts, named);
  std::vector<std::string> out;
  for (const Finding& finding : lint::lint(tree, {}, {}).items) {
    if (finding.rule == rule) out.push_back(described(finding.place) + ' ' + finding.message);
  }
  return out;
}

inline auto deployment(const std::string& name, const std::string& labels, const std::string& more = "")
    -> std::string {
  return "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: " + name +
         "}\nspec:\n  template:\n    metadata: {labels: " + labels + "}\n    spec:\n" + more +
         "      containers: [{name: c, image: i}]\n";
}

inline auto budget_for(const std::string& name, const std::string& labels) -> std::string {
  return "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: " + name +
         "}\nspec:\n  maxUnavailable: 1\n  selector: {matchLabels: " + labels + "}\n";
}

inline auto class_named(const std::string& name) -> std::string {
  return "apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: " + name + "}\nvalue: 100\n";
}

}  // namespace previct::lint::together
