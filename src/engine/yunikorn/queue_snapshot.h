#pragma once

#include "engine/yunikorn/queues.h"

#include <vector>

namespace previct::yunikorn {

/// What the queues have, for trying out who could give way: pods are added and taken off without touching the
/// tree. Seen from one asking leaf queue, whose own guaranteed share counts as it was at the start. Source:
/// apache/yunikorn-core 1.9 pkg/scheduler/objects/preemption.go QueuePreemptionSnapshot.
class QueueSnapshot {
 public:
  QueueSnapshot(const QueueTree& queues, QueueId ask_leaf);

  /// In the queue and all above it.
  void add(QueueId queue, const Resources& size);
  void remove(QueueId queue, const Resources& size);

  /// What is left of the guaranteed share; negative where the queue is over it. Unset: nothing is guaranteed
  /// on the way to root, or the share is the asker's own to use.
  [[nodiscard]] auto remaining_guarantee(QueueId queue) const -> MaybeResources;

  // By the releases before 1.6: a share is what the guarantees from root down leave, and no more than the maxima do; a
  // type that it does not name is one of 0.
  /// Is its use within the share? A type that neither names is not limited.
  [[nodiscard]] auto is_within_old_share(QueueId leaf) const -> bool;
  /// Is it within the share on every level, and has it one?
  [[nodiscard]] auto fits_in_old_share(QueueId leaf) const -> bool;
  /// Is it over the share, or has it all that is guaranteed?
  [[nodiscard]] auto is_at_old_share(QueueId queue) const -> bool;
  [[nodiscard]] auto remaining_old_share(QueueId queue) const -> Resources;

  /// What the queue has beyond its guaranteed share, never negative; unset if it has nothing.
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
