#pragma once

#include "engine/yunikorn/queues.h"

#include <vector>

namespace previct::yunikorn {

/// A copy of the queues' usage, for trying victims: pods are added and removed without changing the tree. It belongs to
/// one asking leaf queue, whose own guaranteed share counts as it was at the start. Source: apache/yunikorn-core 1.9
/// pkg/scheduler/objects/preemption.go QueuePreemptionSnapshot.
class QueueSnapshot {
 public:
  QueueSnapshot(const QueueTree& queues, QueueId ask_leaf);

  /// Change the usage of the queue and its ancestors.
  void add(QueueId queue, const Resources& size);
  void remove(QueueId queue, const Resources& size);

  /// Returns what is left of the guaranteed share; negative if the queue is over it. Unset: nothing is guaranteed on
  /// the path to root, or the asking queue may use the share itself.
  [[nodiscard]] auto remaining_guarantee(QueueId queue) const -> MaybeResources;

  // Rules of the releases before 1.6: a share is the minimum of the guarantees from root down, capped by the maxima; a
  // type that it does not contain is 0.
  [[nodiscard]] auto has_old_guarantee(QueueId leaf) const -> bool { return !old_guarantee(leaf).empty(); }
  /// Returns true if the usage is within the share. A type that neither contains is not limited.
  [[nodiscard]] auto is_within_old_share(QueueId leaf) const -> bool;
  /// Returns true if the usage is within the share on every level, and there is a guarantee.
  [[nodiscard]] auto fits_in_old_share(QueueId leaf) const -> bool;
  /// Returns true if the queue is over its share, or has everything that is guaranteed.
  [[nodiscard]] auto is_at_old_share(QueueId queue) const -> bool;
  [[nodiscard]] auto remaining_old_share(QueueId queue) const -> Resources;

  /// Returns what the queue has beyond its guaranteed share, never negative; unset if it has nothing.
  [[nodiscard]] auto preemptable(QueueId queue) const -> MaybeResources;

 private:
  [[nodiscard]] auto used(QueueId queue) const -> Resources;
  [[nodiscard]] auto path_to(QueueId queue) const -> std::vector<QueueId>;
  [[nodiscard]] auto old_guarantee(QueueId queue) const -> Resources;
  [[nodiscard]] auto old_share(QueueId queue) const -> Resources;

  const QueueTree* queues_;
  QueueId ask_leaf_;
  bool ask_has_share_ = false;
  std::vector<Resources> allocated_;  // by queue
};

}  // namespace previct::yunikorn
