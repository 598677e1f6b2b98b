#include "engine/kai/actions/solver.h"

#include <algorithm>
#include <cmath>

namespace previct::kai {
namespace {

auto some_share_gpus(const ClusterInfo& cluster_info, const std::vector<GroupQueue::Entry>& groups) -> bool {
  return cluster_info.shares_gpus() && std::any_of(groups.begin(), groups.end(), [&](const GroupQueue::Entry& each) {
           return cluster_info.group(each.group).shares_gpus;
         });
}

}  // namespace

auto as_copied(const ClusterInfo& cluster_info, const std::vector<TaskId>& tasks) -> std::vector<TaskId> {
  std::vector<TaskId> unique;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const auto rest = tasks.begin() + static_cast<std::ptrdiff_t>(i) + 1;
    if (std::find(rest, tasks.end(), tasks[i]) == tasks.end()) unique.push_back(tasks[i]);
  }
  std::stable_sort(unique.begin(), unique.end(),
                   [&](TaskId a, TaskId b) { return cluster_info.task(a).set < cluster_info.task(b).set; });
  return unique;
}

Solver::Solver(Session& session, const QueueOrder& order, NodePlacer& placing, Moment& now, Action action,
               GroupId pending, const std::vector<GroupQueue::Entry>& victims)
    : session_(session),
      cluster_info_(session.cluster_info()),
      order_(order),
      placer_(placing),
      action_(action),
      pending_(pending),
      candidates_(session, order, now),
      reclaim_(session, order),
      victims_(session, order, GroupQueue::Of::victims),
      has_lasting_effects_(some_share_gpus(cluster_info_, victims)),
      chunk_(next_chunk(session, pending, false)),
      is_feasible_(cluster_info_.shard_nodes().size(), 0),
      freed_(cluster_info_.shard_nodes().size() * cluster_info_.dims(), 0),
      seen_(cluster_info_.tasks().size(), 0),
      place_of_(cluster_info_.groups().size(), 0) {
  if (session.chance().is_input_order()) {
    for (const GroupQueue::Entry& victim : victims) victims_.push(victim);
  } else {
    std::vector<GroupQueue::Entry> in_order = victims;
    session.chance().reorder(in_order);
    for (const GroupQueue::Entry& victim : in_order) victims_.push(victim);
  }
  if (victims.empty()) search_.rule = Rule::no_candidates;
  for (const GroupId group : cluster_info_.groups_with_pending()) {
    if (session.has_pending(group)) pending_groups_.push_back(group);
  }
  find_base_shard_nodes();
}

// Collects all nodes if some task of the group requests no GPU, otherwise the nodes with idle or releasing GPUs.
void Solver::find_base_shard_nodes() {
  const Group& group = cluster_info_.group(pending_);
  bool all = false;
  for (std::uint32_t i = 0; i < group.sets; ++i) {
    for (const TaskId task : cluster_info_.tasks_of(group.set(i))) all = all || !cluster_info_.gpu(task).needs_gpu();
  }
  for (const ShardNodeId shard_node : cluster_info_.shard_nodes().ids()) {
    const Session::FreeGpus free = all ? Session::FreeGpus() : session_.free_gpus(shard_node);
    if (all || free.idle > 0 || free.releasing > 0) base_shard_nodes_.push_back(shard_node);
  }
}

auto Solver::solve(Statement& statement) -> Search {
  if (chunk_.empty()) {
    search_.rule = Rule::nothing_pending;
    return search_;
  }
  search_.panics = !has(Change::parts_may_be_empty) && part_of(1).chunk.empty();
  if (search_.panics) return search_;
  const Settings& settings = cluster_info_.settings();
  const std::int64_t limit = settings.budgets.for_group(action_);
  if (limit != 0 && limit <= Budgets::kNothing) {
    search_.rule = Rule::no_time;
    return search_;
  }
  if (settings.generators.empty()) search_.rule = Rule::no_generator;
  if (search_.rule == Rule::no_candidates || settings.generators.empty()) return search_;
  const std::int64_t before = session_.used(pending_);
  for (const Generator generator : settings.generators) {
    const std::int64_t own = settings.budgets.generator[static_cast<std::size_t>(generator)];
    if (own != 0 && own <= Budgets::kNothing) continue;
    generator_ = generator;
    recorded_.clear();
    recorded_victims_.clear();
    const bool solved = probe_all(statement);
    if (search_.panics) return search_;
    if (!solved) continue;
    const bool grew = session_.used(pending_) > before;
    search_.rule = grew && gang_satisfied(session_, pending_) ? Rule::solved : Rule::sub_groups_unsatisfied;
    search_.multi_node = generator == Generator::multi_node;
    return search_;
  }
  return search_;
}

auto Solver::probe_all(Statement& statement) -> bool {
  if (!has(Change::search_bisects)) return probe_one_by_one(statement);
  return largest_solvable() != 0 && probe(chunk_.size(), statement);
}

auto Solver::probe_one_by_one(Statement& statement) -> bool {
  for (std::size_t k = 1; k < chunk_.size(); ++k) {
    if (!try_probe(k) && has(Change::search_ends_at_failure)) return false;
  }
  return probe(chunk_.size(), statement);
}

// Probes 1, 2, 4 … tasks, then bisects between the last success and the first failure.
auto Solver::largest_solvable() -> std::size_t {
  const std::size_t all = chunk_.size();
  std::size_t works = 0;
  std::size_t fails = 0;
  for (std::size_t k = 1;; k = std::min(2 * k, all)) {
    if (!try_probe(k)) {
      fails = k;
      break;
    }
    works = k;
    if (k == all) return works;
  }
  while (fails - works > 1) {
    const std::size_t middle = (works + fails) / 2;
    (try_probe(middle) ? works : fails) = middle;
  }
  return works;
}

auto Solver::try_probe(std::size_t k) -> bool {
  Statement statement;
  const std::size_t mark = session_.mark();
  if (!probe(k, statement)) return false;
  session_.roll_back(statement);
  session_.release(mark);
  return true;
}

auto Solver::probe(std::size_t k, Statement& statement) -> bool {
  std::fill(is_feasible_.begin(), is_feasible_.end(), char{0});
  shard_nodes_ = base_shard_nodes_;
  for (const TaskId task : recorded_victims_) shard_nodes_.push_back(session_.copy(session_.current(task)).shard_node);
  std::sort(shard_nodes_.begin(), shard_nodes_.end());
  shard_nodes_.erase(std::unique(shard_nodes_.begin(), shard_nodes_.end()), shard_nodes_.end());
  for (const ShardNodeId shard_node : shard_nodes_) is_feasible_[shard_node.index] = 1;
  kept_places_ = 0;
  const Part part = part_of(k);
  switch (generator_) {
    case Generator::node_local: return generate_local(part, statement);
    case Generator::multi_node: return generate_multi(part, statement);
    case Generator::node_by_node: break;
  }
  return generate_node_by_node(part, statement);
}

auto Solver::part_of(std::size_t k) -> Part {
  Part part;
  std::vector<CopyId> wanted(chunk_.begin(), chunk_.begin() + static_cast<std::ptrdiff_t>(k));
  std::sort(wanted.begin(), wanted.end());
  part.view = view_of(session_, pending_);
  for (const SetView& set : part.view.sets) {
    auto& tasks = part.tasks.emplace_back();
    for (std::size_t i = 0; i < set.count; ++i) {
      const bool runs = has(Change::part_has_running_pods) && kActiveAllocated.has(session_.copy(set.tasks[i]).status);
      if (runs || std::binary_search(wanted.begin(), wanted.end(), set.tasks[i])) tasks.push_back(set.tasks[i]);
    }
  }
  for (std::size_t i = 0; i < part.tasks.size(); ++i) {
    SetView& set = part.view.sets[i];
    set.tasks = part.tasks[i].data();
    set.count = part.tasks[i].size();
    const auto count = static_cast<std::int32_t>(set.count);
    if (!has(Change::part_has_running_pods)) {
      set.allocated = 0;
      if (count > 0) set.min = count;
    } else if (count > 0) {
      set.min = std::min(set.min, count);
    }
  }
  lower_minimums(part);
  part.chunk = next_chunk(session_, part.view, false);
  part.need = need_of(session_, part.chunk);
  part.key = kai::key_of(cluster_info_, pending_, part.view.sets);
  for (std::size_t i = 0; i < cluster_info_.dims(); ++i) {
    const bool shares = i == kGpu && std::any_of(part.chunk.begin(), part.chunk.end(), [&](CopyId id) {
                          return cluster_info_.gpu(session_.copy(id).task).is_shared();
                        });
    if (shares) continue;  // free memory on shared GPUs is not counted here
    double least = INFINITY;
    for (const CopyId id : part.chunk) least = std::min(least, cluster_info_.request(session_.copy(id).task)[i]);
    if (!part.chunk.empty() && least > 0) part.least.emplace_back(i, least);
  }
  for (const ShardNodeId shard_node : shard_nodes_) part.places += places_in(part, shard_node, nullptr);
  return part;
}

// Lowers the minimum of inner nodes: none may require more children than have tasks.
void Solver::lower_minimums(Part& part) const {
  if (part.view.tree == nullptr) return;
  part.tree = *part.view.tree;
  std::vector<char> has_tasks(part.tree.inners.size(), 0);
  for (std::size_t i = part.tree.inners.size(); i-- > 0;) {
    SubGroupTree::Inner& inner = part.tree.inners[i];
    std::int32_t children = 0;
    for (const std::uint32_t set : inner.sets) children += part.tasks[set].empty() ? 0 : 1;
    for (const std::uint32_t child : inner.inners) children += has_tasks[child];
    if (inner.min) inner.min = std::min(*inner.min, children);
    has_tasks[i] = children > 0 ? 1 : 0;
  }
  part.view.tree = &part.tree;
}

auto Solver::places_in(const Part& part, ShardNodeId shard_node, const double* freed) const -> std::int64_t {
  double places = static_cast<double>(part.chunk.size());
  for (const auto& [dim, least] : part.least) {
    const double free = session_.free_later(shard_node, dim) + (freed == nullptr ? 0 : freed[dim]);
    places = std::min(places, std::max(0.0, std::floor(free / least)));
  }
  return static_cast<std::int64_t>(places);
}

}  // namespace previct::kai
