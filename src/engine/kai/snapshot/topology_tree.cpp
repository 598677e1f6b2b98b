#include "engine/kai/snapshot/topology_tree.h"

#include <algorithm>

namespace previct::kai {
namespace {

void add_shard_node(const ClusterInfo& cluster_info, ShardNodeId shard_node, TopologyTree& tree) {
  const Snapshot& cluster = cluster_info.cluster();
  const SymbolMap& labels = cluster.node(cluster_info.shard_nodes()[shard_node].node).meta.labels;
  std::vector<std::string_view> values;
  for (const std::string_view level : tree.levels) {
    const Symbol key = cluster.symbol(level);
    if (!key || !labels.has(key)) return;
    values.push_back(cluster.text(labels.get(key)));
  }
  tree.domains[0].shard_nodes.push_back(shard_node);
  std::uint32_t parent = 0;
  std::string id;
  for (std::size_t level = 0; level < values.size(); ++level) {
    id += (level == 0 ? "" : ".") + std::string(values[level]);
    const std::int64_t known = tree.find(static_cast<std::int32_t>(level), id);
    const auto at = known < 0 ? static_cast<std::uint32_t>(tree.domains.size()) : static_cast<std::uint32_t>(known);
    if (known < 0) tree.domains.push_back({id, static_cast<std::int32_t>(level)});
    auto& siblings = tree.domains[parent].children;
    if (std::find(siblings.begin(), siblings.end(), at) == siblings.end()) siblings.push_back(at);
    tree.domains[at].shard_nodes.push_back(shard_node);
    parent = at;
  }
}

}  // namespace

auto TopologyTree::find(std::int32_t level, std::string_view id) const -> std::int64_t {
  const auto found =
      std::find_if(domains.begin(), domains.end(), [&](const Domain& d) { return d.level == level && d.id == id; });
  return found == domains.end() ? -1 : found - domains.begin();
}

auto TopologyTree::level_of(std::string_view label) const -> std::int32_t {
  if (label == "root") return kRoot;
  const auto found = std::find(levels.begin(), levels.end(), label);
  return found == levels.end() ? kRoot - 1 : static_cast<std::int32_t>(found - levels.begin());
}

auto topology_trees(const ClusterInfo& cluster_info) -> std::vector<TopologyTree> {
  std::vector<TopologyTree> trees;
  for (const Topology& topology : cluster_info.cluster().objects().kai_topologies) {
    TopologyTree tree;
    tree.name = cluster_info.cluster().text(topology.meta.name);
    for (const TopologyLevel& level : topology.spec.levels)
      tree.levels.push_back(cluster_info.cluster().text(level.node_label));
    tree.domains.push_back({.id = "root"});
    for (const ShardNodeId shard_node : cluster_info.shard_nodes().ids())
      add_shard_node(cluster_info, shard_node, tree);
    trees.push_back(std::move(tree));
  }
  return trees;
}

}  // namespace previct::kai
