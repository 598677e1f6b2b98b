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
///
/// Releases before queues_of_any_depth know two levels only, the leaf queues and their parents, order the parents by
/// themselves, and omit leaf queues without a parent. They order the queues when all groups have been added.
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

  /// Sorts the groups, as pop() does, and returns the queue: copies of it need not sort them again.
  auto sorted() -> const GroupQueue&;

  /// Every queue that is linked into the tree has groups below it.
  [[nodiscard]] auto empty() const -> bool { return built_ ? root_.empty() : !waiting_; }
  /// Returns the next group. The queue must not be empty.
  auto pop() -> Entry;

 private:
  struct Node {
    bool linked = false;
    bool dirty = false;
    std::size_t marked_at = 0;  // pops_ when its path was marked last, plus one; 0: never
    GoHeap<QueueId> queues;
    GoHeap<Entry> groups;
    Share popped{};  // held by the victims taken from this leaf
  };

  [[nodiscard]] auto is_leaf(QueueId queue) const -> bool { return session_.cluster_info().queue(queue).is_leaf(); }
  [[nodiscard]] auto is_empty(QueueId queue) const -> bool {
    return is_leaf(queue) ? nodes_[queue].groups.empty() : nodes_[queue].queues.empty();
  }
  // Returns the queue that is ordered one level above this one; none for those at the top.
  [[nodiscard]] auto above(QueueId queue) const -> QueueId {
    return two_levels_ && !is_leaf(queue) ? QueueId{} : session_.cluster_info().queue(queue).parent;
  }
  [[nodiscard]] auto heap_above(QueueId queue) -> GoHeap<QueueId>& {
    const QueueId parent = above(queue);
    return parent ? nodes_[parent].queues : root_;
  }
  [[nodiscard]] auto side(QueueId queue) const -> QueueSide;
  [[nodiscard]] auto queue_first(QueueId a, QueueId b) -> bool;
  [[nodiscard]] auto compare(QueueId a, QueueId b) -> bool;
  [[nodiscard]] auto group_first(const Entry& a, const Entry& b) const -> bool {
    return of_ == Of::victims ? !served_first(a.key, b.key) : served_first(a.key, b.key);
  }
  void build();
  void link(QueueId queue);
  void link_empty(QueueId leaf);
  void sift_again(QueueId parent);
  void mark_path(QueueId queue);
  void clean_up(QueueId queue);

  Session& session_;
  const QueueOrder& order_;
  Of of_;
  std::optional<std::int64_t> depth_;
  bool two_levels_;
  bool built_;            // false: queues are linked before the first group is taken
  bool waiting_ = false;  // groups were added that are not linked
  std::size_t pops_ = 0;
  IdVector<QueueId, Node> nodes_;
  GoHeap<QueueId> root_;
};

/// Returns the entry of a whole group as a victim.
[[nodiscard]] auto victim_entry(const Session& session, GroupId group) -> GroupQueue::Entry;

}  // namespace previct::kai
