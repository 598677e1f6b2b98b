// The action allocate: places groups on free resources.

#include "engine/kai/actions/cycle.h"

#include <algorithm>

namespace previct::kai {

void Cycle::allocate() {
  auto queue = pending_queue(Action::allocate);
  while (queue && !queue->empty()) {
    const GroupId group = queue->pop().group;
    allocate_group(*queue, group);
  }
}

void Cycle::allocate_group(GroupQueue& queue, GroupId group) {
  const Group& of = cluster_info_.group(group);
  bool had_held = false;
  for (std::uint32_t i = 0; i < of.sets && !had_held; ++i) {
    for (const TaskId task : cluster_info_.tasks_of(of.set(i))) had_held = had_held || kHeld.has(session_.status(task));
  }
  const std::vector<CopyId> chunk = next_chunk(session_, group, true);
  Statement statement;
  if (!placer_.place(statement, placer_.all_shard_nodes(), group, view_of(session_, group), chunk, false)) {
    const bool over = !chunk.empty() && placer_.over_capacity(group, placer_.request_of(chunk));
    Rule why = placer_.hopeless(chunk);
    if (why == Rule::candidate) why = Rule::no_node;
    if (over) why = placer_.over_quota(group, placer_.request_of(chunk)) ? Rule::over_quota : Rule::over_limit;
    note(Action::allocate, group, why);
    return;
  }
  // A gang that cannot start completely only reserves its nodes.
  bool waits = false;
  for (std::uint32_t i = 0; i < of.sets; ++i) {
    std::int32_t pipelined = 0;
    for (const TaskId task : cluster_info_.tasks_of(of.set(i)))
      pipelined += session_.status(task) == Status::pipelined ? 1 : 0;
    const std::int32_t here = session_.counts(of.set(i)).allocated - pipelined;
    waits = waits || (pipelined > 0 && here < cluster_info_.sets()[of.set(i)].min);
  }
  if (waits) reserve_instead(statement);
  commit(statement, Action::allocate, {});
  note(Action::allocate, group, Rule::placed);
  if (!waits && !had_held) session_.started(group, now_.now());
  if (session_.has_pending(group)) queue.push_whole(group);
}

void Cycle::reserve_instead(Statement& statement) {
  for (Operation& operation : statement) {
    if (operation.kind != Operation::Kind::allocate) continue;
    const Copy& copy = session_.copy(operation.copy);
    const ShardNodeId shard_node = copy.shard_node;
    const std::vector<GpuGroupId> gpus = copy.gpus;
    session_.undo_allocation(operation);
    Statement reserved;
    session_.pipeline(reserved, operation.copy, shard_node, true, gpus);
    operation = std::move(reserved.front());
  }
}

}  // namespace previct::kai
