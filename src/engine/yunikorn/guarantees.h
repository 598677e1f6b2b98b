#pragma once

#include "engine/yunikorn/partition_context.h"
#include "engine/yunikorn/queue_snapshot.h"
#include "engine/yunikorn/rules.h"

namespace previct::yunikorn {

/// Applies the guaranteed shares of queues to an ask, by the rules of its release.
/// Source: apache/yunikorn-core pkg/scheduler/objects/preemption.go; releases.def lists which release has which rule.
class Guarantees {
 public:
  Guarantees(const PartitionContext& core, const Allocation& ask) : core_(core), ask_(ask) {}

  [[nodiscard]] auto release() const -> const Release& { return core_.keys().release; }

  /// Returns true if no pod of the leaf queue can be a victim because the queue is within its guaranteed share.
  [[nodiscard]] auto protect(const QueueSnapshot& start, QueueId leaf) const -> bool;
  /// Removes the pod from its queue if the queue may lose it; otherwise changes nothing.
  auto take(QueueSnapshot& queue_snapshot, const Allocation& pod) const -> bool;
  /// Gives the resources of a victim that was just removed to the asking queue; returns false, and changes nothing, if
  /// that queue may not have them.
  auto pass_on(QueueSnapshot& queue_snapshot, const Allocation& pod) const -> bool;
  /// Returns Rule::suits if the asking queue would be within its share without all of these pods; otherwise why the
  /// ask evicts no pod.
  [[nodiscard]] auto obstacle(const std::vector<const Allocation*>& eligible) const -> Rule;

  /// Returns true if the asking queue is within its share, including what was passed on to it, or the ask that was
  /// added.
  [[nodiscard]] auto met(const QueueSnapshot& queue_snapshot) const -> bool;
  /// Returns what is left of the asking queue's share; used to see whether a victim changes it.
  [[nodiscard]] auto left(const QueueSnapshot& queue_snapshot) const -> MaybeResources;

 private:
  [[nodiscard]] auto allow(QueueSnapshot queue_snapshot, const std::vector<const Allocation*>& eligible) const -> bool;
  [[nodiscard]] auto over(const MaybeResources& left) const -> bool;
  [[nodiscard]] auto lacks(const Resources& left) const -> bool;

  const PartitionContext& core_;
  const Allocation& ask_;
};

}  // namespace previct::yunikorn
