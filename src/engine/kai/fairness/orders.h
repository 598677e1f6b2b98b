#pragma once

#include "engine/kai/fairness/fair_share.h"
#include "engine/kai/session/task_selection.h"

namespace previct::kai {

/// Where a group stands in the order of groups, at the moment it is put into a queue.
struct GroupKey {
  std::array<std::int64_t, 2> by_plugin{};  ///< smaller first, in the order of the plugins
  std::uint32_t rank = 0;
};
[[nodiscard]] auto key_of(const ClusterInfo& cluster_info, GroupId group, const std::vector<SetView>& sets) -> GroupKey;

/// Is `a` served before `b`? By default: higher priority; below its minimum before others, at its minimum before above
/// it; older; by name. Victims are taken in the exact reverse.
/// Source: plugins priority, elastic; framework JobOrderFn.
[[nodiscard]] auto served_first(const GroupKey& a, const GroupKey& b) -> bool;

/// One side of a comparison of queues.
struct QueueSide {
  QueueId queue;
  Share need{};     ///< of the best pending group's next chunk; zero among victims
  Share victims{};  ///< held by the victims taken from it so far and by the next one; zero among pending groups
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
