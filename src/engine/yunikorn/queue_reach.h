#pragma once

#include "engine/queue_reach.h"
#include "engine/yunikorn/partition_context.h"

#include <span>
#include <vector>

namespace previct::yunikorn {

/// Returns what the pods of each leaf queue could do to the running pods of each leaf queue; [by][of], in the order of
/// `leaves`. If the queue has pending pods that may run on any node: what any of them could do. Otherwise: what fences,
/// policies and guaranteed shares permit for a pod of any priority. Pods that can run on only one node follow other
/// rules and are omitted. `triggered`: assumed for all of them, see Assumptions.
/// Cost: different pending pods × running pods.
[[nodiscard]] auto queue_reach(const PartitionContext& core, std::span<const QueueId> leaves, bool triggered,
                               Instant now) -> std::vector<std::vector<QueueReach>>;

}  // namespace previct::yunikorn
