#include "engine/kai/snapshot/sub_groups.h"

#include "base/ascii.h"

#include <algorithm>
#include <map>
#include <string>

namespace previct::kai {
namespace {

const SubGroupShape kRefused = {{{.name = "default"}}, {}};

// Levels may be given by their aliases. Source: api/topology_info ResolveAliases.
auto term_of(const Snapshot& cluster, const TopologyConstraint& constraint, const Release& release) -> TopologyTerm {
  TopologyTerm term;
  term.given = constraint.topology || constraint.required || constraint.preferred;
  term.topology = cluster.text(constraint.topology);
  const auto resolved = [&](Symbol level) -> std::string_view {
    if (!release.has(Change::aliases_of_levels)) return cluster.text(level);
    for (const Topology& topology : cluster.objects().kai_topologies) {
      if (!level || topology.meta.name != constraint.topology) continue;
      const auto& levels = topology.spec.levels;
      const auto alias = std::find_if(levels.rbegin(), levels.rend(), [&](const auto& l) { return l.alias == level; });
      if (alias != levels.rend()) return cluster.text(alias->node_label);
    }
    return cluster.text(level);
  };
  term.required = resolved(constraint.required);
  term.preferred = resolved(constraint.preferred);
  return term;
}

// The root's constraint only counts if it names a topology.
auto root_term(const Snapshot& cluster, const PodGroupSpec& spec, const Release& release) -> TopologyTerm {
  return spec.topology.topology ? term_of(cluster, spec.topology, release) : TopologyTerm();
}

}  // namespace

auto sub_groups_of(const Snapshot& cluster, const PodGroupSpec& spec, const Release& release) -> SubGroupShape {
  PodSet only{.name = "default", .min = spec.min_member.value_or(1)};
  if (release.has(Change::minimum_is_at_least_1)) only.min = std::max(only.min, 1);
  const TopologyTerm root = root_term(cluster, spec, release);
  if (spec.sub_groups.empty()) {
    SubGroupShape shape{{only}, {}};
    if (spec.min_sub_group || root.given) shape.tree.inners.push_back({"", spec.min_sub_group, {}, {0}, root});
    return shape;
  }
  std::map<std::string_view, std::size_t> by_name;
  std::map<std::string, std::vector<std::size_t>, std::less<>> children;  // by the parent's name; "" is the root
  children.emplace();
  for (std::size_t i = 0; i < spec.sub_groups.size(); ++i) {
    const SubGroup& each = spec.sub_groups[i];
    if (!by_name.emplace(cluster.text(each.name), i).second) return kRefused;
    children[lower_case(cluster.text(each.parent))].push_back(i);
  }
  for (const auto& [parent, below] : children) {
    if (!parent.empty() && !by_name.contains(parent)) return kRefused;
  }
  // Depth first, so that parents come before children and sets are in upstream's order. Sub-groups below a loop of
  // parents are never reached.
  SubGroupShape shape;
  struct Open {
    std::string_view name;
    std::optional<std::int32_t> min;
    std::uint32_t parent;
    TopologyTerm topology;
  };
  std::vector<Open> open{{"", spec.min_sub_group, 0, root}};
  while (!open.empty()) {
    const Open at = open.back();
    open.pop_back();
    const auto index = static_cast<std::uint32_t>(shape.tree.inners.size());
    shape.tree.inners.push_back({at.name, at.min, {}, {}, at.topology});
    if (index != 0) shape.tree.inners[at.parent].inners.push_back(index);
    const std::vector<std::size_t>& below = children.find(at.name)->second;
    for (const std::size_t child : below) {
      const SubGroup& each = spec.sub_groups[child];
      if (children.contains(cluster.text(each.name))) continue;
      shape.tree.inners[index].sets.push_back(static_cast<std::uint32_t>(shape.sets.size()));
      shape.sets.push_back({.name = cluster.text(each.name),
                            .min = std::max(0, each.min_member.value_or(0)),
                            .topology = term_of(cluster, each.topology, release)});
    }
    for (auto child = below.rbegin(); child != below.rend(); ++child) {
      const SubGroup& each = spec.sub_groups[*child];
      if (!children.contains(cluster.text(each.name))) continue;
      open.push_back({cluster.text(each.name), each.min_sub_group, index, term_of(cluster, each.topology, release)});
    }
  }
  if (shape.sets.empty()) {
    shape.sets.push_back(only);
    shape.tree.inners[0].sets.push_back(0);
  }
  return shape;
}

}  // namespace previct::kai
