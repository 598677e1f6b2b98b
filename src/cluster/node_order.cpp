#include "cluster/node_order.h"

#include <algorithm>

namespace previct {

NodeOrder::NodeOrder(const Snapshot& cluster) : ranks_(cluster.nodes().size()) {
  std::vector<NodeId> nodes;
  for (const NodeId node : cluster.nodes().ids()) nodes.push_back(node);
  std::sort(nodes.begin(), nodes.end(), [&](NodeId a, NodeId b) { return cluster.name(a) < cluster.name(b); });
  for (std::size_t i = 1; i < nodes.size(); ++i)
    ranks_[nodes[i]] = ranks_[nodes[i - 1]] + (cluster.name(nodes[i]) == cluster.name(nodes[i - 1]) ? 0 : 1);
}

}  // namespace previct
