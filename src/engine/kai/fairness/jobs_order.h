#pragma once

#include "engine/kai/fairness/go_heap.h"
#include "engine/kai/fairness/orders.h"

#include <optional>
#include <vector>

namespace previct::kai {

/// The groups of a queue tree in the order in which they are served, or, reversed, taken as victims.
///
/// A heap of child queues or groups in every queue. Taking the next group re-sifts only the top of each level if it is
/// marked as changed; entries below it may be stale, and that order is upstream's, too.
/// Source: kai-scheduler/KAI-Scheduler pkg/scheduler/actions/utils/job_order_by_queue.go.
class GroupQueue {
 public:
  enum class Of : std::uint8_t { pending, victims };

  struct Entry {
    GroupId group;
    GroupKey key;
    bool partial = false;  ///< pending: a probe's part of the group; victims: what is left of it
    Share amount{};        ///< pending: the need of a partial entry; victims: what the entry holds
  };

  /// `depth`: groups kept in a leaf; none is no limit.
  GroupQueue(Session& session, const QueueOrder& order, Of of, std::optional<std::int64_t> depth = {});

  /// Groups whose queue is none, not a leaf or without its parents are left out.
  void push(const Entry& entry);
  void push_whole(GroupId group);

  /// Whatever is linked in the tree has groups below it.
  [[nodiscard]] auto empty() const -> bool { return root_.empty(); }
  /// The next group of a queue that is not empty.
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
