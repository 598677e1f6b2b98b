#include "engine/kai/fairness/candidates.h"

#include <algorithm>

namespace previct::kai {

namespace {

// Of a victim in queue `theirs`, against a group in queue `ours`.
auto min_runtime_of(const Session& session, Action action, QueueId ours, QueueId theirs) -> MinRuntimeValue {
  const ClusterInfo& cluster_info = session.cluster_info();
  const Settings& settings = cluster_info.settings();
  return action == Action::reclaim ? reclaim_min_runtime(cluster_info.tree(), settings, settings.method, ours, theirs)
                                   : preempt_min_runtime(cluster_info.tree(), settings, theirs);
}

auto shield_with(const Session& session, const MinRuntimeValue& value, GroupId victim, Moment& now) -> Shield {
  Shield result{.value = value, .until = {}};
  if (const auto& start = session.last_start(victim)) {
    result.until = start->plus_nanos(value.nanos);
    result.now = !now.reached(*result.until);
  }
  return result;
}

}  // namespace

auto shield_of(const Session& session, Action action, QueueId preemptor, GroupId victim, Moment& now) -> Shield {
  const QueueId theirs = session.cluster_info().group(victim).queue;
  return shield_with(session, min_runtime_of(session, action, preemptor, theirs), victim, now);
}

auto evictable_pods(const Session& session, GroupId id) -> std::int64_t {
  const Group& group = session.cluster_info().group(id);
  std::int64_t spare = 0;
  for (std::uint32_t i = 0; i < group.sets; ++i) {
    const SetCounts& counts = session.counts(group.set(i));
    spare += std::clamp(counts.used - session.cluster_info().sets()[group.set(i)].min, 0, counts.allocated);
  }
  return spare;
}

auto switched_off(const Settings& settings, Action action) -> Rule {
  const auto& on = settings.actions;
  if (std::find(on.begin(), on.end(), action) == on.end()) return Rule::action_off;
  if (settings.generators.empty()) return Rule::no_generator;
  if (settings.budgets.contradictory) return Rule::no_time;
  return action == Action::reclaim && !settings.plugins.proportion ? Rule::no_proportion_plugin : Rule::candidate;
}

auto may_evict_from(const Group& group, Instant now) -> Instant {
  if (group.preemption_delay <= 0) return {};
  const Instant since = group.last_eviction ? std::max(group.created, *group.last_eviction) : group.created;
  const Instant ends = since.plus_nanos(group.preemption_delay);
  return ends > now ? ends : Instant{};
}

auto diverging_queues(const QueueTree& tree, QueueId pending, QueueId victim) -> DivergingQueues {
  const std::vector<QueueId>& ours = tree[pending].path;
  const std::vector<QueueId>& theirs = tree[victim].path;
  std::size_t at = 0;
  while (ours[at] == theirs[at] && at + 1 < ours.size() && at + 1 < theirs.size()) ++at;
  return {ours[at], theirs[at]};
}

auto Candidates::may_reclaim(GroupId pending) const -> Rule {
  if (!session_.cluster_info().settings().plugins.proportion) return Rule::no_proportion_plugin;
  const Group& group = session_.cluster_info().group(pending);
  const Share& need = need_of(session_, pending).amount;
  const TreeQueue& queue = session_.cluster_info().queue(group.queue);
  if (!within(plus(session_.allocated(group.queue), need), order_.fair_share(group.queue))) {
    return Rule::over_fair_share;
  }
  const bool in_quota = within(plus(session_.non_preemptible(group.queue), need), queue.deserved);
  return group.preemptible || in_quota ? Rule::candidate : Rule::over_quota;
}

// Source: plugins/proportion/reclaimable/filter_victims.go.
auto Candidates::queue_verdict(QueueId pending, const Ask& need, QueueId victim) const -> Rule {
  const QueueTree& tree = session_.cluster_info().tree();
  const auto [ours, theirs] = diverging_queues(tree, pending, victim);
  const Share& allocated = session_.allocated(theirs);
  if (!within(plus(session_.allocated(ours), need.amount), tree[ours].deserved)) {
    return within(allocated, order_.usable(theirs)) ? Rule::within_share : Rule::candidate;
  }
  const bool in_quota = session_.cluster_info().settings().reclaims_in_quota;
  if (in_quota && tree[ours].priority > tree[theirs].priority) return Rule::candidate;
  const Share& deserved = tree[theirs].deserved;
  bool below = false;
  for (std::size_t r = 0; r < kShared; ++r) {
    if (need.amount[r] <= 0 || deserved[r] == kUnlimited) continue;
    if (allocated[r] > deserved[r]) return Rule::candidate;
    below = below || allocated[r] < deserved[r];
  }
  return below ? Rule::within_quota : Rule::candidate;
}

auto Candidates::victim_basics(GroupId victim) const -> Rule {
  const Group& group = session_.cluster_info().group(victim);
  if (!group.queue) return Rule::no_queue;
  if (!session_.cluster_info().queue(group.queue).is_leaf()) return Rule::inner_queue;
  if (!session_.has_allocated(victim)) return Rule::nothing_running;
  return group.preemptible ? Rule::candidate : Rule::not_preemptible;
}

auto Candidates::min_runtime_verdict(Action action, GroupId pending, GroupId victim) const -> Rule {
  const ClusterInfo& cluster_info = session_.cluster_info();
  return min_runtime_verdict(
      min_runtime_of(session_, action, cluster_info.group(pending).queue, cluster_info.group(victim).queue), victim);
}

auto Candidates::min_runtime_verdict(const MinRuntimeValue& value, GroupId victim) const -> Rule {
  if (!session_.cluster_info().settings().plugins.min_runtime) return Rule::candidate;
  if (!shield_with(session_, value, victim, now_).now) return Rule::candidate;
  return session_.cluster_info().group(victim).elastic ? Rule::candidate_elastic : Rule::min_runtime;
}

auto Candidates::shares_verdict(GroupId pending, QueueId theirs) const -> Rule {
  const ClusterInfo& cluster_info = session_.cluster_info();
  if (!cluster_info.settings().running.release.has(Change::candidates_by_share)) return Rule::candidate;
  return queue_verdict(cluster_info.group(pending).queue, need_of(session_, pending), theirs);
}

auto Candidates::queue_facts(GroupId pending, QueueId theirs) const -> QueueFacts {
  const QueueId ours = session_.cluster_info().group(pending).queue;
  return {shares_verdict(pending, theirs), min_runtime_of(session_, Action::reclaim, ours, theirs)};
}

auto Candidates::reclaim_basics(GroupId pending, GroupId victim) const -> Rule {
  if (pending == victim) return Rule::same_group;
  if (const Rule basics = victim_basics(victim); basics != Rule::candidate) return basics;
  const ClusterInfo& cluster_info = session_.cluster_info();
  return cluster_info.group(pending).queue == cluster_info.group(victim).queue ? Rule::same_queue : Rule::candidate;
}

auto Candidates::reclaim_verdict(const QueueFacts& of_queue, GroupId victim) const -> Rule {
  return of_queue.shares == Rule::candidate ? min_runtime_verdict(of_queue.min_runtime, victim) : of_queue.shares;
}

auto Candidates::reclaim_verdict(GroupId pending, GroupId victim) const -> Rule {
  if (const Rule basics = reclaim_basics(pending, victim); basics != Rule::candidate) return basics;
  return reclaim_verdict(queue_facts(pending, session_.cluster_info().group(victim).queue), victim);
}

auto Candidates::preempt_verdict(GroupId pending, GroupId victim) const -> Rule {
  if (pending == victim) return Rule::same_group;
  const Group& ours = session_.cluster_info().group(pending);
  const Group& theirs = session_.cluster_info().group(victim);
  if (const Rule basics = victim_basics(victim); basics != Rule::candidate) return basics;
  if (ours.queue != theirs.queue) return Rule::other_queue;
  if (theirs.priority >= ours.priority) return Rule::priority_not_lower;
  if (const Rule known = consolidation_verdict(pending, victim); known != Rule::candidate) return known;
  return min_runtime_verdict(Action::preempt, pending, victim);
}

// Requires a pod of the group that is alive and not on a foreign node. Source: actions/utils.
auto Candidates::consolidation_verdict(GroupId pending, GroupId victim) const -> Rule {
  if (pending == victim) return Rule::same_group;
  const Group& group = session_.cluster_info().group(victim);
  if (!group.preemptible) return Rule::not_preemptible;
  if (session_.active(victim) == 0) return Rule::nothing_running;
  for (std::uint32_t i = 0; i < group.sets; ++i) {
    for (const TaskId task : session_.cluster_info().tasks_of(group.set(i))) {
      const Copy& copy = session_.copy(session_.current(task));
      if (kAlive.has(copy.status) && (!copy.on_node || copy.shard_node)) return Rule::candidate;
    }
  }
  return Rule::unknown_node;
}

auto Candidates::check_core_tasks(Check when, Action action, GroupId pending, std::span<const NamedVictims> victims,
                                  GroupId& blocked) const -> Rule {
  const ClusterInfo& cluster_info = session_.cluster_info();
  if (!cluster_info.settings().plugins.min_runtime) return Rule::accepted;
  for (const NamedVictims& named : victims) {
    const Group& group = cluster_info.group(named.group);
    if (!group.elastic) continue;
    if (!shield_of(session_, action, cluster_info.group(pending).queue, named.group, now_).now) continue;
    std::vector<std::int64_t> lost(group.sets, 0);
    for (const TaskId task : named.tasks) ++lost[cluster_info.task(task).set.index - group.first_set.index];
    for (std::uint32_t i = 0; i < group.sets; ++i) {
      const SetCounts& counts = session_.counts(group.set(i));
      const std::int32_t placeable = when == Check::before ? counts.alive - counts.allocated - counts.gated : 0;
      if (lost[i] == 0 || cluster_info.sets()[group.set(i)].min <= counts.used + placeable - lost[i]) continue;
      blocked = named.group;
      return Rule::takes_core;
    }
  }
  return Rule::accepted;
}

}  // namespace previct::kai
