#pragma once

#include "engine/kai/fairness/fair_share.h"
#include "engine/kai/session/task_selection.h"

namespace previct::kai {

/// The sort key of a group, computed when it is put into a queue.
struct GroupKey {
  std::array<std::int64_t, 2> by_plugin{};  ///< smaller first, in the order of the plugins
  std::uint32_t rank = 0;
};
[[nodiscard]] auto key_of(const ClusterInfo& cluster_info, GroupId group, const std::vector<SetView>& sets) -> GroupKey;
/// Returns the key of the whole group in the state of the session.
[[nodiscard]] auto key_of(const Session& session, GroupId group) -> GroupKey;

/// Returns true if `a` is served before `b`. Default order: higher priority first; groups below their minimum before
/// others; groups at their minimum before those above it; older first; then by name. Victims are taken in the exact
/// reverse order.
/// Source: plugins priority, elastic; framework JobOrderFn.
[[nodiscard]] auto served_first(const GroupKey& a, const GroupKey& b) -> bool;

/// One side of a comparison of queues.
struct QueueSide {
  QueueId queue;
  Share need{};     ///< of the best pending group's next chunk; zero for victims
  Share victims{};  ///< held by the victims taken so far and by the next one; zero for pending groups
};

/// The order of queues. Source: pkg/scheduler/plugins/proportion/queue_order.
class QueueOrder {
 public:
  QueueOrder(const Session& session, const FairShares& shares);

  [[nodiscard]] auto served_first(const QueueSide& left, const QueueSide& right) const -> bool;
  [[nodiscard]] auto usable(QueueId queue) const -> const Share& { return usable_[queue]; }
  [[nodiscard]] auto fair_share(QueueId queue) const -> const Share& { return shares_.of[queue]; }
  [[nodiscard]] auto tied() const -> const std::vector<QueueId>& { return shares_.tied; }

 private:
  [[nodiscard]] auto dominant_share(QueueId queue, const Share& allocated) const -> double;

  const Session& session_;
  const FairShares& shares_;
  IdVector<QueueId, Share> usable_;
};

}  // namespace previct::kai
