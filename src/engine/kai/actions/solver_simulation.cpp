// Simulates one scenario on the session: evicts its victims and serves the queue once.

#include "engine/kai/actions/solver.h"

#include <algorithm>

namespace previct::kai {

// Returns the victims by group; upstream, the groups come in map order.
auto Solver::by_group(const std::vector<Batch>& recorded, const std::vector<Batch>& potential)
    -> std::vector<NamedVictims> {
  std::vector<NamedVictims> all;
  for (const std::vector<Batch>* batches : {&recorded, &potential}) {
    for (const Batch& batch : *batches) {
      std::uint32_t& place = place_of_[batch.group];
      if (place == 0) {
        all.push_back({batch.group, {}});
        place = static_cast<std::uint32_t>(all.size());
      }
      auto& tasks = all[place - 1].tasks;
      tasks.insert(tasks.end(), batch.tasks.begin(), batch.tasks.end());
    }
  }
  for (const NamedVictims& named : all) place_of_[named.group] = 0;
  session_.chance().reorder(all);
  return all;
}

auto Solver::simulate(const Part& part, const Scenario& scenario, Statement& statement) -> Rule {
  const std::vector<NamedVictims> victims = by_group(scenario.recorded, scenario.potential);
  const bool apart = scenario.judged != nullptr;
  const std::vector<NamedVictims> judged = apart ? by_group(scenario.recorded, *scenario.judged) : victims;
  const bool keeps = !has(Change::rejected_scenarios_leave_no_nodes);
  // If no simulation can change the check, it is run first, unless effects that remain after a simulation matter.
  Rule cores = check_cores(Candidates::Check::before, judged);
  if (cores != Rule::accepted && !has_lasting_effects_ && !keeps) return cores;
  ++search_.effort.simulated;
  const std::size_t mark = session_.mark();
  const std::size_t shard_nodes = shard_nodes_.size();
  Rule simulated = run_simulation(part, scenario, victims, statement);
  if (simulated == Rule::accepted && panics_at(judged)) simulated = Rule::no_room;
  if (simulated == Rule::accepted && cores == Rule::accepted) cores = check_cores(Candidates::Check::after, judged);
  rejected_ = simulated == Rule::accepted && cores != Rule::accepted;
  if (simulated == Rule::accepted && cores == Rule::accepted) {
    simulated = validate(part, judged);
    rejected_ = simulated != Rule::accepted;
  }
  const Rule rule = cores == Rule::accepted ? simulated : cores;
  if (rule == Rule::accepted) return rule;
  session_.roll_back(statement);
  session_.release(mark);
  if (rejected_ && keeps) {
    keep_nodes(part, shard_nodes);
    return rule;
  }
  for (std::size_t i = shard_nodes; i < shard_nodes_.size(); ++i) is_feasible_[shard_nodes_[i].index] = 0;
  shard_nodes_.resize(shard_nodes);
  return rule;
}

auto Solver::check_cores(Candidates::Check when, const std::vector<NamedVictims>& victims) -> Rule {
  if (action_ == Action::consolidation) return Rule::accepted;
  GroupId blocked;
  const Rule rule = candidates_.check_core_tasks(when, action_, pending_, victims, blocked);
  auto& by = search_.blocked_by;
  if (rule != Rule::accepted && std::find(by.begin(), by.end(), blocked) == by.end()) by.push_back(blocked);
  return rule;
}

// Leaves the nodes of a rejected scenario among the feasible ones.
void Solver::keep_nodes(const Part& part, std::size_t since) {
  for (std::size_t i = since; i < shard_nodes_.size(); ++i) kept_places_ += places_in(part, shard_nodes_[i], nullptr);
}

auto Solver::run_simulation(const Part& part, const Scenario& scenario, const std::vector<NamedVictims>& victims,
                            Statement& statement) -> Rule {
  if (!evict_all(scenario, statement)) return Rule::no_room;
  if (named_.size() > 1) session_.chance().note();
  return place_all(part, victims, statement) ? Rule::accepted : Rule::no_room;
}

// A task that is named again is evicted through a separate copy.
auto Solver::evict_all(const Scenario& scenario, Statement& statement) -> bool {
  named_.clear();
  std::vector<TaskId> marked;
  each_batch(scenario, [&](const Batch& batch) {
    for (const TaskId task : batch.tasks) {
      const bool again = seen_[task.index] != 0;
      named_.push_back(again ? session_.add_copy(task) : session_.current(task));
      seen_[task.index] = 1;
      marked.push_back(task);
    }
  });
  for (const TaskId task : marked) seen_[task.index] = 0;
  for (const CopyId id : named_) {
    if (!session_.evict(statement, id)) return false;
    const ShardNodeId shard_node = session_.copy(id).shard_node;
    if (is_feasible_[shard_node.index] != 0) continue;
    is_feasible_[shard_node.index] = 1;
    shard_nodes_.push_back(shard_node);
  }
  return true;
}

// Visits the groups' next chunks in queue order: places victims and the pending group; other groups only count.
auto Solver::place_all(const Part& part, const std::vector<NamedVictims>& victims, Statement& statement) -> bool {
  const auto by_name = [&](GroupId a, GroupId b) {
    return cluster_info_.group(a).by_name < cluster_info_.group(b).by_name;
  };
  std::vector<GroupId> named_groups{pending_};
  for (const NamedVictims& named : victims) named_groups.push_back(named.group);
  std::sort(named_groups.begin(), named_groups.end(), by_name);
  named_groups.erase(std::unique(named_groups.begin(), named_groups.end()), named_groups.end());
  std::vector<GroupId> groups;
  groups.reserve(pending_groups_.size() + named_groups.size());
  std::set_union(pending_groups_.begin(), pending_groups_.end(), named_groups.begin(), named_groups.end(),
                 std::back_inserter(groups), by_name);
  session_.chance().reorder(groups);
  GroupQueue queue(session_, order_, GroupQueue::Of::pending);
  for (const GroupId group : groups) {
    if (group == pending_) {
      queue.push({pending_, part.key, true, part.need.amount});
    } else {
      queue.push_whole(group);
    }
  }
  for (const NamedVictims& named : victims) place_of_[named.group] = 1;
  const bool placed = place_in_order(part, queue, victims.size() + 1, statement);
  for (const NamedVictims& named : victims) place_of_[named.group] = 0;
  return placed;
}

// Serves groups until the `left` relevant ones have been served.
auto Solver::place_in_order(const Part& part, GroupQueue& queue, std::size_t left, Statement& statement) -> bool {
  bool placed = false;
  while (left > 0 && !queue.empty()) {
    const GroupId group = queue.pop().group;
    if (group == pending_) {
      --left;
      placed = placer_.place(statement, shard_nodes_, pending_, part.view, part.chunk, true);
      if (!placed) return false;
    } else if (place_of_[group] != 0) {
      --left;
      place_victim(group, statement);
    }
  }
  return placed;
}

// Caches the group's need before placing it; its next chunk stays cached even after a failure. Both may outlive the
// commit, because confirming an eviction does not invalidate the session's cache.
void Solver::place_victim(GroupId group, Statement& statement) {
  (void)need_of(session_, group);
  const std::vector<CopyId> chunk = next_chunk(session_, group, false);
  const bool placed = placer_.place(statement, shard_nodes_, group, view_of(session_, group), chunk, true);
  if (!placed) (void)next_chunk(session_, group, false);
}

// Source: actions/common/action.go EvictAllPreemptees, which writes the messages before anything is evicted;
// plugins/proportion getQueueAllocatedResourceFn, which assumes that the queue exists.
auto Solver::panics_naming(const Scenario& scenario) -> bool {
  const bool writes = action_ == Action::reclaim && cluster_info_.settings().plugins.proportion;
  if (!writes || !cluster_info_.settings().running.expects_parents()) return false;
  const auto has_parent = [&](GroupId group) {
    return static_cast<bool>(cluster_info_.queue(cluster_info_.group(group).queue).parent);
  };
  each_batch(scenario, [&](const Batch& batch) {
    if (!batch.tasks.empty() && has_parent(batch.group) != has_parent(pending_)) search_.across = batch.group;
  });
  search_.panics = static_cast<bool>(search_.across);
  return search_.panics;
}

// Source: plugins/proportion getVictimResources, which takes the first `min` of the named tasks; it is the first plugin
// to validate.
auto Solver::panics_at(const std::vector<NamedVictims>& judged) -> bool {
  const bool judges = action_ == Action::reclaim && cluster_info_.settings().plugins.proportion;
  if (!judges || !has(Change::parts_of_gangs_panic)) return false;
  for (const NamedVictims& named : judged) {
    const SetId set = cluster_info_.group(named.group).first_set;
    if (std::ssize(named.tasks) < cluster_info_.sets()[set].min) search_.split = named.group;
  }
  search_.panics = static_cast<bool>(search_.split);
  return search_.panics;
}

auto Solver::validate(const Part& part, const std::vector<NamedVictims>& victims) -> Rule {
  if (action_ == Action::reclaim) return reclaim_.judge(pending_, part.need, victims);
  if (action_ != Action::consolidation) return Rule::accepted;
  for (const NamedVictims& named : victims) {
    for (const TaskId task : named.tasks) {
      if (session_.status(task) == Status::releasing) return Rule::not_moved;
    }
  }
  return Rule::accepted;
}

}  // namespace previct::kai
