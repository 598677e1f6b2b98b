#include "engine/kai/actions/node_affinity_check.h"

#include "cluster/matching.h"

#include <algorithm>

namespace previct::kai {

NodeAffinityCheck::NodeAffinityCheck(const Session& session, const std::vector<CopyId>& chunk,
                                     const std::vector<RoomId>& feasible)
    : session_(session) {
  for (const CopyId id : chunk) {
    const TaskId task = session.copy(id).task;
    const PodSpec& spec = session.pool().cluster().pod(session.pool().task(task).pod).spec;
    if (spec.node_selector.empty() && !spec.affinity.node.required) continue;
    const auto suits = [&](RoomId room) { return matches(task, room); };
    if (std::none_of(feasible.begin(), feasible.end(), suits)) unmatched_.push_back(task);
  }
}

void NodeAffinityCheck::free(RoomId room) {
  if (unmatched_.empty() || !room) return;
  std::erase_if(unmatched_, [&](TaskId task) { return matches(task, room); });
}

auto NodeAffinityCheck::matches(TaskId task, RoomId room) const -> bool {
  const Pool& pool = session_.pool();
  const Snapshot& cluster = pool.cluster();
  return matches_required_affinity(cluster.pod(pool.task(task).pod).spec, cluster.node(pool.rooms()[room].node),
                                   cluster);
}

}  // namespace previct::kai
