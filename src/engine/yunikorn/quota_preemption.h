#pragma once

#include "engine/yunikorn/partition_context.h"

#include <cstdint>
#include <vector>

/// Quota preemption: some time after the maximum of a queue was lowered, YuniKorn evicts pods of the queue until it is
/// no longer above its maximum.
/// Source: apache/yunikorn-core 1.9 pkg/scheduler/objects/queue.go setPreemptionTime, tryAcquirePreemption,
/// TryQuotaPreemption, IncAllocatedResource; 1.8 shouldTriggerPreemption, TryAllocate; quota_preemptor.go.
namespace previct::yunikorn {

/// What quota preemption does to a queue that is above its maximum.
struct QuotaPreemption {
  QueueId queue;
  std::int64_t delay = 0;                ///< nanoseconds
  Resources over;                        ///< what it uses beyond its maximum
  bool idle = false;                     ///< the release acts only while a pod of the queue is pending, and none is
  bool crashes = false;                  ///< in some order, the scheduler crashes when it tries
  std::vector<std::vector<PodId>> sets;  ///< the victims, by name, of each result that was found
  std::vector<PodId> always;             ///< victims in every result, by name
  std::vector<PodId> sometimes;          ///< victims in some results, by name
};

/// Returns the queues that quota preemption acts on, in the order in which it does: the shortest delay first, parents
/// before their children. Assumes that the delays of all of them start together. Which of several pods that YuniKorn
/// does not distinguish it evicts, and which of equally old pods is the originator of an application, depends on
/// undefined orders; like for other preemption, random orders are tried.
[[nodiscard]] auto quota_preemptions(const PartitionContext& core) -> std::vector<QuotaPreemption>;

/// Returns the queue because of which the pod is evicted; null if there is none. `certain`: set to whether it is a
/// victim in every result.
[[nodiscard]] auto evicts_for_quota(const std::vector<QuotaPreemption>& all, PodId pod, bool& certain)
    -> const QuotaPreemption*;

}  // namespace previct::yunikorn
