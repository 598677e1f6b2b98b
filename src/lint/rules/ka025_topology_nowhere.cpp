#include "lint/rule.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct::lint {
namespace {

auto topology_of(const Repository& repository, std::string_view name) -> const Manifest* {
  for (const Manifest* each : repository.of(kind::kKaiTopology)) {
    if (each->name == name) return each;
  }
  return nullptr;
}

// Returns true if some node has the labels of all levels: only such nodes belong to a topology.
auto some_node_has_all(const Repository& repository, const Manifest& topology) -> bool {
  const std::vector<const Manifest*>& nodes = repository.of(kind::kNode);
  return std::any_of(nodes.begin(), nodes.end(), [&](const Manifest* node) {
    const Value labels = node->in("metadata.labels");
    bool all = true;
    for (const Value& level : topology.in("spec.levels")) all = all && labels[level["nodeLabel"].text()];
    return all;
  });
}

auto has_level(const Manifest& topology, std::string_view name) -> bool {
  for (const Value& level : topology.in("spec.levels")) {
    if (level["nodeLabel"].text() == name || level["alias"].text() == name) return true;
  }
  return false;
}

void check(const Repository& repository, const Manifest& group, const Value& constraint, FindingSink& found) {
  const Value name = constraint["topology"];
  if (!name || name.text().empty()) return;
  const Manifest* topology = topology_of(repository, name.text());
  if (topology == nullptr) {
    if (!repository.of(kind::kKaiTopology).empty())
      found.value(name, fmt::format("{}: no Topology {} in the input", group.identity(), name.text()));
    return;
  }
  for (const char* key : {"requiredTopologyLevel", "preferredTopologyLevel"}) {
    const Value level = constraint[key];
    if (!level || level.text().empty() || has_level(*topology, level.text())) continue;
    found.value(level, fmt::format("{}: topology {} has no level {}", group.identity(), name.text(), level.text()))
        .related(topology->in("spec.levels"), "its levels are these");
  }
  if (!repository.of(kind::kNode).empty() && !some_node_has_all(repository, *topology)) {
    found
        .value(name,
               fmt::format("{}: no node has the labels of all levels of topology {}", group.identity(), name.text()))
        .related(topology->in("spec.levels"), "its levels are these");
  }
}

}  // namespace

const Rule& ka025_topology_nowhere_rule = Rule{
    .id = "KA025",
    .name = "topology-nowhere",
    .severity = Severity::error,
    .title = "a topology that no node has, or a level that the topology lacks",
    .why =
        "KAI places a group with a topology constraint only below a domain of that topology, and a node is in one only "
        "if it has the labels of all its levels. Without any, the group stays pending, whatever is free.",
    .how_to_fix = "Correct the name, or label the nodes.",
    .source = "kai-scheduler/KAI-Scheduler pkg/scheduler/plugins/topology (topology_plugin.go, job_filtering.go)",
    .check = [](const Repository& repository, FindingSink& found) {
      for (const Manifest* group : repository.of(kind::kKaiPodGroup)) {
        check(repository, *group, group->in("spec.topologyConstraint"), found);
        for (const Value& sub : group->in("spec.subGroups"))
          check(repository, *group, sub["topologyConstraint"], found);
      }
    }};

}  // namespace previct::lint
