#include "cluster/node_order.h"

#include <algorithm>

namespace previct {

NodeOrder::NodeOrder(const Snapshot& cluster) : ranks_(cluster.nodes().size()) {
  const auto name = [&](NodeId node) { return cluster.name(node); };
  std::vector<NodeId> nodes;
  for (const NodeId node : cluster.nodes().ids()) nodes.push_back(node);
  std::sort(nodes.begin(), nodes.end(), [&](NodeId a, NodeId b) { return name(a) < name(b); });
  for (std::size_t i = 1; i < nodes.size(); ++i)
    ranks_[nodes[i]] = ranks_[nodes[i - 1]] + (name(nodes[i]) == name(nodes[i - 1]) ? 0 : 1);
}

}  // namespace previct
