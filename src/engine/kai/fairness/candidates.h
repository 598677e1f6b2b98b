#pragma once

#include "engine/kai/fairness/min_runtime.h"
#include "engine/kai/fairness/orders.h"
#include "engine/kai/rules.h"

#include <optional>
#include <span>

namespace previct::kai {

/// The min-runtime that protects a group, and until when.
struct Shield {
  MinRuntimeValue value;
  std::optional<Instant> until;  ///< start + value; none without a start time
  bool now = false;              ///< protected at the time of the question
};

/// For reclaim: against a group of queue `preemptor`. For preempt: within the victim's queue. From `until` on, the
/// group is no longer protected; without a start time it is never protected. Whether the plugin is enabled is not
/// considered here.
[[nodiscard]] auto shield_of(const Session& session, Action action, QueueId preemptor, GroupId victim, Moment& now)
    -> Shield;

/// Returns how many pods a protected group may still lose: those above the minimum of each pod set.
[[nodiscard]] auto evictable_pods(const Session& session, GroupId group) -> std::int64_t;

/// Returns why the action is impossible for every group, or candidate.
[[nodiscard]] auto switched_off(const Settings& settings, Action action) -> Rule;

/// Returns the end of the group's preemption delay; Instant{} if it has none, or if it has ended.
[[nodiscard]] auto may_evict_from(const Group& group, Instant now) -> Instant;

/// The named victims of one group in a scenario, in the order named, including repetitions.
struct NamedVictims {
  GroupId group;
  std::vector<TaskId> tasks;
};

/// Decides which groups may be victims of a pending group, and which sets of victims the plugins accept. Create one for
/// each pending group: the checks use the allocations from the start of its solving.
/// Source: plugins/minruntime/minruntime.go; plugins/proportion/reclaimable.
class Candidates {
 public:
  Candidates(Session& session, const QueueOrder& order, Moment& now) : session_(session), order_(order), now_(now) {}

  /// Whether the group may reclaim at all: allocated + need must be within the fair share of its leaf queue, and for a
  /// non-preemptible group within the quota. Returns Rule::candidate, over_fair_share or over_quota.
  [[nodiscard]] auto may_reclaim(GroupId pending) const -> Rule;

  /// Whether the group can be a victim of any group. Returns candidate, or the rule that excludes it.
  [[nodiscard]] auto victim_basics(GroupId victim) const -> Rule;

  /// Whether quotas and shares permit reclaim from a group of this leaf queue. Returns candidate, within_share or
  /// within_quota.
  [[nodiscard]] auto queue_verdict(QueueId pending, const Ask& need, QueueId victim) const -> Rule;

  /// Returns candidate or candidate_elastic, or the rule that excludes the group.
  [[nodiscard]] auto reclaim_verdict(GroupId pending, GroupId victim) const -> Rule;
  [[nodiscard]] auto preempt_verdict(GroupId pending, GroupId victim) const -> Rule;
  [[nodiscard]] auto consolidation_verdict(GroupId pending, GroupId victim) const -> Rule;

  /// Whether min-runtime excludes the group; elastic groups pass. Returns candidate, candidate_elastic or min_runtime.
  [[nodiscard]] auto min_runtime_verdict(Action action, GroupId pending, GroupId victim) const -> Rule;

  /// When core tasks are checked: after a simulation, as upstream does; or before it, whether one could change the
  /// result: it may place pending pods of a group of victims, and these count.
  enum class Check : std::uint8_t { before, after };
  /// Whether every protected elastic group keeps its core tasks. Returns accepted or takes_core; `blocked` is set to
  /// the group that would lose too many.
  /// Source: plugins/minruntime/minruntime.go validVictimForMinAvailable.
  [[nodiscard]] auto check_core_tasks(Check when, Action action, GroupId pending, std::span<const NamedVictims> victims,
                                      GroupId& blocked) const -> Rule;

  /// What decides about reclaim from all groups of a queue.
  struct QueueFacts {
    Rule shares;  ///< candidate, within_share or within_quota
    MinRuntimeValue min_runtime;
  };
  [[nodiscard]] auto queue_facts(GroupId pending, QueueId victim) const -> QueueFacts;
  /// Returns QueueFacts::shares, the only fact that depends on the group, and that evictions change.
  [[nodiscard]] auto shares_verdict(GroupId pending, QueueId victim) const -> Rule;
  /// What decides without shares and min-runtimes.
  [[nodiscard]] auto reclaim_basics(GroupId pending, GroupId victim) const -> Rule;
  [[nodiscard]] auto reclaim_verdict(const QueueFacts& of_queue, GroupId victim) const -> Rule;

 private:
  [[nodiscard]] auto min_runtime_verdict(const MinRuntimeValue& value, GroupId victim) const -> Rule;

  Session& session_;
  const QueueOrder& order_;
  Moment& now_;
};

/// Checks that a reclaim scenario leaves the queues within their rules.
class ReclaimValidator {
 public:
  ReclaimValidator(const Session& session, const QueueOrder& order);

  /// Returns accepted, takes_share, unfair, over_share_after or over_quota_after. `need`: that of the probed part of
  /// the group.
  [[nodiscard]] auto judge(GroupId pending, const Ask& need, std::span<const NamedVictims> victims) const -> Rule;

 private:
  struct QueueLoss {
    QueueId queue;
    std::vector<Ask> pieces;  // each elastic task, then all core tasks of a group together
  };
  struct QueueLedger;

  [[nodiscard]] auto losses(std::span<const NamedVictims> victims) const -> std::vector<QueueLoss>;
  [[nodiscard]] auto take(QueueId pending, const Ask& need, const QueueLoss& loss, QueueLedger& books) const -> bool;
  [[nodiscard]] auto compare_siblings(GroupId pending, const Ask& need, QueueLedger& books) const -> Rule;
  [[nodiscard]] auto is_fair(QueueId mine, const Share& remaining, const Ask& need, QueueLedger& books) const -> bool;
  [[nodiscard]] auto compare(QueueId mine, const Share& remaining, const Ask& need, QueueLedger& books) const -> Rule;

  const Session& session_;
  const QueueOrder& order_;
  IdVector<QueueId, Share> allocated_;  // at the start of the group's solving
  IdVector<QueueId, Share> non_preemptible_;
};

/// The first queues at which the paths of two leaf queues differ; if one path contains the other, the deepest queue of
/// the shorter path.
struct DivergingQueues {
  QueueId pending;
  QueueId victim;
};
[[nodiscard]] auto diverging_queues(const QueueTree& tree, QueueId pending, QueueId victim) -> DivergingQueues;

}  // namespace previct::kai
