#pragma once

#include "engine/kai/fairness/go_heap.h"
#include "engine/kai/fairness/orders.h"

#include <optional>
#include <vector>

namespace previct::kai {

/// The groups of a queue hierarchy in the order in which they are served, or, reversed, in which they are taken as
/// victims.
///
/// Every queue has a heap of child queues or groups. Taking the next group re-sifts only the top of each level if it is
/// marked as changed. Entries below the top may be stale; upstream has the same order.
/// Source: kai-scheduler/KAI-Scheduler pkg/scheduler/actions/utils/job_order_by_queue.go.
class GroupQueue {
 public:
  enum class Of : std::uint8_t { pending, victims };

  struct Entry {
    GroupId group;
    GroupKey key;
    bool partial = false;  ///< pending: the probed part of the group; victims: the rest of the group
    Share amount{};        ///< pending: the need of a partial entry; victims: what the entry holds
  };

  /// `depth`: maximum number of groups in a leaf queue; none: no limit.
  GroupQueue(Session& session, const QueueOrder& order, Of of, std::optional<std::int64_t> depth = {});

  /// Adds a group. Ignores groups without a queue, and those whose queue is not a leaf or lacks an ancestor.
  void push(const Entry& entry);
  void push_whole(GroupId group);

  /// Every queue that is linked into the tree has groups below it.
  [[nodiscard]] auto empty() const -> bool { return root_.empty(); }
  /// Returns the next group. The queue must not be empty.
  auto pop() -> Entry;

 private:
  struct Node {
    bool linked = false;
    bool dirty = false;
    GoHeap<QueueId> queues;
    GoHeap<Entry> groups;
    Share popped{};  // held by the victims taken from this leaf
  };

  [[nodiscard]] auto is_leaf(QueueId queue) const -> bool { return session_.cluster_info().queue(queue).is_leaf(); }
  [[nodiscard]] auto is_empty(QueueId queue) const -> bool {
    return is_leaf(queue) ? nodes_[queue].groups.empty() : nodes_[queue].queues.empty();
  }
  [[nodiscard]] auto heap_above(QueueId queue) -> GoHeap<QueueId>& {
    const QueueId parent = session_.cluster_info().queue(queue).parent;
    return parent ? nodes_[parent].queues : root_;
  }
  [[nodiscard]] auto side(QueueId queue) const -> QueueSide;
  [[nodiscard]] auto queue_first(QueueId a, QueueId b) const -> bool;
  [[nodiscard]] auto group_first(const Entry& a, const Entry& b) const -> bool {
    return of_ == Of::victims ? !served_first(a.key, b.key) : served_first(a.key, b.key);
  }
  void link(QueueId queue);
  void mark_path(QueueId queue);
  void clean_up(QueueId queue);

  Session& session_;
  const QueueOrder& order_;
  Of of_;
  std::optional<std::int64_t> depth_;
  IdVector<QueueId, Node> nodes_;
  GoHeap<QueueId> root_;
};

}  // namespace previct::kai
