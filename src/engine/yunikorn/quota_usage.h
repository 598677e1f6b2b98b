#pragma once

#include "engine/yunikorn/partition_context.h"

#include <vector>

/// How far queues are above their maximum, and how child queues share what has to be freed.
/// Source: apache/yunikorn-core 1.8 and 1.9 pkg/scheduler/objects/quota_preemptor.go, queue.go.
namespace previct::yunikorn {

/// What one queue has to free.
struct QuotaShare {
  QueueId queue;
  Resources amount;
};

/// The usage of queues while quota preemption marks pods.
class QuotaUsage {
 public:
  explicit QuotaUsage(const PartitionContext& core);

  /// Returns true if the queue uses more of some type than its maximum, pods that are marked as preempted included.
  [[nodiscard]] auto above_max(QueueId queue) const -> bool;
  /// Returns what the queue has to free, without pods that are marked; unset if there is nothing.
  /// (setPreemptableResources)
  [[nodiscard]] auto excess(QueueId queue) const -> MaybeResources;
  /// Returns the child queues that free something, with what they use beyond their guaranteed resources.
  [[nodiscard]] auto contributors(QueueId parent) const -> std::vector<QuotaShare>;
  /// Returns the shares of the leaf queues below `parent`. A queue that uses more beyond its guaranteed resources frees
  /// more. (getChildQueuesPreemptableResource)
  [[nodiscard]] auto shares(QueueId parent, const Resources& excess) const -> std::vector<QuotaShare>;
  [[nodiscard]] auto allocated(QueueId queue) const -> const Resources& { return allocated_[queue.index]; }

  /// Marks a pod of a leaf queue as preempted.
  void mark(QueueId leaf, const Resources& size);
  /// Removes a marked pod.
  void end(QueueId leaf, const Resources& size);

 private:
  [[nodiscard]] auto beyond_guarantees(QueueId queue) const -> MaybeResources;
  [[nodiscard]] auto beyond_own_guarantee(QueueId queue) const -> Resources;
  [[nodiscard]] auto part_of(std::int64_t amount, std::int64_t own, std::int64_t all) const -> std::int64_t;

  const PartitionContext& core_;
  std::vector<Resources> allocated_;   // by queue
  std::vector<Resources> preempting_;  // by queue
};

}  // namespace previct::yunikorn
