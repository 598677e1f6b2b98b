#pragma once

#include "engine/kai/fairness/candidates.h"
#include "engine/queue_reach.h"

#include <span>
#include <vector>

namespace previct::kai {

/// What groups of each leaf queue could do to the running groups of each other one by reclaim, and of their own by
/// preempt; [by][of], as in `leaves`. With pending groups in the queue: what any of them could do, quotas and shares
/// included. Without: what min-runtime and preemptibility alone say, as shares depend on what is asked for.
/// Cost: leaves × (pending groups + running groups).
[[nodiscard]] auto queue_reach(Session& start, const QueueOrder& order, std::span<const QueueId> leaves, Instant now)
    -> std::vector<std::vector<QueueReach>>;

}  // namespace previct::kai
