#pragma once

#include "cluster/snapshot.h"

#include <cstdint>
#include <vector>

namespace previct {

/// The order of nodes by name (Snapshot::derived). Nodes of the same name are equal.
class NodeOrder {
 public:
  explicit NodeOrder(const Snapshot& cluster);

  /// Returns a rank that is lower for a name that comes earlier.
  [[nodiscard]] auto rank(NodeId node) const -> std::uint32_t { return ranks_[node]; }
  /// Returns true if the name of `a` comes before that of `b`.
  [[nodiscard]] auto before(NodeId a, NodeId b) const -> bool { return rank(a) < rank(b); }
  /// Sorts different nodes.
  void sort(std::vector<NodeId>& nodes) const;

 private:
  std::vector<NodeId> nodes_;  // all of them, in this order
  IdVector<NodeId, std::uint32_t> ranks_;
};

}  // namespace previct
