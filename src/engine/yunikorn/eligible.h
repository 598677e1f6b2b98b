#pragma once

#include "engine/yunikorn/guarantees.h"
#include "engine/yunikorn/queue_preemption.h"

/// Determines which pods a pending pod may evict: the first half of queue preemption.
/// Source: apache/yunikorn-core 1.9 pkg/scheduler/objects/queue.go FindEligiblePreemptionVictims.
namespace previct::yunikorn {

/// Walks from the ask's leaf queue up to the queue outside of which no pod may be evicted (`attempt.fence`), and
/// records the effective priority of the ask in each queue on the way.
void find_fence(const PartitionContext& core, const Allocation& ask, QueueAttempt& attempt);

/// Returns a hypothetical future pod: it requests one pod slot, and nothing else is known about it.
[[nodiscard]] auto any_ask(QueueId queue) -> Allocation;

/// Determines which of YuniKorn's running pods can be evicted. Call `find_fence` first.
class VictimFinder {
 public:
  VictimFinder(const PartitionContext& core, const Allocation& ask, QueueAttempt& attempt);

  /// Sorts all pods into `attempt.eligible` and `attempt.spared`.
  void run();
  /// Returns Rule::candidate, or the rule that excludes this pod.
  [[nodiscard]] auto fate(const Allocation& pod) const -> Rule;

 private:
  /// The result for the pods of a leaf queue.
  struct Reach {
    Rule rule = Rule::spared_outside_fence;
    std::int64_t priority = 0;
    bool fenced = false;
  };

  void find_leaves();
  [[nodiscard]] auto leaf_reach(QueueId leaf, std::int64_t priority, bool fenced) const -> Reach;
  void mark_below(QueueId top, Rule rule);

  const PartitionContext& core_;
  const Allocation& ask_;
  QueueAttempt& attempt_;
  QueueSnapshot queue_snapshot_;
  Guarantees guarantees_;
  std::vector<Reach> reach_;  // by queue
};

}  // namespace previct::yunikorn
