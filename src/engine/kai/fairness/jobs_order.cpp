#include "engine/kai/fairness/jobs_order.h"

#include <algorithm>

namespace previct::kai {

GroupQueue::GroupQueue(Session& session, const QueueOrder& order, Of of, std::optional<std::int64_t> depth)
    : session_(session),
      order_(order),
      of_(of),
      depth_(depth),
      two_levels_(!session.cluster_info().settings().running.release.has(Change::queues_of_any_depth)),
      built_(!two_levels_),
      nodes_(session.cluster_info().tree().queues().size()) {}

// Victims compare by what their queue would hold without the victims taken so far and the next one; pending groups
// compare by the need of the best one. Both are those of the leaf queue reached by following the tops.
auto GroupQueue::side(QueueId queue) const -> QueueSide {
  QueueId leaf = queue;
  while (!is_leaf(leaf)) leaf = nodes_[leaf].queues.top();
  const Node& node = nodes_[leaf];
  const Entry& best = node.groups.top();
  QueueSide side{queue, {}, {}};
  if (of_ == Of::victims) {
    side.victims = plus(node.popped, best.amount);
  } else {
    side.need = best.partial ? best.amount : need_of(session_, best.group).amount;
  }
  return side;
}

auto GroupQueue::queue_first(QueueId a, QueueId b) -> bool {
  if (!two_levels_) return compare(a, b);
  if (is_empty(a)) return of_ == Of::pending;
  if (is_empty(b)) return of_ == Of::victims;
  const bool first = compare(a, b);
  sift_again(a);
  sift_again(b);
  return first;
}

// With two levels, a comparison of parents takes the best queue out of each of them and puts it back.
void GroupQueue::sift_again(QueueId parent) {
  if (is_leaf(parent)) return;
  const auto less = [&](QueueId a, QueueId b) { return queue_first(a, b); };
  const QueueId best = nodes_[parent].queues.pop(less);
  nodes_[parent].queues.push(best, less);
}

auto GroupQueue::compare(QueueId a, QueueId b) -> bool {
  const bool victims = of_ == Of::victims;
  const bool first = order_.served_first(side(a), side(b));
  MapOrder& chance = session_.chance();
  if (!chance.is_open() && first == order_.served_first(side(b), side(a))) chance.note();  // a tie, or no order holds
  return first != victims;
}

void GroupQueue::push_whole(GroupId group) {
  push(of_ == Of::victims ? victim_entry(session_, group) : Entry{group, key_of(session_, group), false, {}});
}

auto victim_entry(const Session& session, GroupId group) -> GroupQueue::Entry {
  return {group, key_of(session, group), false, session.held(group)};
}

void GroupQueue::push(const Entry& entry) {
  const QueueId leaf = session_.cluster_info().group(entry.group).queue;
  if (!leaf || !is_leaf(leaf) || (two_levels_ && !above(leaf))) return;
  Node& node = nodes_[leaf];
  if (two_levels_ && built_) link_empty(leaf);
  const auto less = [&](const Entry& a, const Entry& b) { return group_first(a, b); };
  if (depth_ && *depth_ > 0) {
    node.groups.push(entry, less);
    // As upstream, the last element of the array is dropped. With two or more others, that need not be the last one to
    // be served, and depends on the order in which the groups were added.
    if (node.groups.size() > static_cast<std::size_t>(*depth_)) {
      node.groups.remove(static_cast<std::size_t>(*depth_), less);
      if (*depth_ > 1) session_.chance().note();
    }
  } else {
    node.groups.collect(entry, less);
  }
  if (!built_) {
    waiting_ = true;
    return;
  }
  if (!node.linked) link(leaf);
  if (node.marked_at == pops_ + 1) return;  // only pop() takes marks away
  node.marked_at = pops_ + 1;
  mark_path(leaf);
}

auto GroupQueue::sorted() -> const GroupQueue& {
  const auto less = [&](const Entry& a, const Entry& b) { return group_first(a, b); };
  for (Node& node : nodes_) node.groups.order(less);
  return *this;
}

// Links the queues, in map order upstream: the leaf queues of each parent first.
void GroupQueue::build() {
  built_ = true;
  std::vector<QueueId> leaves;
  for (const QueueId queue : session_.cluster_info().tree().queues().ids()) {
    if (is_leaf(queue) && !nodes_[queue].groups.empty()) leaves.push_back(queue);
  }
  session_.chance().reorder(leaves);
  const auto less = [&](QueueId a, QueueId b) { return queue_first(a, b); };
  std::vector<QueueId> parents;
  for (const QueueId leaf : leaves) {
    nodes_[leaf].linked = true;
    if (std::find(parents.begin(), parents.end(), above(leaf)) == parents.end()) parents.push_back(above(leaf));
    heap_above(leaf).push(leaf, less);
  }
  session_.chance().reorder(parents);
  for (const QueueId parent : parents) {
    nodes_[parent].linked = true;
    root_.push(parent, less);
  }
}

void GroupQueue::link(QueueId queue) {
  const auto less = [&](QueueId a, QueueId b) { return queue_first(a, b); };
  for (QueueId at = queue; at && !nodes_[at].linked; at = above(at)) {
    nodes_[at].linked = true;
    GoHeap<QueueId>& heap = heap_above(at);
    heap.push(at, less);
    // As upstream, only the top is re-sifted after a change; with three or more entries, the rest may be stale.
    if (heap.size() > 2) session_.chance().note();
  }
}

// With two levels, a parent is linked before its queue, and a queue before its group.
void GroupQueue::link_empty(QueueId leaf) {
  const auto less = [&](QueueId a, QueueId b) { return queue_first(a, b); };
  for (const QueueId at : {above(leaf), leaf}) {
    if (nodes_[at].linked) continue;
    nodes_[at].linked = true;
    heap_above(at).push(at, less);
    if (heap_above(at).size() > 2) session_.chance().note();
  }
}

void GroupQueue::mark_path(QueueId queue) {
  for (QueueId at = queue; at; at = above(at)) nodes_[at].dirty = true;
}

auto GroupQueue::pop() -> Entry {
  ++pops_;
  if (!built_) build();
  const auto less = [&](QueueId a, QueueId b) { return queue_first(a, b); };
  GoHeap<QueueId>* heap = &root_;
  QueueId at;
  while (true) {
    at = heap->top();
    if (nodes_[at].dirty) {
      heap->fix(0, less);
      nodes_[at].dirty = false;
      continue;
    }
    if (is_leaf(at)) break;
    heap = &nodes_[at].queues;
  }
  Node& leaf = nodes_[at];
  const Entry entry = leaf.groups.pop([&](const Entry& a, const Entry& b) { return group_first(a, b); });
  if (of_ == Of::victims) add_to(leaf.popped, entry.amount);
  clean_up(at);
  return entry;
}

// Removes queues that have become empty, which are the tops of their parents; marks the rest of the path as changed.
void GroupQueue::clean_up(QueueId queue) {
  const auto less = [&](QueueId a, QueueId b) { return queue_first(a, b); };
  for (QueueId at = queue; at; at = above(at)) {
    if (!is_empty(at)) {
      mark_path(at);
      return;
    }
    heap_above(at).pop(less);
    nodes_[at].linked = false;
    nodes_[at].dirty = false;
  }
}

}  // namespace previct::kai
