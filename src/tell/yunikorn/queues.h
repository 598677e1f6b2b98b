#pragma once

#include "engine/engine.h"
#include "engine/yunikorn/partition_context.h"
#include "tell/queues.h"

namespace previct::yunikorn {

/// The queues of the partition, and who may preempt whom. What comes of each pending pod is another question.
[[nodiscard]] auto queues(const PartitionContext& core, bool triggered, Instant now) -> Queues;

}  // namespace previct::yunikorn
