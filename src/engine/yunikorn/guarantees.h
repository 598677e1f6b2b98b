#pragma once

#include "engine/yunikorn/partition_context.h"
#include "engine/yunikorn/queue_snapshot.h"

namespace previct::yunikorn {

/// What the guaranteed shares of queues let an ask take, by the rules of its release.
/// Source: apache/yunikorn-core pkg/scheduler/objects/preemption.go; releases.def says which release has which rule.
class Guarantees {
 public:
  Guarantees(const PartitionContext& core, const Allocation& ask) : core_(core), ask_(ask) {}

  [[nodiscard]] auto release() const -> const Release& { return core_.keys().release; }

  /// Is no pod of the leaf queue a victim, because the queue is within its guaranteed share?
  [[nodiscard]] auto protect(const QueueSnapshot& start, QueueId leaf) const -> bool;
  /// Takes the pod off its queue, if that may lose it; else changes nothing.
  auto take(QueueSnapshot& queue_snapshot, const Allocation& pod) const -> bool;
  /// Gives what a victim leaves to the asking queue, of which the pod was just taken; false: that queue may not have
  /// it, and gets nothing.
  auto pass_on(QueueSnapshot& queue_snapshot, const Allocation& pod) const -> bool;
  /// Would the asking queue be within its share, without all of these?
  [[nodiscard]] auto allow(const std::vector<const Allocation*>& eligible) const -> bool;

  /// Is the asking queue within its share? With what was passed on to it, or with the ask that was added to it.
  [[nodiscard]] auto met(const QueueSnapshot& queue_snapshot) const -> bool;
  /// What is left of the share of the asking queue, to see whether a victim changes it.
  [[nodiscard]] auto left(const QueueSnapshot& queue_snapshot) const -> MaybeResources;

 private:
  [[nodiscard]] auto over(const MaybeResources& left) const -> bool;
  [[nodiscard]] auto lacks(const Resources& left) const -> bool;

  const PartitionContext& core_;
  const Allocation& ask_;
};

}  // namespace previct::yunikorn
