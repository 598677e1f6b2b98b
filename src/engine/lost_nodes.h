#pragma once

#include "cluster/snapshot.h"

#include <vector>

namespace previct {

/// Nodes that pods run on but the input lacks: the node list was cut to a part of the cluster's, or is from another
/// moment. If one list holds both pods and nodes, such nodes have been deleted, and their pods are about to be.
struct MissingNodes {
  explicit MissingNodes(const Snapshot& cluster);

  std::vector<Symbol> names{};  ///< in the order of the input
  bool listed = false;          ///< the input has a list of nodes
  /// Kubelets reported the nodes of the input; otherwise the nodes were written by hand, like what pods name.
  bool machines = false;
};

}  // namespace previct
