#pragma once

#include "engine/kai/session/session.h"

#include <vector>

namespace previct::kai {

/// Upstream's quick check whether each pod of the chunk with a node selector or a required node affinity has a node
/// that matches, among the feasible ones and those with victims. It counts also where the plugin predicates is off.
/// Source: actions/common/solvers/accumulated_scenario_filters/node_affinities.
class NodeAffinityCheck {
 public:
  NodeAffinityCheck(const Session& session, const std::vector<CopyId>& chunk, const std::vector<ShardNodeId>& feasible);

  /// A victim was named on the node.
  void free(ShardNodeId shard_node);
  [[nodiscard]] auto passes() const -> bool { return unmatched_.empty(); }

 private:
  [[nodiscard]] auto matches(TaskId task, ShardNodeId shard_node) const -> bool;

  const Session& session_;
  std::vector<TaskId> unmatched_;
};

}  // namespace previct::kai
