#pragma once

#include "base/instant.h"
#include "engine/kai/snapshot/queue_tree.h"

namespace previct::kai {

/// A min-runtime and its origin.
struct MinRuntimeValue {
  std::int64_t nanos = 0;  ///< may be negative: never protects
  QueueId from;            ///< the queue that sets it; none: the shard's default
  QueueId asked_first;     ///< the queue at which the lookup began; none if a queue is missing
};

/// Returns the min-runtime that protects a group of leaf queue `victim` from reclaim by `preemptor`. Queues that the
/// shard does not have (none) resolve to the default.
///
/// lca: if the top-level queues differ, only the victim's is looked up. Otherwise the lookup begins one step below the
/// deepest common queue on the victim's path and goes up to the top; queues further down never count.
/// queue: the lookup begins at the victim's leaf queue, for every preemptor.
/// Source: kai-scheduler/KAI-Scheduler pkg/scheduler/plugins/minruntime/resolver.go.
[[nodiscard]] auto reclaim_min_runtime(const QueueTree& tree, const Settings& settings, ResolveMethod method,
                                       QueueId preemptor, QueueId victim) -> MinRuntimeValue;

/// Returns the min-runtime that protects a group of leaf queue `victim` from preemption within its queue: the first
/// value on the way up from the leaf, or else the default.
[[nodiscard]] auto preempt_min_runtime(const QueueTree& tree, const Settings& settings, QueueId victim)
    -> MinRuntimeValue;

}  // namespace previct::kai
