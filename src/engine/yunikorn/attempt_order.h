#pragma once

#include "engine/yunikorn/partition_context.h"

#include <vector>

namespace previct::yunikorn {

/// Returns these pending pods in the order in which the scheduler tries them now: by the queues below each parent, the
/// applications of each leaf queue, and the pods of each application. Upstream, chance decides between equal queues and
/// applications; here, the given order does. Pods that the core does not know come last.
/// Source: apache/yunikorn-core 1.9 pkg/scheduler/objects/queue.go TryAllocate, sortQueues, sortApplications,
/// recalculatePriority; sorters.go; allocation.go LessThan.
[[nodiscard]] auto in_order_of_attempts(const PartitionContext& core, const std::vector<PodId>& pods)
    -> std::vector<PodId>;

}  // namespace previct::yunikorn
