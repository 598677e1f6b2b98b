#include "engine/kai/actions/node_affinity_check.h"

#include "cluster/matching.h"

#include <algorithm>

namespace previct::kai {

NodeAffinityCheck::NodeAffinityCheck(const Session& session, const std::vector<CopyId>& chunk,
                                     const std::vector<ShardNodeId>& feasible)
    : session_(session) {
  for (const CopyId id : chunk) {
    const TaskId task = session.copy(id).task;
    const PodSpec& spec = session.cluster_info().cluster().pod(session.cluster_info().task(task).pod).spec;
    if (spec.node_selector.empty() && !spec.affinity.node.required) continue;
    const auto suits = [&](ShardNodeId shard_node) { return matches(task, shard_node); };
    if (std::none_of(feasible.begin(), feasible.end(), suits)) unmatched_.push_back(task);
  }
}

void NodeAffinityCheck::free(ShardNodeId shard_node) {
  if (unmatched_.empty() || !shard_node) return;
  std::erase_if(unmatched_, [&](TaskId task) { return matches(task, shard_node); });
}

auto NodeAffinityCheck::matches(TaskId task, ShardNodeId shard_node) const -> bool {
  const ClusterInfo& cluster_info = session_.cluster_info();
  const Snapshot& cluster = cluster_info.cluster();
  return matches_required_affinity(cluster.pod(cluster_info.task(task).pod).spec,
                                   cluster.node(cluster_info.shard_nodes()[shard_node].node), cluster);
}

}  // namespace previct::kai
