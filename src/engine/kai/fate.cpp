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

}  // namespace

auto fate_of(const Decision& decision, GroupId id) -> Fate {
  const ClusterInfo& cluster_info = decision.cluster_info;
  const Cycle& cycle = decision.cycle;
  Fate fate;
  std::size_t pending = 0;
  std::size_t gated = 0;
  std::size_t held = 0;
  std::size_t reserved = 0;
  each_task(cluster_info, id, [&](TaskId task) {
    const Status status = cluster_info.task(task).status;
    gated += status == Status::gated ? 1U : 0U;
    held += kActiveAllocated.has(status) ? 1U : 0U;
    if (status != Status::pending) return;
    ++pending;
    const ShardNodeId allocated = cycle.allocated_to(task);
    const ShardNodeId shard_node = allocated ? allocated : cycle.pipelined_to(task);
    if (!shard_node) return;
    ++fate.placed;
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
  } else if (pending == 0) {
    fate.outcome = gated > 0 ? Outcome::gated : held > 0 ? Outcome::scheduled : Outcome::pending;
  } else {
    const Group& group = cluster_info.group(id);
    Moment moment(decision.moment.now());
    Instant since = group.created;
    if (group.last_eviction) since = std::max(since, *group.last_eviction);
    const bool delayed = group.preemption_delay > 0 && !moment.reached(since.plus_nanos(group.preemption_delay));
    fate.outcome = delayed ? Outcome::not_eligible : Outcome::pending;
  }
  return fate;
}

auto placement_lost_to(const Decision& decision, GroupId group) -> GroupId {
  for (const Eviction& each : decision.cycle.evictions()) {
    const Task& task = decision.cluster_info.task(each.task);
    if (task.group == group && task.status == Status::pending && each.preemptor) return each.preemptor;
  }
  return {};
}

auto fate_key(const Decision& decision, GroupId id) -> std::string {
  const Fate fate = fate_of(decision, id);
  std::string key = fmt::format("{}/{}/{}", static_cast<int>(fate.outcome), static_cast<int>(fate.action), fate.placed);
  for (const std::string& node : fate.nodes) key += "/" + node;
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

}  // namespace previct::kai
