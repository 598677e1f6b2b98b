#pragma once

#include "engine/yunikorn/guarantees.h"
#include "engine/yunikorn/queue_preemption.h"

/// Who is within reach of a pending pod: the first half of queue preemption.
/// Source: apache/yunikorn-core 1.9 pkg/scheduler/objects/queue.go FindEligiblePreemptionVictims.
namespace previct::yunikorn {

/// Walks from the ask's leaf up to the queue beyond which nothing may be taken (`attempt.fence`), and notes
/// what the ask's priority counts as in each queue on the way.
void find_fence(const PartitionContext& core, const Allocation& ask, QueueAttempt& attempt);

/// A pod to come: it asks for one pod's place, and nothing else is known of it.
[[nodiscard]] auto any_ask(QueueId queue) -> Allocation;

/// Tells which of YuniKorn's running pods are within reach. `find_fence` comes first.
class VictimFinder {
 public:
  VictimFinder(const PartitionContext& core, const Allocation& ask, QueueAttempt& attempt);

  /// Sorts all of them into `attempt.eligible` and `attempt.spared`.
  void run();
  /// Rule::candidate, or what keeps this one out of reach.
  [[nodiscard]] auto fate(const Allocation& pod) const -> Rule;

 private:
  /// What holds for the pods of a leaf queue.
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
