#include "engine/kai/account.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct::kai {
namespace {

template <class Visit>
void each_task(const ClusterInfo& cluster_info, GroupId id, Visit visit) {
  const Group& group = cluster_info.group(id);
  for (std::uint32_t i = 0; i < group.sets; ++i) {
    for (const TaskId task : cluster_info.tasks_of(group.set(i))) visit(task);
  }
}

// Returns the outcome of what has no place at the end of the cycle.
auto outcome_without_place(const Decision& decision, GroupId id) -> Outcome {
  const Group& group = decision.cluster_info.group(id);
  Moment moment(decision.moment.now());
  Instant since = group.created;
  if (group.last_eviction) since = std::max(since, *group.last_eviction);
  const bool delayed = group.preemption_delay > 0 && !moment.reached(since.plus_nanos(group.preemption_delay));
  return delayed ? Outcome::not_eligible : Outcome::pending;
}

}  // namespace

auto fate_of(const Decision& decision, GroupId id) -> Fate {
  const ClusterInfo& cluster_info = decision.cluster_info;
  const Cycle& cycle = decision.cycle;
  Fate fate;
  std::size_t gated = 0;
  std::size_t held = 0;
  std::size_t reserved = 0;
  each_task(cluster_info, id, [&](TaskId task) {
    const Status status = cluster_info.task(task).status;
    gated += status == Status::gated ? 1U : 0U;
    held += kActiveAllocated.has(status) ? 1U : 0U;
    if (status != Status::pending) return;
    ++fate.pending;
    const ShardNodeId allocated = cycle.allocated_to(task);
    const ShardNodeId shard_node = allocated ? allocated : cycle.pipelined_to(task);
    if (!shard_node) return;
    ++fate.placed;
    ++fate.placed_of_group;
    reserved += allocated ? 0U : 1U;
    fate.nodes.emplace_back(cluster_info.shard_nodes()[shard_node].name);
  });
  std::sort(fate.nodes.begin(), fate.nodes.end());
  fate.nodes.erase(std::unique(fate.nodes.begin(), fate.nodes.end()), fate.nodes.end());
  for (const Eviction& each : distinct_evictions(cycle)) {
    if (each.preemptor != id) {
      ++fate.for_others.most;
      continue;
    }
    fate.evictions.push_back(each);
    fate.moved.most += cycle.moved_to(each.task) ? 1U : 0U;
  }
  fate.for_others.least = fate.for_others.most;
  fate.moved.least = fate.moved.most;
  fate.action = cycle.placed_by(id).value_or(Action::allocate);
  if (!fate.evictions.empty()) {
    fate.action = fate.evictions.front().action;
    fate.outcome = Outcome::preempts;
  } else if (fate.placed > 0) {
    fate.outcome = reserved > 0 ? Outcome::waits : Outcome::fits;
  } else if (fate.pending == 0) {
    fate.outcome = gated > 0 ? Outcome::gated : held > 0 ? Outcome::scheduled : Outcome::pending;
  } else {
    fate.outcome = outcome_without_place(decision, id);
  }
  return fate;
}

auto fate_of(const Decision& decision, const Subject& subject) -> Fate {
  Fate fate = fate_of(decision, subject.group);
  if (!subject.pod) return fate;
  const ClusterInfo& cluster_info = decision.cluster_info;
  const auto keep_evictions = [&](std::uint32_t commit) {
    const std::size_t all = fate.evictions.size();
    std::erase_if(fate.evictions, [&](const Eviction& each) { return commit == 0 || each.commit != commit; });
    fate.for_rest = all - fate.evictions.size();
    fate.moved = {};
    for (const Eviction& each : fate.evictions) fate.moved.most += decision.cycle.moved_to(each.task) ? 1U : 0U;
    fate.moved.least = fate.moved.most;
  };
  const TaskId task = task_of(cluster_info, subject);
  if (!task) {
    const Pod& pod = cluster_info.cluster().pod(subject.pod);
    const std::string_view phase = cluster_info.cluster().text(pod.status.phase);
    fate.no_part = (phase == "Pending" || phase.empty()) && !pod.spec.node_name && !pod.meta.deleting;
    if (!fate.no_part) return fate;
    fate.outcome = Outcome::pending;
  }
  const Status status = task ? cluster_info.task(task).status : Status::unknown;
  if (fate.no_part || kActiveAllocated.has(status)) {
    if (!fate.no_part) fate.outcome = Outcome::scheduled;
    fate.nodes.clear();
    fate.placed = 0;
    keep_evictions(0);
    return fate;
  }
  if (status != Status::pending || fate.placed_of_group == 0) return fate;
  const ShardNodeId allocated = decision.cycle.allocated_to(task);
  const ShardNodeId shard_node = allocated ? allocated : decision.cycle.pipelined_to(task);
  keep_evictions(allocated || !shard_node ? 0 : decision.cycle.commit_of(task));
  fate.nodes.clear();
  fate.placed = shard_node ? 1 : 0;
  if (!shard_node) {
    fate.left_out = true;
    fate.outcome = outcome_without_place(decision, subject.group);
    return fate;
  }
  fate.nodes.emplace_back(cluster_info.shard_nodes()[shard_node].name);
  fate.outcome = allocated ? Outcome::fits : fate.evictions.empty() ? Outcome::waits : Outcome::preempts;
  fate.action = fate.evictions.empty() ? Action::allocate : fate.evictions.front().action;
  return fate;
}

auto task_of(const ClusterInfo& cluster_info, const Subject& subject) -> TaskId {
  TaskId found;
  each_task(cluster_info, subject.group, [&](TaskId task) {
    if (cluster_info.task(task).pod == subject.pod) found = task;
  });
  return found;
}

auto placement_lost_to(const Decision& decision, const Subject& subject) -> GroupId {
  for (const Eviction& each : decision.cycle.evictions()) {
    const Task& task = decision.cluster_info.task(each.task);
    const bool own = task.group == subject.group && (!subject.pod || task.pod == subject.pod);
    if (own && task.status == Status::pending && each.preemptor) return each.preemptor;
  }
  return {};
}

auto fate_key(const Decision& decision, const Subject& subject) -> std::string {
  const Fate fate = fate_of(decision, subject);
  std::string key = fmt::format("{}/{}/{}", static_cast<int>(fate.outcome), static_cast<int>(fate.action), fate.placed);
  // Pods of a group that only swap their nodes have the same answer.
  if (subject.pod && fate.placed > 0) {
    for (const std::string& node : fate_of(decision, subject.group).nodes) key += "|" + node;
  } else {
    for (const std::string& node : fate.nodes) key += "/" + node;
  }
  std::vector<std::uint32_t> victims;
  for (const Eviction& each : fate.evictions) victims.push_back(decision.cluster_info.task(each.task).pod.index);
  std::sort(victims.begin(), victims.end());
  for (const std::uint32_t pod : victims) key += fmt::format("/{}", pod);
  // A panic prevents what would come later, and may prevent evictions that have begun.
  const bool may_matter = fate.placed == 0 || !victims.empty();
  if (may_matter && decision.cycle.crashed_in()) key += "/panic";
  return key;
}

namespace {

auto standing_among(const Explained& e, const Candidates& candidates, const Session& session, GroupId victim)
    -> Standing {
  const QueueId ours = e.group().queue;
  const bool same = e.cluster_info().group(victim).queue == ours;
  Standing standing{same ? Action::preempt : Action::reclaim, Rule::no_queue, {}};
  if (!ours) return standing;
  Moment moment(e.question.now);
  standing.shield = shield_of(session, standing.action, ours, victim, moment);
  standing.rule = switched_off(e.settings, standing.action);
  if (standing.rule != Rule::candidate) return standing;
  standing.rule =
      same ? candidates.preempt_verdict(e.subject.group, victim) : candidates.reclaim_verdict(e.subject.group, victim);
  return standing;
}

}  // namespace

auto standing_of(const Explained& e, Session& session, GroupId victim) -> Standing {
  Moment moment(e.question.now);
  const QueueOrder order(session, e.decision.cycle.shares());
  return standing_among(e, Candidates(session, order, moment), session, victim);
}

auto standings_of(const Explained& e) -> std::shared_ptr<const std::vector<GroupStanding>> {
  if (!e.subject.group) return std::make_shared<std::vector<GroupStanding>>();  // it backs off
  Session& session = e.decision.start();
  // Of groups without pods on nodes, only the queue, the priority and what they need matter.
  LastStandings& last = e.decision.last_standings();
  const bool runs = session.has_allocated(e.subject.group);
  const Ask need = need_of(session, e.subject.group);
  const Group& group = e.group();
  const bool alike = !runs && last.all != nullptr && last.queue == group.queue && last.priority == group.priority &&
                     last.need.amount == need.amount && last.need.gpus == need.gpus && last.now == e.question.now;
  if (alike) return last.all;
  Moment moment(e.question.now);
  const QueueOrder order(session, e.decision.cycle.shares());
  const Candidates candidates(session, order, moment);
  auto all = std::make_shared<std::vector<GroupStanding>>();
  for (const GroupId id : e.cluster_info().groups_by_name()) {
    if (id == e.subject.group || !session.has_allocated(id)) continue;
    all->push_back({id, standing_among(e, candidates, session, id)});
  }
  if (!runs) last = {group.queue, group.priority, need, e.question.now, all};
  return all;
}

auto distinct_evictions(const Cycle& cycle) -> std::vector<Eviction> {
  std::vector<Eviction> out;
  std::vector<bool> seen(cycle.session().cluster_info().tasks().size(), false);
  for (const Eviction& each : cycle.evictions()) {
    if (!seen[each.task.index]) out.push_back(each);
    seen[each.task.index] = true;
  }
  return out;
}

auto stale_evictions(const Cycle& cycle) -> std::vector<Eviction> {
  std::vector<Eviction> out = distinct_evictions(cycle);
  std::erase_if(out, [](const Eviction& each) { return each.action != Action::stalegangeviction; });
  return out;
}

}  // namespace previct::kai
