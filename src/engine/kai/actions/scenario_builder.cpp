#include "engine/kai/actions/scenario_builder.h"

#include <algorithm>
#include <numeric>

namespace previct::kai {

// ---- GpuCheck

GpuCheck::GpuCheck(const Session& session, const std::vector<CopyId>& chunk, const std::vector<Batch>& recorded)
    : session_(session), in_top_(session.cluster_info().shard_nodes().size(), 0) {
  const ClusterInfo& cluster_info = session.cluster_info();
  for (const CopyId id : chunk) needs_.push_back(cluster_info.gpu(session.copy(id).task).quota());
  std::sort(needs_.begin(), needs_.end(), std::greater<>());
  std::vector<char> seen(cluster_info.tasks().size(), 0);
  for (const Batch& batch : recorded) {
    for (const TaskId task : batch.tasks) {
      off_ = off_ || seen[task.index] != 0;
      seen[task.index] = 1;
    }
  }
  if (off_ || needs_.empty() || needs_.front() == 0) return;
  capacity_.resize(cluster_info.shard_nodes().size());
  for (const ShardNodeId shard_node : cluster_info.shard_nodes().ids())
    capacity_[shard_node.index] = session.free_gpus(shard_node).sum();
  for (const Batch& batch : recorded) {
    for (const TaskId task : batch.tasks) {
      const ShardNodeId shard_node = session.copy(session.current(task)).shard_node;
      if (shard_node) capacity_[shard_node.index] += cluster_info.quota_on(task, shard_node);
    }
  }
  for (const ShardNodeId shard_node : cluster_info.shard_nodes().ids())
    top_.push_back({capacity_[shard_node.index], shard_node});
  const std::size_t most = std::min(needs_.size(), top_.size());
  std::partial_sort(top_.begin(), top_.begin() + static_cast<std::ptrdiff_t>(most), top_.end(),
                    [](const Top& a, const Top& b) { return a.capacity > b.capacity; });
  top_.resize(most);
  for (const Top& each : top_) in_top_[each.shard_node.index] = 1;
}

void GpuCheck::free(TaskId task, ShardNodeId shard_node) {
  if (capacity_.empty() || !shard_node) return;
  const double amount = session_.cluster_info().quota_on(task, shard_node);
  if (amount > 0) raise(shard_node, capacity_[shard_node.index] + amount);
}

void GpuCheck::raise(ShardNodeId shard_node, double capacity) {
  capacity_[shard_node.index] = capacity;
  std::size_t at = top_.size() - 1;
  if (in_top_[shard_node.index] != 0) {
    while (top_[at].shard_node != shard_node) --at;
  } else if (capacity > top_[at].capacity) {
    in_top_[top_[at].shard_node.index] = 0;
    in_top_[shard_node.index] = 1;
  } else {
    return;
  }
  changed_ = true;
  for (; at > 0 && top_[at - 1].capacity < capacity; --at) top_[at] = top_[at - 1];
  top_[at] = {capacity, shard_node};
}

auto GpuCheck::passes() -> bool {
  if (capacity_.empty()) return true;
  if (changed_) passed_ = fits_all();
  changed_ = false;
  return passed_;
}

auto GpuCheck::fits_all() const -> bool {
  std::vector<double> used(top_.size(), 0);
  std::size_t at = 0;
  double last = 0;
  for (const double need : needs_) {
    if (need == 0) return true;
    if (need != last) at = 0;  // a smaller request may fit on a node that the last one did not fit on
    last = need;
    while (at < top_.size() && top_[at].capacity >= need && top_[at].capacity - used[at] < need) ++at;
    if (at == top_.size() || top_[at].capacity < need) return false;
    used[at] += need;
  }
  return true;
}

// ---- Accumulation

Accumulation::Accumulation(Solver& solver, const Solver::Part& part)
    : solver_(solver),
      queue_(solver.victims_.sorted()),
      gpus_(solver.session_, part.chunk, solver.recorded_),
      topology_(solver.session_, part.view),
      nodes_(solver.session_, part.chunk, solver.shard_nodes_),
      recorded_(solver.cluster_info_.tasks().size(), 0) {
  for (const Batch& batch : solver.recorded_) {
    for (const TaskId id : batch.tasks) {
      recorded_[id.index] = 1;
      const ShardNodeId shard_node = solver.session_.copy(solver.session_.current(id)).shard_node;
      topology_.free(id, shard_node);
      nodes_.free(shard_node);
    }
  }
}

auto Accumulation::task(CopyId copy) const -> TaskId {
  return solver_.session_.copy(copy).task;
}

auto Accumulation::next() -> bool {
  if (!begun_) {
    begun_ = true;
    if (may_do()) return true;
  }
  while (!queue_.empty()) {
    const GroupQueue::Entry entry = queue_.pop();
    ++solver_.search_.effort.victims_popped;
    ++solver_.search_.effort.popped_by[static_cast<std::size_t>(solver_.generator_)];
    const std::size_t before = batches_.size();
    take(entry);
    if (batches_.size() == before) continue;
    if (batches_.back().tasks.empty()) {
      batches_.pop_back();  // no task of the group is left: the state is the same as before
    } else if (may_do()) {
      return true;
    }
  }
  return false;
}

void Accumulation::take(const GroupQueue::Entry& entry) {
  Session& session = solver_.session_;
  const Rest* rest = entry.partial ? &rests_.at(entry.group.index) : nullptr;
  const GroupView view = rest == nullptr ? view_of(session, entry.group) : view_of_rest(entry.group, *rest);
  const std::vector<CopyId> chunk = chunk_to_evict(session, view);
  const std::int64_t allocated = rest == nullptr ? session.active(entry.group) : rest->allocated;

  const auto is_recorded = [&](CopyId id) { return recorded_[task(id).index] != 0; };
  if (std::any_of(chunk.begin(), chunk.end(), is_recorded)) {
    Rest others = rest_of(entry);
    for (auto& set : others.tasks) std::erase_if(set, is_recorded);
    push_rest(entry.group, std::move(others));
    return;
  }
  if (static_cast<std::int64_t>(chunk.size()) < allocated) {
    Rest others = rest_of(entry);
    for (auto& set : others.tasks) {
      std::erase_if(set, [&](CopyId id) { return std::find(chunk.begin(), chunk.end(), id) != chunk.end(); });
    }
    push_rest(entry.group, std::move(others));
  }
  Batch& batch = batches_.emplace_back();
  batch.group = entry.group;
  for (const CopyId id : chunk) {
    batch.tasks.push_back(task(id));
    gpus_.free(task(id), session.copy(id).shard_node);
    topology_.free(task(id), session.copy(id).shard_node);
    nodes_.free(session.copy(id).shard_node);
  }
}

auto Accumulation::rest_of(const GroupQueue::Entry& entry) const -> Rest {
  if (entry.partial) return rests_.at(entry.group.index);
  Rest rest;
  for (const SetView& set : view_of(solver_.session_, entry.group).sets) {
    rest.tasks.emplace_back(set.tasks, set.tasks + set.count);
  }
  return rest;
}

void Accumulation::push_rest(GroupId group, Rest rest) {
  const Session& session = solver_.session_;
  GroupQueue::Entry entry{group, {}, true, {}};
  rest.allocated = 0;
  bool any = false;
  for (const auto& set : rest.tasks) {
    for (const CopyId id : set) {
      const Copy& copy = session.copy(id);
      any = true;
      rest.allocated += kActiveAllocated.has(copy.status) ? 1 : 0;
      if (kHeld.has(copy.status)) add_to(entry.amount, solver_.cluster_info_.request_share(copy.task));
    }
  }
  if (!any) return;
  entry.key = key_of(solver_.cluster_info_, group, view_of_rest(group, rest).sets);
  rests_.insert_or_assign(group.index, std::move(rest));
  queue_.push(entry);
}

auto Accumulation::view_of_rest(GroupId group, const Rest& rest) const -> GroupView {
  GroupView view = view_of(solver_.session_, group);
  for (std::size_t i = 0; i < view.sets.size(); ++i) {
    SetView& set = view.sets[i];
    set.tasks = rest.tasks[i].data();
    set.count = rest.tasks[i].size();
    set.allocated = static_cast<std::int32_t>(std::count_if(rest.tasks[i].begin(), rest.tasks[i].end(), [&](CopyId id) {
      return kActiveAllocated.has(solver_.session_.copy(id).status);
    }));
  }
  return view;
}

// ---- MultiNode

MultiNode::MultiNode(const Solver& solver, const Solver::Part& part) : solver_(&solver) {
  const Session& session = solver.session_;
  for (const CopyId id : part.chunk) {
    const double need = solver.cluster_info_.gpu(session.copy(id).task).quota();
    demand_ += need;
    least_ = least_ < 0 ? need : std::min(least_, need);
  }
  for (const Batch& batch : solver.recorded_) {
    for (const TaskId task : batch.tasks) {
      const ShardNodeId shard_node = session.copy(session.current(task)).shard_node;
      if (shard_node) recorded_[shard_node.index] += solver.cluster_info_.quota_on(task, shard_node);
    }
  }
  elsewhere_.resize(solver.cluster_info_.shard_nodes().size(), 0);
  for (const ShardNodeId shard_node : solver.shard_nodes_) elsewhere_[shard_node.index] = free_on(shard_node);
}

auto MultiNode::free_on(ShardNodeId shard_node) const -> double {
  const auto recorded = recorded_.find(shard_node.index);
  return solver_->session_.free_gpus(shard_node).sum() + (recorded == recorded_.end() ? 0 : recorded->second);
}

// A node outside the shard is treated like other nodes here, with nothing ever free on it.
auto MultiNode::place_of(TaskId task) const -> std::uint32_t {
  constexpr std::uint32_t kLost = 0x8000'0000;
  const Copy& copy = solver_->session_.copy(solver_->session_.current(task));
  if (copy.shard_node) return copy.shard_node.index;
  const Symbol lost = solver_->cluster_info_.task(task).lost_node;
  return lost ? kLost | lost.index : ShardNodeId::kNone;
}

void MultiNode::add(const Batch& batch) {
  const std::size_t shard_nodes = solver_->cluster_info_.shard_nodes().size();
  for (const TaskId task : batch.tasks) {
    const std::uint64_t position = tasks_++;
    const std::uint32_t place = place_of(task);
    if (place == ShardNodeId::kNone) continue;
    const bool known = place < shard_nodes;
    const ShardNodeId shard_node{place};
    const auto [at, is_new] = sites_.try_emplace(place);
    Site& site = at->second;
    if (is_new) {
      site.capacity = known ? free_on(shard_node) : 0;
      site.first = position;
      if (known) elsewhere_[place] = 0;
    } else if (qualifies(site.capacity)) {
      candidates_.erase({site.capacity, site.first, place});
    }
    if (known) site.capacity += solver_->cluster_info_.quota_on(task, shard_node);
    if (site.batches.empty() || site.batches.back() != batches_) site.batches.push_back(batches_);
    if (qualifies(site.capacity)) candidates_.insert({site.capacity, site.first, place});
  }
  ++batches_;
}

auto MultiNode::enough() const -> std::size_t {
  // The sum is computed again each time: subtracting would leave a rounding error that could require one more node.
  const double elsewhere = std::accumulate(elsewhere_.begin(), elsewhere_.end(), 0.0);
  const double missing = std::max(0.0, demand_ - elsewhere);
  if (missing <= 0) return 0;
  double covered = 0;
  std::size_t count = 0;
  for (const Candidate& candidate : candidates_) {
    covered += candidate.capacity;
    ++count;
    if (covered >= missing) return count;
  }
  return candidates_.size() + 1;
}

auto MultiNode::batches_on(std::size_t count) const -> std::vector<std::uint32_t> {
  std::vector<std::uint32_t> picked;
  auto candidate = candidates_.begin();
  for (std::size_t i = 0; i < count; ++i, ++candidate) {
    const Site& site = sites_.at(candidate->place);
    picked.insert(picked.end(), site.batches.begin(), site.batches.end());
  }
  std::sort(picked.begin(), picked.end());
  picked.erase(std::unique(picked.begin(), picked.end()), picked.end());
  return picked;
}

}  // namespace previct::kai
