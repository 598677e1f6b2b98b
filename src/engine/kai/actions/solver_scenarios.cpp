// The scenarios of the generators, and the memory of those already tried.

#include "engine/kai/actions/scenario_builder.h"
#include "engine/kai/actions/solver.h"

#include <algorithm>
#include <cstring>

namespace previct::kai {
namespace {

// Pending, recorded and potential tasks, each sorted.
auto key_of(const Session& session, const std::vector<CopyId>& chunk, const Scenario& scenario) -> std::string {
  std::vector<std::uint32_t> numbers;
  auto close = [&, begin = std::size_t{0}]() mutable {
    std::sort(numbers.begin() + static_cast<std::ptrdiff_t>(begin), numbers.end());
    numbers.push_back(TaskId::kNone);
    begin = numbers.size();
  };
  for (const CopyId id : chunk) numbers.push_back(session.copy(id).task.index);
  close();
  for (const Batch& batch : scenario.recorded) {
    for (const TaskId task : batch.tasks) numbers.push_back(task.index);
  }
  close();
  for (const Batch& batch : scenario.potential) {
    for (const TaskId task : batch.tasks) numbers.push_back(task.index);
  }
  close();
  std::string key(numbers.size() * sizeof(std::uint32_t), '\0');
  std::memcpy(key.data(), numbers.data(), key.size());
  return key;
}

auto names_any(const Scenario& scenario) -> bool {
  const auto named = [](const Batch& batch) { return !batch.tasks.empty(); };
  return std::any_of(scenario.recorded.begin(), scenario.recorded.end(), named) ||
         std::any_of(scenario.potential.begin(), scenario.potential.end(), named);
}

}  // namespace

auto Solver::recorded() -> const std::vector<Batch>& {
  for (Batch& batch : recorded_) session_.chance().reorder(batch.tasks);
  return recorded_;
}

auto Solver::shard_nodes_with(GroupId group) const -> std::vector<ShardNodeId> {
  std::vector<ShardNodeId> shard_nodes;
  const Group& last = cluster_info_.group(group);
  for (std::uint32_t i = 0; i < last.sets; ++i) {
    for (const TaskId task : cluster_info_.tasks_of(last.set(i))) {
      const ShardNodeId shard_node = session_.copy(session_.current(task)).shard_node;
      if (shard_node) shard_nodes.push_back(shard_node);
    }
  }
  std::sort(shard_nodes.begin(), shard_nodes.end());
  shard_nodes.erase(std::unique(shard_nodes.begin(), shard_nodes.end()), shard_nodes.end());
  return shard_nodes;
}

auto Solver::all_named(GroupId group, const std::vector<Batch>& batches, const std::vector<std::uint32_t>& own)
    -> Batch {
  Batch named{group, {}};
  const auto add = [&](std::vector<TaskId> tasks) {
    session_.chance().reorder(tasks);
    named.tasks.insert(named.tasks.end(), tasks.begin(), tasks.end());
  };
  for (const Batch& batch : recorded_) {
    if (batch.group == group) add(batch.tasks);
  }
  for (const std::uint32_t b : own) add(batches[b].tasks);
  return named;
}

// For each node with a pod of the group named last: tries the named tasks of all groups with a potential victim there;
// recorded tasks are named a second time.
auto Solver::generate_local(const Part& part, Statement& statement) -> bool {
  Accumulation accumulation(*this, part);
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> of_group;  // batches
  std::unordered_map<std::uint32_t, std::vector<GroupId>> on_shard_node;
  std::size_t seen = 0;
  while (accumulation.next()) {
    const std::vector<Batch>& batches = accumulation.batches();
    for (; seen < batches.size(); ++seen) {
      const Batch& batch = batches[seen];
      of_group[batch.group.index].push_back(static_cast<std::uint32_t>(seen));
      for (const TaskId task : batch.tasks) {
        const ShardNodeId shard_node = session_.copy(session_.current(task)).shard_node;
        if (!shard_node) continue;
        auto& groups = on_shard_node[shard_node.index];
        if (std::find(groups.begin(), groups.end(), batch.group) == groups.end()) groups.push_back(batch.group);
      }
    }
    if (batches.empty()) {
      if (!recorded_.empty() && try_scenario(part, {recorded(), {}}, statement)) return true;
      continue;
    }
    std::vector<std::vector<GroupId>> tried;
    for (const ShardNodeId shard_node : shard_nodes_with(batches.back().group)) {
      std::vector<GroupId> groups = on_shard_node[shard_node.index];
      if (groups.empty()) continue;
      session_.chance().reorder(groups);
      Scenario scenario{recorded(), {}};
      for (const GroupId group : groups) {
        scenario.potential.push_back(all_named(group, batches, of_group[group.index]));
      }
      std::sort(groups.begin(), groups.end());
      if (std::find(tried.begin(), tried.end(), groups) != tried.end()) continue;
      tried.push_back(std::move(groups));
      if (try_scenario(part, scenario, statement)) return true;
    }
  }
  return false;
}

auto Solver::generate_multi(const Part& part, Statement& statement) -> bool {
  Accumulation accumulation(*this, part);
  MultiNode nodes(*this, part);
  std::size_t seen = 0;
  while (accumulation.next()) {
    const std::vector<Batch>& batches = accumulation.batches();
    if (has_lasting_effects_) {  // free resources may differ from those at the last step
      nodes = MultiNode(*this, part);
      seen = 0;
    }
    for (; seen < batches.size(); ++seen) nodes.add(batches[seen]);
    if (batches.empty()) {
      if (try_scenario(part, {recorded(), {}}, statement)) return true;
      continue;
    }
    std::size_t step = 1;
    for (std::size_t count = nodes.enough(); count <= nodes.candidates();) {
      Scenario scenario{recorded(), {}};
      for (const std::uint32_t b : nodes.batches_on(count)) scenario.potential.push_back(batches[b]);
      session_.chance().reorder(scenario.potential);
      if (try_scenario(part, scenario, statement)) return true;
      if (count == nodes.candidates()) break;
      count = std::min(count + step, nodes.candidates());
      step *= 2;
    }
  }
  return false;
}

// For each node with a pod of the group named last: tries the named tasks of all groups with a potential victim there,
// as node-local scenarios do. But the plugins judge all victims named so far, and after a rejection, the other nodes
// are not tried.
auto Solver::generate_node_by_node(const Part& part, Statement& statement) -> bool {
  Accumulation accumulation(*this, part);
  while (accumulation.next()) {
    const std::vector<Batch>& batches = accumulation.batches();
    if (batches.empty()) {
      if (!recorded_.empty() && try_scenario(part, {recorded(), {}}, statement)) return true;
      continue;
    }
    std::vector<ShardNodeId> nodes = shard_nodes_with(batches.back().group);
    session_.chance().reorder(nodes);
    if (nodes.size() > 1) session_.chance().note();
    for (const ShardNodeId node : nodes) {
      std::vector<GroupId> groups;
      for (const Batch& batch : batches) {
        const bool here = std::any_of(batch.tasks.begin(), batch.tasks.end(), [&](TaskId task) {
          return session_.copy(session_.current(task)).shard_node == node;
        });
        if (here && std::find(groups.begin(), groups.end(), batch.group) == groups.end()) groups.push_back(batch.group);
      }
      if (groups.empty()) continue;
      session_.chance().reorder(groups);
      Scenario scenario{recorded(), {}, &batches};
      for (const GroupId group : groups) {
        std::vector<std::uint32_t> own;
        for (std::uint32_t b = 0; b < batches.size(); ++b) {
          if (batches[b].group == group) own.push_back(b);
        }
        scenario.potential.push_back(all_named(group, batches, own));
      }
      if (try_scenario(part, scenario, statement)) return true;
      if (rejected_) break;
    }
  }
  return false;
}

auto Solver::try_scenario(const Part& part, const Scenario& scenario, Statement& statement) -> bool {
  if (search_.panics) return false;
  ++search_.effort.scenarios;
  ++search_.effort.scenarios_by[static_cast<std::size_t>(generator_)];
  if (panics_naming(scenario)) return false;
  // The simulation is skipped: there is no solution without enough resources, whatever else holds.
  Rule rule = Rule::no_room;
  rejected_ = false;
  if (has_lasting_effects_ ? names_any(scenario) : enough_places(part, scenario)) {
    std::string key;
    if (has(Change::failed_scenarios_are_remembered)) {
      key = key_of(session_, part.chunk, scenario);
      if (failed_.contains(key)) return false;
    }
    rule = simulate(part, scenario, statement);
    if (rule != Rule::accepted && !key.empty()) failed_.insert(std::move(key));
  }
  if (rule == Rule::accepted) {
    note_solution(scenario);
    return true;
  }
  ++search_.refused[static_cast<std::size_t>(rule)];
  return false;
}

// Returns true if the chunk could fit with all named victims gone. Every task takes at least `least`.
auto Solver::enough_places(const Part& part, const Scenario& scenario) -> bool {
  const std::size_t dims = cluster_info_.dims();
  std::vector<TaskId> counted;
  touched_.clear();
  bool any = false;
  each_batch(scenario, [&](const Batch& batch) {
    for (const TaskId task : batch.tasks) {
      any = true;
      const ShardNodeId shard_node = session_.copy(session_.current(task)).shard_node;
      if (seen_[task.index] != 0 || !shard_node) continue;
      seen_[task.index] = 1;
      counted.push_back(task);
      double* freed = &freed_[shard_node.index * dims];
      if (freed[kPods] == 0) touched_.push_back(shard_node);
      const double* request = cluster_info_.request(task);
      for (std::size_t i = 0; i < dims; ++i) freed[i] += request[i];
      // Each GPU that the pod shares may become a whole free GPU.
      freed[kGpu] += static_cast<double>(session_.copy(session_.current(task)).gpus.size());
    }
  });
  std::int64_t places = part.places + kept_places_;
  for (const ShardNodeId shard_node : touched_) {
    double* freed = &freed_[shard_node.index * dims];
    places += places_in(part, shard_node, freed) -
              (is_feasible_[shard_node.index] != 0 ? places_in(part, shard_node, nullptr) : 0);
    std::fill(freed, freed + dims, 0.0);
  }
  for (const TaskId task : counted) seen_[task.index] = 0;
  return any && places >= static_cast<std::int64_t>(part.chunk.size());
}

// Records the victims that the scenario evicted or moved, for the next probe, each with all tasks named in the same
// step.
void Solver::note_solution(const Scenario& scenario) {
  std::vector<Batch> named;
  each_batch(scenario, [&](const Batch& b) { named.push_back({b.group, as_copied(cluster_info_, b.tasks)}); });
  std::vector<std::uint32_t> picked;
  std::vector<TaskId> victims;
  const auto holds = [&](std::uint32_t i, TaskId task) {
    return std::find(named[i].tasks.begin(), named[i].tasks.end(), task) != named[i].tasks.end();
  };
  const auto record = [&](TaskId task) {
    victims.push_back(task);
    if (std::any_of(picked.begin(), picked.end(), [&](std::uint32_t i) { return holds(i, task); })) return;
    for (std::uint32_t i = 0; i < named.size(); ++i) {
      if (!holds(i, task)) continue;
      picked.push_back(i);
      return;
    }
  };
  for (const Status wanted : {Status::releasing, Status::pipelined}) {
    for (const CopyId id : named_) {
      const Copy& copy = session_.copy(id);
      if (copy.status == wanted) record(copy.task);
    }
  }
  std::vector<std::vector<Batch>> by_group;  // in map order upstream
  for (const std::uint32_t i : picked) {
    const auto same = [&](const std::vector<Batch>& batches) { return batches.front().group == named[i].group; };
    auto at = std::find_if(by_group.begin(), by_group.end(), same);
    if (at == by_group.end()) at = by_group.insert(by_group.end(), std::vector<Batch>());
    at->push_back(named[i]);
  }
  session_.chance().reorder(by_group);
  std::vector<Batch> recorded;
  for (const std::vector<Batch>& batches : by_group) recorded.insert(recorded.end(), batches.begin(), batches.end());
  search_.named_twice = named_.size() != [&] {
    std::vector<TaskId> tasks;
    for (const CopyId id : named_) tasks.push_back(session_.copy(id).task);
    std::sort(tasks.begin(), tasks.end());
    return static_cast<std::size_t>(std::unique(tasks.begin(), tasks.end()) - tasks.begin());
  }();
  recorded_ = std::move(recorded);
  recorded_victims_ = std::move(victims);
}

}  // namespace previct::kai
