#pragma once

#include "engine/engine.h"
#include "engine/yunikorn/partition_context.h"
#include "engine/yunikorn/quota_preemption.h"
#include "tell/queues.h"

namespace previct::yunikorn {

/// Returns the queues of the partition, and which queues may preempt pods of which. It does not decide about pending
/// pods.
[[nodiscard]] auto queues(const PartitionContext& core, const std::vector<QuotaPreemption>& quota, bool triggered,
                          Instant now) -> Queues;

}  // namespace previct::yunikorn
