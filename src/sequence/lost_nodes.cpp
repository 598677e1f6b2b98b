#include "sequence/lost_nodes.h"

#include <algorithm>
#include <set>
#include <utility>

namespace previct::sequence {

auto pods_lost_with(std::span<const NodeId> nodes, const Snapshot& cluster) -> std::vector<PodId> {
  std::vector<PodId> pods;
  for (const NodeId node : nodes) {
    const auto here = cluster.pods_on(node);
    pods.insert(pods.end(), here.begin(), here.end());
  }
  const auto rank = [&](PodId pod) {
    const std::string_view name = cluster.text(cluster.pod(pod).meta.name);
    return std::pair(name.size(), name);  // of one StatefulSet, this is the order of the ordinals
  };
  std::stable_sort(pods.begin(), pods.end(), [&](PodId a, PodId b) { return rank(a) < rank(b); });
  return pods;
}

void lose(std::span<const NodeId> nodes, const Snapshot& cluster, ChangedCluster& changed) {
  std::set<Symbol> names;
  for (const NodeId node : nodes) {
    names.insert(cluster.node(node).meta.name);
    changed.objects().overlaid.removed_nodes.push_back(cluster.node(node));
  }
  changed.remove_nodes([&](const Node& node) { return names.contains(node.meta.name); });
}

}  // namespace previct::sequence
