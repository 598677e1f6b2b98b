#include "cluster/node_order.h"

#include <algorithm>

namespace previct {

NodeOrder::NodeOrder(const Snapshot& cluster) : ranks_(cluster.nodes().size()) {
  for (const NodeId node : cluster.nodes().ids()) nodes_.push_back(node);
  std::sort(nodes_.begin(), nodes_.end(), [&](NodeId a, NodeId b) { return cluster.name(a) < cluster.name(b); });
  for (std::size_t i = 1; i < nodes_.size(); ++i)
    ranks_[nodes_[i]] = ranks_[nodes_[i - 1]] + (cluster.name(nodes_[i]) == cluster.name(nodes_[i - 1]) ? 0 : 1);
}

void NodeOrder::sort(std::vector<NodeId>& nodes) const {
  constexpr std::size_t kMany = 16;  // as many comparisons for each node cost more than a look at every node
  if (nodes.size() * kMany < nodes_.size()) {
    std::sort(nodes.begin(), nodes.end(), [&](NodeId a, NodeId b) { return before(a, b); });
    return;
  }
  std::vector<char> wanted(nodes_.size(), 0);
  for (const NodeId node : nodes) wanted[node.index] = 1;
  std::copy_if(nodes_.begin(), nodes_.end(), nodes.begin(), [&](NodeId node) { return wanted[node.index] != 0; });
}

}  // namespace previct
