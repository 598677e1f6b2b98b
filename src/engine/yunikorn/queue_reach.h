#pragma once

#include "engine/queue_reach.h"
#include "engine/yunikorn/partition_context.h"

#include <span>
#include <vector>

namespace previct::yunikorn {

/// What the pods of each leaf queue could do to the running pods of each leaf queue; [by][of], as in `leaves`. With
/// pending pods in the queue that may run on any node: what any of them could do. Without: what fences, policies and
/// guaranteed shares say of a pod of any priority. Pods that may run on one node only go by other rules, and are left
/// out. `triggered`: assumed of all of them, see Assumptions.
/// Cost: different pending pods × running pods.
[[nodiscard]] auto queue_reach(const PartitionContext& core, std::span<const QueueId> leaves, bool triggered,
                               Instant now) -> std::vector<std::vector<QueueReach>>;

}  // namespace previct::yunikorn
