#pragma once

#include "base/instant.h"
#include "engine/kai/snapshot/queue_tree.h"

namespace previct::kai {

/// A min-runtime and where it comes from.
struct MinRuntimeValue {
  std::int64_t nanos = 0;  ///< may be negative: never protects
  QueueId from;            ///< the queue whose field it is; none: the shard's default
  QueueId asked_first;     ///< where the walk up began; none if a queue is missing
};

/// The min-runtime that protects a group of leaf queue `victim` from reclaim by `preemptor`. Queues that the shard does
/// not have (none) resolve to the default.
///
/// lca: if the top-level queues differ only the victim's is asked. Otherwise the walk begins one step below the deepest
/// common queue on the victim's path and goes up to the top; queues further down never count.
/// queue: the walk begins at the victim's leaf, whoever preempts.
/// Source: kai-scheduler/KAI-Scheduler pkg/scheduler/plugins/minruntime/resolver.go.
[[nodiscard]] auto reclaim_min_runtime(const QueueTree& tree, const Settings& settings, ResolveMethod method,
                                       QueueId preemptor, QueueId victim) -> MinRuntimeValue;

/// The min-runtime that protects a group of leaf queue `victim` from preemption within its queue: the first value on
/// the way up from the leaf, else the default.
[[nodiscard]] auto preempt_min_runtime(const QueueTree& tree, const Settings& settings, QueueId victim)
    -> MinRuntimeValue;

}  // namespace previct::kai
