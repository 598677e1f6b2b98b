#include "engine/kai/actions/cycle.h"

#include "engine/kai/actions/failed_jobs.h"
#include "engine/kai/fairness/reclaim_victims.h"

#include <algorithm>

namespace previct::kai {

Cycle::Cycle(const ClusterInfo& cluster_info, Moment& now, Instant first_seen, MapOrder chance)
    : cluster_info_(cluster_info),
      now_(now),
      first_seen_(first_seen),
      session_(cluster_info, chance),
      shares_(divide(session_)),
      order_(session_, shares_),
      placer_(session_),
      signatures_(std::make_unique<Signatures>(cluster_info)) {}

Cycle::~Cycle() = default;

void Cycle::run() {
  if (!cluster_info_.settings().cannot_start.empty() || !cluster_info_.endless_queues().empty()) return;
  for (const Action action : cluster_info_.settings().actions) {
    if (crashed_in_ || crashed_at_) return;
    switch (action) {
      case Action::allocate: allocate(); break;
      case Action::consolidation: consolidate(); break;
      case Action::reclaim: reclaim(); break;
      case Action::preempt: preempt(); break;
      case Action::stalegangeviction: evict_stale_gangs(); break;
    }
  }
}

auto Cycle::find(const std::unordered_map<std::uint32_t, ShardNodeId>& map, TaskId task) -> ShardNodeId {
  const auto found = map.find(task.index);
  return found == map.end() ? ShardNodeId{} : found->second;
}

auto Cycle::placed_by(GroupId group) const -> std::optional<Action> {
  const auto found = placed_by_.find(group.index);
  if (found == placed_by_.end()) return {};
  return found->second;
}

void Cycle::note(Action action, GroupId group, Rule rule) {
  attempts_.push_back({action, group, rule, nullptr, evictions_.size(), evictions_.size()});
}

// Ready groups with pending tasks. The evicting actions omit groups that are within their preemption delay.
// With a depth of 0, the queue keeps no group, and upstream crashes because it uses the missing entry as a group.
auto Cycle::pending_queue(Action action) -> std::optional<GroupQueue> {
  const auto depth = cluster_info_.settings().queue_depth[static_cast<std::size_t>(action)];
  GroupQueue queue(session_, order_, GroupQueue::Of::pending, depth);
  std::vector<GroupId> groups = cluster_info_.groups_by_name();
  session_.chance().reorder(groups);
  for (const GroupId id : groups) {
    if (!session_.has_pending(id) || !is_ready(session_, id)) continue;
    if (action == Action::consolidation && !cluster_info_.group(id).preemptible) continue;
    const QueueId of = cluster_info_.group(id).queue;
    if (!of || !cluster_info_.queue(of).is_leaf()) continue;
    if (action != Action::allocate && is_delayed(id)) continue;
    if (depth && *depth <= 0 && *depth != -1) {
      if (!cluster_info_.settings().running.release.has(Change::depth_0_panics)) continue;
      crashed_in_ = action;
      return {};
    }
    queue.push_whole(id);
  }
  return queue;
}

auto Cycle::is_delayed(GroupId id) -> bool {
  const Group& group = cluster_info_.group(id);
  if (group.preemption_delay <= 0) return false;
  Instant since = group.created;
  if (const auto& evicted = session_.last_eviction(id)) since = std::max(since, *evicted);
  return !now_.reached(since.plus_nanos(group.preemption_delay));
}

void Cycle::commit(Statement& statement, Action action, GroupId preemptor) {
  ++commits_;
  for (const Operation& operation : statement) {
    if (!operation.in_force) continue;
    const Copy& copy = session_.copy(operation.copy);
    const TaskId task = copy.task;
    switch (operation.kind) {
      case Operation::Kind::unevict: break;
      case Operation::Kind::evict:
        session_.confirm_eviction(operation, now_.now());
        evictions_.push_back({task, action, preemptor, commits_});
        break;
      case Operation::Kind::pipeline:
        pipelined_.insert_or_assign(task.index, copy.shard_node);
        note_placed(task, action);
        break;
      case Operation::Kind::allocate:
        allocated_.insert_or_assign(task.index, copy.shard_node);
        note_placed(task, action);
        break;
    }
  }
  statement.clear();
}

// A victim that was moved does not count as placed.
void Cycle::note_placed(TaskId id, Action action) {
  const Task& task = cluster_info_.task(id);
  if (task.status != Status::pending) return;
  placed_by_.emplace(task.group.index, action);
  commit_of_.insert_or_assign(id.index, commits_);
}

template <class Filter>
auto Cycle::victims_where(Filter filter) const -> std::vector<GroupQueue::Entry> {
  std::vector<GroupQueue::Entry> victims;
  for (const GroupId id : cluster_info_.groups_by_name()) {
    if (filter(id)) victims.push_back(victim_entry(session_, id));
  }
  return victims;
}

auto Cycle::solve(Action action, GroupId pending, const std::vector<GroupQueue::Entry>& victims, Failures& failures)
    -> bool {
  Solver solver(session_, order_, placer_, now_, action, pending, victims);
  Statement statement;
  const std::size_t before = evictions_.size();
  const auto search = std::make_shared<const Search>(solver.solve(statement));
  Rule rule = search->rule;
  if (rule == Rule::no_solution) {
    if (const Rule why = placer_.hopeless(next_chunk(session_, pending, false)); why != Rule::candidate) rule = why;
  }
  const Effort& effort = search->effort;
  effort_.victims_popped += effort.victims_popped;
  effort_.scenarios += effort.scenarios;
  effort_.simulated += effort.simulated;
  for (std::size_t g = 0; g < longest_.scenarios_by.size(); ++g) {
    longest_.scenarios_by[g] = std::max(longest_.scenarios_by[g], effort.scenarios_by[g]);
    longest_.popped_by[g] = std::max(longest_.popped_by[g], effort.popped_by[g]);
  }
  const bool ends = rule == Rule::no_time || search->panics;
  if (search->panics) {
    crashed_in_ = action;
    crashed_for_ = pending;
    split_ = search->split;
    across_ = search->across;
  } else if (rule == Rule::solved) {
    commit(statement, action, pending);
  } else if (!ends) {
    failures.remember(pending);
  }
  attempts_.push_back({action, pending, rule, search, before, evictions_.size()});
  return !ends;
}

// Source: actions/utils IsEnoughGPUsAllocatableForJob. MIG devices count by slices, and their gigabytes as memory.
auto Cycle::enough_gpus(GroupId pending) -> bool {
  double free = 0;
  std::int64_t free_memory = 0;
  for (const ShardNodeId shard_node : cluster_info_.shard_nodes().ids()) {
    if (!cluster_info_.shard_nodes()[shard_node].available) continue;
    free += session_.free_gpus(shard_node).sum();
    free_memory += session_.free_gpu_memory(shard_node);
  }
  double gpus = 0;
  std::int64_t memory = 0;
  for (const CopyId id : next_chunk(session_, pending, false)) {
    const GpuRequest& asked = cluster_info_.gpu(session_.copy(id).task);
    gpus += asked.quota();
    memory += asked.memory + asked.mig_gigabytes;
  }
  return free >= gpus && free_memory >= memory;
}

// Returns the groups of any queue that could be moved, in map order, up to one more than the limit.
auto Cycle::consolidation_candidates(GroupId pending) -> std::vector<GroupQueue::Entry> {
  const std::int64_t most = cluster_info_.settings().max_consolidation_preemptees;
  const Candidates candidates(session_, order_, now_);
  std::vector<bool> accepted(cluster_info_.groups().size(), false);
  std::int64_t count = 0;
  std::vector<GroupId> groups = cluster_info_.groups_by_name();
  session_.chance().reorder(groups);
  for (const GroupId id : groups) {
    if (candidates.consolidation_verdict(pending, id) != Rule::candidate) continue;
    if (most != -1 && count > most) {
      note_cut();
      break;
    }
    ++count;
    accepted[id.index] = true;
  }
  return victims_where([&](GroupId id) { return accepted[id.index]; });
}

// Records the state at the first cut only: which groups upstream picks there is random, so everything after it is
// uncertain.
void Cycle::note_cut() {
  session_.chance().note();
  if (!was_pending_at_cut_.empty()) return;
  for (const GroupId id : cluster_info_.groups().ids()) was_pending_at_cut_.push_back(session_.has_pending(id));
}

// Returns why no eviction can help the group, if the scheduler leaves it out for this.
auto Cycle::hopeless(GroupId pending) -> Rule {
  if (searches_for_hopeless(cluster_info_.settings().running.release)) return Rule::candidate;
  return placer_.hopeless(next_chunk(session_, pending, false));
}

void Cycle::consolidate() {
  if (!may_search() || cluster_info_.settings().max_consolidation_preemptees == 0) return;
  Failures failures(session_, *signatures_);
  auto queue = pending_queue(Action::consolidation);
  while (queue && !queue->empty()) {
    const GroupId pending = queue->pop().group;
    if (cluster_info_.settings().signatures && !failures.worth_trying(pending)) {
      note(Action::consolidation, pending, Rule::like_failed);
    } else if (const Rule why = hopeless(pending); why != Rule::candidate) {
      note(Action::consolidation, pending, why);
    } else if (!enough_gpus(pending)) {
      note(Action::consolidation, pending, Rule::too_few_gpus);
      failures.remember(pending);
    } else if (!solve(Action::consolidation, pending, consolidation_candidates(pending), failures)) {
      return;
    }
  }
}

void Cycle::reclaim() {
  if (!may_search()) return;
  ReclaimVictims victims(session_, order_, now_);
  std::map<QueueId, Failures> failures_by_queue;
  auto queue = pending_queue(Action::reclaim);
  while (queue && !queue->empty()) {
    const GroupId pending = queue->pop().group;
    const Candidates candidates(session_, order_, now_);
    const QueueId of = cluster_info_.group(pending).queue;
    Failures& failures = failures_by_queue.try_emplace(of, session_, *signatures_).first->second;
    if (const Rule may = candidates.may_reclaim(pending); may != Rule::candidate) {
      note(Action::reclaim, pending, may);
    } else if (cluster_info_.settings().signatures && !failures.worth_trying(pending)) {
      note(Action::reclaim, pending, Rule::like_failed);
    } else if (const Rule why = hopeless(pending); why != Rule::candidate) {
      note(Action::reclaim, pending, why);
    } else {
      if (!solve(Action::reclaim, pending, victims.of(pending), failures)) return;
    }
  }
}

void Cycle::preempt() {
  if (!may_search()) return;
  std::map<QueueId, Failures> failures_by_queue;
  auto queue = pending_queue(Action::preempt);
  while (queue && !queue->empty()) {
    const GroupId pending = queue->pop().group;
    const QueueId of = cluster_info_.group(pending).queue;
    Failures& failures = failures_by_queue.try_emplace(of, session_, *signatures_).first->second;
    const std::vector<CopyId> chunk = next_chunk(session_, pending, false);
    if (cluster_info_.settings().signatures && !failures.worth_trying(pending)) {
      note(Action::preempt, pending, Rule::like_failed);
    } else if (const Rule why = hopeless(pending); why != Rule::candidate) {
      note(Action::preempt, pending, why);
    } else if (placer_.over_quota(pending, placer_.request_of(chunk))) {
      note(Action::preempt, pending, Rule::over_quota);
      failures.remember(pending);
    } else {
      const Candidates candidates(session_, order_, now_);
      const auto victims = victims_where([&](GroupId id) {
        const Rule rule = candidates.preempt_verdict(pending, id);
        return rule == Rule::candidate || rule == Rule::candidate_elastic;
      });
      if (!solve(Action::preempt, pending, victims, failures)) return;
    }
  }
}

// Evicts gangs that have been below their minimum for longer than their grace period. A gang without the annotation
// counts as stale since the time of the question.
void Cycle::evict_stale_gangs() {
  for (const GroupId id : cluster_info_.groups().ids()) {
    if (session_.indexed(id, Status::succeeded) > 0 || session_.used(id) == 0) continue;
    if (gang_satisfied(session_, id)) continue;
    const Group& group = cluster_info_.group(id);
    if (!group.queue && !cluster_info_.settings().running.release.has(Change::groups_without_queue)) continue;
    const std::int64_t grace = group.stale_grace.value_or(cluster_info_.settings().stale_grace);
    depends_on_first_seen_ = depends_on_first_seen_ || (grace >= 0 && !group.stale_since);
    if (grace < 0 || !now_.reached(group.stale_since.value_or(first_seen_).plus_nanos(grace))) continue;
    for (std::uint32_t i = 0; i < group.sets; ++i) {
      for (const TaskId task : cluster_info_.tasks_of(group.set(i))) {
        if (!kActiveAllocated.has(session_.status(task))) continue;
        evictions_.push_back({task, Action::stalegangeviction, {}, 0});
        // Source: plugins/proportion deallocateHandlerFn, which assumes that the queue exists.
        if (!group.queue && cluster_info_.task(task).shard_node && cluster_info_.settings().plugins.proportion) {
          crashed_at_ = id;
          return;
        }
        session_.evict_permanently(session_.current(task));
      }
    }
  }
}

}  // namespace previct::kai
