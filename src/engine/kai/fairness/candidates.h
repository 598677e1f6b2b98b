#pragma once

#include "engine/kai/fairness/min_runtime.h"
#include "engine/kai/fairness/orders.h"
#include "engine/kai/rules.h"

#include <optional>
#include <span>

namespace previct::kai {

/// What shields a group from another, and until when.
struct Shield {
  MinRuntimeValue value;
  std::optional<Instant> until;  ///< start + value; none without a start time
  bool now = false;              ///< protected at the moment asked
};

/// Reclaim: against a group of queue `preemptor`. Preempt: within the victim's queue. At exactly `until` a group is no
/// longer protected; without a start time it never is. The switch of the plugin is not looked at here.
[[nodiscard]] auto shield_of(const Session& session, Action action, QueueId preemptor, GroupId victim, Moment& now)
    -> Shield;

/// Pods that a protected group may lose all the same: those above the minimum of each pod set.
[[nodiscard]] auto evictable_pods(const Session& session, GroupId group) -> std::int64_t;

/// The named victims of one group in a scenario, in the order named, repetitions included.
struct NamedVictims {
  GroupId group;
  std::vector<TaskId> tasks;
};

/// Which groups may be victims of a pending group, and which sets of victims the plugins accept. Made anew for each
/// pending group: validators look at allocations as they were at the start of its solving.
/// Source: plugins/minruntime/minruntime.go; plugins/proportion/reclaimable.
class Candidates {
 public:
  Candidates(Session& session, const QueueOrder& order, Moment& now) : session_(session), order_(order), now_(now) {}

  /// May the group reclaim at all: allocated + need within the fair share of its leaf, and within the quota for a
  /// non-preemptible one. Rule::candidate, over_fair_share or over_quota.
  [[nodiscard]] auto may_reclaim(GroupId pending) const -> Rule;

  /// Could the group be anybody's victim at all: candidate, or what it lacks.
  [[nodiscard]] auto victim_basics(GroupId victim) const -> Rule;

  /// Reclaim from a group of this leaf queue, as far as quotas and shares go: candidate, within_share, within_quota.
  [[nodiscard]] auto queue_verdict(QueueId pending, const Ask& need, QueueId victim) const -> Rule;

  /// candidate or candidate_elastic, or the rule that excludes the group.
  [[nodiscard]] auto reclaim_verdict(GroupId pending, GroupId victim) const -> Rule;
  [[nodiscard]] auto preempt_verdict(GroupId pending, GroupId victim) const -> Rule;
  [[nodiscard]] auto consolidation_verdict(GroupId pending, GroupId victim) const -> Rule;

  /// Whether min-runtime excludes the group; elastic ones pass. candidate, candidate_elastic or min_runtime.
  [[nodiscard]] auto min_runtime_verdict(Action action, GroupId pending, GroupId victim) const -> Rule;

  /// Would a protected elastic group lose more than it may? accepted or takes_core. `blocked` gets that group.
  [[nodiscard]] auto keeps_cores(Action action, GroupId pending, std::span<const NamedVictims> victims,
                                 GroupId& blocked) const -> Rule;

 private:
  Session& session_;
  const QueueOrder& order_;
  Moment& now_;
};

/// Whether a reclaim scenario leaves queues as they should be.
class ReclaimValidator {
 public:
  ReclaimValidator(const Session& session, const QueueOrder& order);

  /// accepted, takes_share, unfair or over_quota_after. `need` is that of the probed part of the group.
  [[nodiscard]] auto judge(GroupId pending, const Ask& need, std::span<const NamedVictims> victims) const -> Rule;

 private:
  struct QueueLoss {
    QueueId queue;
    std::vector<Ask> pieces;  // each elastic task, then all core tasks of a group together
  };
  struct Books;

  [[nodiscard]] auto losses(std::span<const NamedVictims> victims) const -> std::vector<QueueLoss>;
  [[nodiscard]] auto take(QueueId pending, const Ask& need, const QueueLoss& loss, Books& books) const -> bool;
  [[nodiscard]] auto compare_siblings(GroupId pending, const Ask& need, Books& books) const -> Rule;
  [[nodiscard]] auto is_fair(QueueId mine, const Share& remaining, const Ask& need, Books& books) const -> bool;

  const Session& session_;
  const QueueOrder& order_;
  IdVector<QueueId, Share> allocated_;  // at the start of the group's solving
  IdVector<QueueId, Share> non_preemptible_;
};

/// The first queues in which the paths of two leaves differ, or the deepest of the shorter path.
struct Levelled {
  QueueId pending;
  QueueId victim;
};
[[nodiscard]] auto levelled(const QueueTree& tree, QueueId pending, QueueId victim) -> Levelled;

}  // namespace previct::kai
