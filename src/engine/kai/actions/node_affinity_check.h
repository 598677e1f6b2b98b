#pragma once

#include "engine/kai/session/session.h"

#include <vector>

namespace previct::kai {

/// Upstream's quick check that each pod of the chunk with a node selector or a required node affinity has a matching
/// node, among the feasible nodes and those with victims. It applies even if the predicates plugin is disabled.
/// Source: actions/common/solvers/accumulated_scenario_filters/node_affinities.
class NodeAffinityCheck {
 public:
  NodeAffinityCheck(const Session& session, const std::vector<CopyId>& chunk, const std::vector<ShardNodeId>& feasible);

  /// Records that a victim was named on the node.
  void free(ShardNodeId shard_node);
  [[nodiscard]] auto passes() const -> bool { return unmatched_.empty(); }

 private:
  [[nodiscard]] auto matches(TaskId task, ShardNodeId shard_node) const -> bool;

  const Session& session_;
  std::vector<TaskId> unmatched_;
};

}  // namespace previct::kai
