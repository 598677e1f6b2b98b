#include "engine/kai/actions/node_placement.h"

#include "engine/kai/actions/node_placement_attempt.h"

#include <algorithm>

namespace previct::kai {
// NOLINTBEGIN(misc-no-recursion): as deep as sub-groups may be (kDeepest)

NodePlacer::NodePlacer(Session& session)
    : session_(session),
      cluster_info_(session.cluster_info()),
      filters_(session),
      preferences_(session),
      topology_(session) {
  for (const ShardNodeId id : cluster_info_.shard_nodes().ids()) all_shard_nodes_.push_back(id);
}

auto NodePlacer::over_capacity(GroupId id, const Share& request) const -> bool {
  const Group& group = cluster_info_.group(id);
  if (!group.queue || !cluster_info_.settings().plugins.proportion) return false;
  for (const QueueId queue : cluster_info_.queue(group.queue).path) {
    const Share& limit = cluster_info_.queue(queue).limit;
    const Share& allocated = session_.allocated(queue);
    for (std::size_t r = 0; r < kShared; ++r) {
      if (limit[r] != kUnlimited && request[r] != 0 && limit[r] < allocated[r] + request[r]) return true;
    }
  }
  return over_quota(id, request);
}

auto NodePlacer::over_quota(GroupId id, const Share& request) const -> bool {
  const Group& group = cluster_info_.group(id);
  if (group.preemptible || !group.queue || !cluster_info_.settings().plugins.proportion) return false;
  for (const QueueId queue : cluster_info_.queue(group.queue).path) {
    const Share& deserved = cluster_info_.queue(queue).deserved;
    const Share& held = session_.non_preemptible(queue);
    for (std::size_t r = 0; r < kShared; ++r) {
      if (deserved[r] != kUnlimited && request[r] != 0 && deserved[r] < held[r] + request[r]) return true;
    }
  }
  return false;
}

auto NodePlacer::too_large(const std::vector<CopyId>& chunk) const -> bool {
  return std::any_of(chunk.begin(), chunk.end(), [&](CopyId id) {
    const double* request = cluster_info_.request(session_.copy(id).task);
    return !std::equal(request, request + cluster_info_.dims(), cluster_info_.largest().begin(),
                       [](double wanted, double most) { return wanted <= 0 || wanted <= most; });
  });
}

auto NodePlacer::hopeless(const std::vector<CopyId>& chunk) -> Rule {
  if (!cluster_info_.settings().plugins.predicates) return Rule::candidate;
  for (const CopyId id : chunk) {
    const TaskId task = session_.copy(id).task;
    if (filters_.no_volume(task)) return Rule::no_volume;
    if (!cluster_info_.config_maps().missing(cluster_info_.cluster().pod(cluster_info_.task(task).pod)).empty())
      return Rule::no_config_map;
    if (too_large({id})) return Rule::too_large;
  }
  return Rule::candidate;
}

auto NodePlacer::request_of(const std::vector<CopyId>& chunk) const -> Share {
  Share sum{};
  for (const CopyId id : chunk) {
    const TaskId task = session_.copy(id).task;
    Share share = cluster_info_.request_share(task);
    const GpuRequest& gpu = cluster_info_.gpu(task);
    if (gpu.kind == GpuRequest::Kind::memory) share[kGpu] = gpu.memory_as_gpus(cluster_info_.most_gpu_memory());
    add_to(sum, share);
  }
  return sum;
}

// ---- walking down the tree of a group

auto NodePlacer::place(Statement& statement, std::span<const ShardNodeId> shard_nodes, GroupId group,
                       const GroupView& view, const std::vector<CopyId>& chunk, bool only_reserve) -> bool {
  topology_.begin_group();
  if (chunk.empty() || over_capacity(group, request_of(chunk))) return false;
  const std::size_t checkpoint = statement.size();
  Attempt attempt{statement, group, view, only_reserve};
  if (place_inner(attempt, 0, chunk, shard_nodes)) return true;
  session_.roll_back(statement, checkpoint);
  return false;
}

auto NodePlacer::place_inner(Attempt& attempt, std::uint32_t inner, const std::vector<CopyId>& tasks,
                             std::span<const ShardNodeId> shard_nodes) -> bool {
  if (tasks.empty()) return true;
  if (attempt.view.tree == nullptr || !attempt.view.tree->inners[inner].topology.given) {
    return place_members(attempt, inner, tasks, shard_nodes);
  }
  const SubGroupTree::Inner& node = attempt.view.tree->inners[inner];
  const Group& group = cluster_info_.group(attempt.group);
  std::vector<const SetView*> sets;
  for (std::uint32_t set = 0; set < attempt.view.sets.size(); ++set) {
    const auto in_set = [&](CopyId id) { return cluster_info_.task(session_.copy(id).task).set == group.set(set); };
    if (std::any_of(tasks.begin(), tasks.end(), in_set)) sets.push_back(&attempt.view.sets[set]);
  }
  for (const std::vector<ShardNodeId>& list :
       topology_.candidates(node.topology, node.name, tasks, sets, shard_nodes)) {
    const std::size_t checkpoint = attempt.statement.size();
    if (place_members(attempt, inner, tasks, list)) return true;
    session_.roll_back(attempt.statement, checkpoint);
  }
  return false;
}

auto NodePlacer::place_members(Attempt& attempt, std::uint32_t inner, const std::vector<CopyId>& tasks,
                               std::span<const ShardNodeId> shard_nodes) -> bool {
  const Group& group = cluster_info_.group(attempt.group);
  const auto set_of = [&](CopyId id) {
    return cluster_info_.task(session_.copy(id).task).set.index - group.first_set.index;
  };
  for (const TreeMember& member : members_in_order(session_, attempt.view, inner)) {
    std::vector<std::uint32_t> below{member.index};
    // NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): without a tree, all members are sets
    if (!member.is_set) below = sets_below(*attempt.view.tree, member.index);
    std::vector<CopyId> of_member;
    for (const CopyId id : tasks) {
      if (std::find(below.begin(), below.end(), set_of(id)) != below.end()) of_member.push_back(id);
    }
    const bool placed = member.is_set ? place_set(attempt, member.index, of_member, shard_nodes)
                                      : place_inner(attempt, member.index, of_member, shard_nodes);
    if (!placed) return false;
  }
  return true;
}

auto NodePlacer::place_set(Attempt& attempt, std::uint32_t set, const std::vector<CopyId>& tasks,
                           std::span<const ShardNodeId> shard_nodes) -> bool {
  if (tasks.empty()) return true;
  const auto all_on = [&](std::span<const ShardNodeId> list) {
    return std::all_of(tasks.begin(), tasks.end(), [&](CopyId id) { return place_task(attempt, set, id, list); });
  };
  const SetView& view = attempt.view.sets[set];
  if (view.topology == nullptr || !view.topology->given) return all_on(shard_nodes);
  for (const std::vector<ShardNodeId>& list :
       topology_.candidates(*view.topology, view.name, tasks, {&view}, shard_nodes)) {
    const std::size_t checkpoint = attempt.statement.size();
    if (all_on(list)) return true;
    session_.roll_back(attempt.statement, checkpoint);
  }
  return false;
}

// NOLINTEND(misc-no-recursion)
}  // namespace previct::kai
