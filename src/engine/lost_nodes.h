#pragma once

#include "cluster/snapshot.h"

#include <vector>

namespace previct {

/// Nodes that pods are on and the input does not hold: the nodes were cut to some of the cluster's, or are of another
/// moment. Where one list holds pods and nodes, those nodes have been deleted, and their pods are about to be.
struct LostNodes {
  explicit LostNodes(const Snapshot& cluster);

  std::vector<Symbol> names{};  ///< in the order of the input
  bool listed = false;          ///< there is a list of nodes
  bool machines = false;        ///< kubelets reported those that it holds; else people wrote them, and what pods name
};

}  // namespace previct
