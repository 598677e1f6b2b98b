#include "engine/kai/session/session.h"

#include <algorithm>
#include <cmath>

namespace previct::kai {

void SetCounts::count(Status status, std::int32_t sign) {
  if (kActiveAllocated.has(status)) allocated += sign;
  if (kActiveUsed.has(status)) used += sign;
  if (kAlive.has(status)) alive += sign;
  if (status == Status::gated) gated += sign;
}

Session::Session(const ClusterInfo& cluster_info, MapOrder chance)
    : cluster_info_(cluster_info),
      chance_(chance),
      current_(cluster_info.slots().size()),
      indexed_under_(cluster_info.tasks().size()),
      set_counts_(cluster_info.sets().size()),
      groups_(cluster_info.groups().size()),
      stays_(cluster_info.tasks().size(), kNoStay),
      newcomers_(cluster_info.shard_nodes().size()),
      idle_(cluster_info.idle()),
      releasing_(cluster_info.releasing()),
      free_gpus_(cluster_info.shard_nodes().size()),
      pipelined_(cluster_info.shard_nodes().size()),
      shared_gpus_(cluster_info.shared_gpus()),
      allocated_(cluster_info.tree().queues().size()),
      non_preemptible_(cluster_info.tree().queues().size()),
      requested_(cluster_info.tree().queues().size()) {
  copies_.items().reserve(cluster_info.tasks().size() + 1024);
  stay_pool_.reserve(cluster_info.tasks().size() + 1024);
  for (const TaskId id : cluster_info.tasks().ids()) {
    const Task& task = cluster_info.task(id);
    const Status status = task.status;
    current_[task.slot] = copies_.add({id, status, false, task.shard_node, task.on_node, cluster_info.gpu_groups(id)});
    set_counts_[task.set].count(status, 1);
    GroupState& group = groups_[task.group];
    ++group.indexed[static_cast<std::size_t>(status)];
    indexed_under_[id] = static_cast<std::uint16_t>(1U << static_cast<unsigned>(status));
    if (kActiveAllocated.has(status)) ++group.active;
    if (task.charged) {
      stays_[id] = static_cast<std::uint32_t>(stay_pool_.size());
      stay_pool_.push_back({task.shard_node, status, kNoStay, cluster_info.gpu_groups(id)});
    }
  }
  for (const GroupId id : cluster_info.groups().ids()) {
    groups_[id].last_start = cluster_info.group(id).last_start;
    groups_[id].last_eviction = cluster_info.group(id).last_eviction;
  }
  sum_up();
}

// Sums what queues and groups hold and request. Fractions of GPUs that are not exact in binary have a different sum in
// another order.
void Session::sum_up() {
  constexpr double kExact = 64;
  std::vector<TaskId> tasks;
  tasks.reserve(cluster_info_.tasks().size());
  for (const GroupId id : cluster_info_.groups_by_name()) {
    const Group& group = cluster_info_.group(id);
    for (std::uint32_t i = 0; i < group.sets; ++i) {
      const std::span<const TaskId> of_set = cluster_info_.tasks_of(group.set(i));
      tasks.insert(tasks.end(), of_set.begin(), of_set.end());
    }
  }
  chance_.reorder(tasks);
  for (const TaskId id : tasks) {
    const Task& task = cluster_info_.task(id);
    if (kHeld.has(task.status)) add_to(groups_[task.group].held, cluster_info_.request_share(id));
    const Group& of = cluster_info_.group(task.group);
    const bool counts_now = kHeld.has(task.status) && task.charged;
    if (!of.queue || (!counts_now && task.status != Status::pending)) continue;
    Share share = counts_now ? cluster_info_.share_on(id, task.shard_node) : cluster_info_.request_share(id);
    if (!counts_now && cluster_info_.gpu(id).kind == GpuRequest::Kind::memory) {
      share[kGpu] += cluster_info_.gpu(id).memory_as_gpus(cluster_info_.least_gpu_memory());
    }
    if (std::trunc(share[kGpu] * kExact) != share[kGpu] * kExact) chance_.note();
    for (const QueueId queue : cluster_info_.queue(of.queue).path) {
      add_to(requested_[queue], share);
      if (!counts_now) continue;
      add_to(allocated_[queue], share);
      if (!of.preemptible) add_to(non_preemptible_[queue], share);
    }
  }
}

auto Session::has_allocated(GroupId group) const -> bool {
  const Group& g = cluster_info_.group(group);
  for (std::uint32_t i = 0; i < g.sets; ++i) {
    if (set_counts_[g.set(i)].allocated > 0) return true;
  }
  return false;
}

auto Session::used(GroupId group) const -> std::int64_t {
  const Group& g = cluster_info_.group(group);
  std::int64_t sum = 0;
  for (std::uint32_t i = 0; i < g.sets; ++i) sum += set_counts_[g.set(i)].used;
  return sum;
}

// Makes this copy the group's record of a task. As upstream, the index by status and the running count derived from it
// use the status of the copy, not the previously recorded one: a second copy of an evicted task lowers the count again.
// Source: pkg/scheduler/api/podgroup_info/job_info.go UpdateTaskStatus.
void Session::update(CopyId id, Status status) {
  Copy& copy = copies_[id];
  const Task& task = cluster_info_.task(copy.task);
  GroupState& group = groups_[task.group];
  const Status recorded = copies_[current_[task.slot]].status;
  const Share request = cluster_info_.request_share(copy.task);

  if (kHeld.has(recorded)) take_from(group.held, request);
  std::uint16_t& under = indexed_under_[copy.task];
  const auto bit = [](Status s) { return static_cast<std::uint16_t>(1U << static_cast<unsigned>(s)); };
  std::int32_t& from = group.indexed[static_cast<std::size_t>(copy.status)];
  if (from > 0) {
    if ((under & bit(copy.status)) != 0) {
      under = static_cast<std::uint16_t>(under & ~bit(copy.status));
      --from;
    }
    if (kActiveAllocated.has(copy.status)) --group.active;
  }
  set_counts_[task.set].count(recorded, -1);

  copy.status = status;
  current_[task.slot] = id;
  set_counts_[task.set].count(status, 1);
  if ((under & bit(status)) == 0) {
    under = static_cast<std::uint16_t>(under | bit(status));
    ++group.indexed[static_cast<std::size_t>(status)];
  }
  if (kActiveAllocated.has(status)) ++group.active;
  if (kHeld.has(status)) add_to(group.held, request);
  group.chunk.tasks.clear();
  group.chunk.need_known = false;
  note_change(task.group);
}

void Session::charge(TaskId id, ShardNodeId shard_node, double sign) {
  const Group& group = cluster_info_.group(cluster_info_.task(id).group);
  if (!group.queue) return;
  Share amount = cluster_info_.share_on(id, shard_node);
  for (double& a : amount) a *= sign;
  for (const QueueId queue : cluster_info_.queue(group.queue).path) {
    add_to(allocated_[queue], amount);
    if (!group.preemptible) add_to(non_preemptible_[queue], amount);
  }
}

void Session::apply_eviction(const Operation& operation) {
  Copy& copy = copies_[operation.copy];
  update(operation.copy, Status::releasing);
  update_stay(copy, operation.shard_node_before, Status::releasing);
  charge(copy.task, operation.shard_node_before, -1);
  copy.simulated = true;
}

void Session::evict_permanently(CopyId id) {
  const Copy& copy = copies_[id];
  update(id, Status::releasing);
  if (!copy.shard_node) return;
  update_stay(copy, copy.shard_node, Status::releasing);
  charge(copy.task, copy.shard_node, -1);
}

auto Session::evict(Statement& statement, CopyId id) -> bool {
  const Copy& copy = copies_[id];
  if (!copy.shard_node) return false;
  Operation operation{.kind = Operation::Kind::evict, .copy = id};
  operation.before = copy.status;
  operation.simulated_before = copy.simulated;
  operation.shard_node_before = copy.shard_node;
  operation.gpus_before = copy.gpus;
  apply_eviction(operation);
  statement.push_back(std::move(operation));
  return true;
}

auto Session::pipeline(Statement& statement, CopyId id, ShardNodeId shard_node, bool update_there,
                       std::vector<GpuGroupId> gpus) -> bool {
  Copy& copy = copies_[id];
  const std::uint32_t stay = stay_on(copy.task, shard_node);
  const bool here = stay != kNoStay;
  const bool other_gpus = here && !gpus.empty() && gpus != stay_pool_[stay].gpus;
  if (here && !update_there && !other_gpus) {
    copy.gpus = stay_pool_[stay].gpus;
    const auto evicted = std::find_if(statement.begin(), statement.end(), [&](const Operation& o) {
      return o.kind == Operation::Kind::evict && o.in_force && copies_[o.copy].task == copy.task;
    });
    if (evicted == statement.end()) {
      copy.gpus.clear();
      return false;
    }
    undo(*evicted);
    evicted->in_force = false;
    Operation unevict{.kind = Operation::Kind::unevict, .copy = id};
    unevict.undoes = static_cast<std::uint32_t>(evicted - statement.begin());
    statement.push_back(std::move(unevict));
    return true;
  }
  Operation operation{.kind = Operation::Kind::pipeline, .copy = id};
  operation.before = copy.status;
  operation.simulated_before = copy.simulated;
  operation.shard_node_before = copy.shard_node;
  operation.on_node_before = copy.on_node;
  operation.gpus_before = other_gpus ? stay_pool_[stay].gpus : gpus;
  update(id, Status::pipelined);
  copy.shard_node = shard_node;
  copy.on_node = true;
  copy.gpus = std::move(gpus);
  if (other_gpus) {
    forget_stay(copy.task, shard_node);
    stand(copy, shard_node, Status::pipelined);
  } else if (here) {
    update_stay(copy, shard_node, Status::pipelined);
  } else {
    stand(copy, shard_node, Status::pipelined);
  }
  charge(copy.task, shard_node, 1);
  copy.simulated = true;
  statement.push_back(std::move(operation));
  return true;
}

void Session::allocate(Statement& statement, CopyId id, ShardNodeId shard_node, std::vector<GpuGroupId> gpus) {
  Copy& copy = copies_[id];
  Operation operation{.kind = Operation::Kind::allocate, .copy = id};
  operation.simulated_before = copy.simulated;
  update(id, Status::allocated);
  copy.shard_node = shard_node;
  copy.on_node = true;
  copy.gpus = std::move(gpus);
  stand(copy, shard_node, Status::allocated);
  charge(copy.task, shard_node, 1);
  copy.simulated = true;
  statement.push_back(std::move(operation));
}

void Session::undo_allocation(const Operation& operation) {
  undo(operation);
}

void Session::undo(const Operation& o) {
  Copy& copy = copies_[o.copy];
  switch (o.kind) {
    case Operation::Kind::evict:
      update(o.copy, o.before);
      copy.simulated = o.simulated_before;
      copy.gpus = o.gpus_before;
      if (is_on(copy.task, o.shard_node_before)) {
        update_stay(copy, o.shard_node_before, o.before);
      } else {
        stand(copy, o.shard_node_before, o.before);
      }
      charge(copy.task, o.shard_node_before, 1);
      return;
    case Operation::Kind::pipeline:
      update(o.copy, o.before);
      copy.simulated = o.simulated_before;
      copy.gpus = o.gpus_before;
      leave(copy.task, copy.shard_node);
      charge(copy.task, copy.shard_node, -1);
      copy.shard_node = o.shard_node_before;
      copy.on_node = o.on_node_before;
      return;
    case Operation::Kind::allocate:
      update(o.copy, Status::pending);
      leave(copy.task, copy.shard_node);
      copy.simulated = o.simulated_before;
      charge(copy.task, copy.shard_node, -1);
      copy.shard_node = {};
      copy.on_node = false;
      return;
    case Operation::Kind::unevict: return;
  }
}

void Session::roll_back(Statement& statement, std::size_t checkpoint) {
  for (std::size_t i = statement.size(); i-- > checkpoint;) {
    Operation& o = statement[i];
    if (o.kind == Operation::Kind::unevict) {
      Operation& evicted = statement[o.undoes];
      apply_eviction(evicted);
      evicted.in_force = true;
    } else if (o.in_force) {
      undo(o);
      o.in_force = false;
    }
  }
  statement.resize(checkpoint);
}

void Session::confirm_eviction(const Operation& operation, Instant now) {
  Copy& copy = copies_[operation.copy];
  copy.simulated = false;
  groups_[cluster_info_.task(copy.task).group].last_eviction = now;
}

auto Session::add_copy(TaskId task) -> CopyId {
  const Copy now = copies_[current(task)];
  return copies_.add(now);
}

}  // namespace previct::kai
