#pragma once

#include "engine/kai/fairness/candidates.h"
#include "engine/queue_reach.h"

#include <span>
#include <vector>

namespace previct::kai {

/// Returns what groups of each leaf queue could do to the running groups of every other leaf queue by reclaim, and of
/// their own by preempt; [by][of], in the order of `leaves`. If the queue has pending groups: what any of them could
/// do, with quotas and shares. Otherwise: what min-runtime and preemptibility alone permit, because shares depend on
/// the request.
/// Cost: leaves × (pending groups + running groups).
[[nodiscard]] auto queue_reach(Session& start, const QueueOrder& order, std::span<const QueueId> leaves, Instant now)
    -> std::vector<std::vector<QueueReach>>;

}  // namespace previct::kai
