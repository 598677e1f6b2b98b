#include "engine/kai/fairness/orders.h"

#include <algorithm>

namespace previct::kai {

namespace {

// below: some pod set is below its minimum; at: all are exactly at it; above: some is above.
enum Fill : std::int64_t { below, at, above };

void add_set(std::int32_t allocated, std::int32_t min, Fill& fill) {
  if (fill != below && allocated != min) fill = allocated < min ? below : above;
}

auto key_with(const ClusterInfo& cluster_info, const Group& group, Fill fill) -> GroupKey {
  GroupKey key{{}, group.rank};
  std::size_t place = 0;
  for (const GroupOrder by : cluster_info.settings().group_order) {
    if (place == key.by_plugin.size()) break;
    key.by_plugin[place++] = by == GroupOrder::priority ? -std::int64_t{group.priority} : fill;
  }
  return key;
}

}  // namespace

auto key_of(const ClusterInfo& cluster_info, GroupId id, const std::vector<SetView>& sets) -> GroupKey {
  Fill fill = at;
  for (const SetView& set : sets) add_set(set.allocated, set.min, fill);
  return key_with(cluster_info, cluster_info.group(id), fill);
}

auto key_of(const Session& session, GroupId id) -> GroupKey {
  const ClusterInfo& cluster_info = session.cluster_info();
  const Group& group = cluster_info.group(id);
  Fill fill = at;
  for (std::uint32_t i = 0; i < group.sets; ++i)
    add_set(session.counts(group.set(i)).allocated, cluster_info.sets()[group.set(i)].min, fill);
  return key_with(cluster_info, group, fill);
}

auto served_first(const GroupKey& a, const GroupKey& b) -> bool {
  if (a.by_plugin[0] != b.by_plugin[0]) return a.by_plugin[0] < b.by_plugin[0];
  return a.by_plugin[1] != b.by_plugin[1] ? a.by_plugin[1] < b.by_plugin[1] : a.rank < b.rank;
}

QueueOrder::QueueOrder(const Session& session, const FairShares& shares)
    : session_(session), shares_(shares), usable_(shares.of.size()) {
  const QueueTree& tree = session.cluster_info().tree();
  for (const QueueId id : tree.queues().ids()) usable_[id] = usable_share(tree[id], shares.of[id]);
}

auto QueueOrder::dominant_share(QueueId queue, const Share& allocated) const -> double {
  constexpr double kPenalty = 1000;  // for use of a resource of which nothing may be used
  double dominant = 0;
  for (std::size_t r = 0; r < kShared; ++r) {
    const double usable = usable_[queue][r];
    const double share = usable == kUnlimited ? session_.cluster_info().total()[r] : usable;
    dominant = std::max(dominant, share == 0 ? allocated[r] * kPenalty : allocated[r] / share);
  }
  return dominant;
}

auto QueueOrder::served_first(const QueueSide& left, const QueueSide& right) const -> bool {
  const QueueTree& tree = session_.cluster_info().tree();
  const TreeQueue& l = tree[left.queue];
  const TreeQueue& r = tree[right.queue];
  if (!session_.cluster_info().settings().plugins.proportion) return is_older(l, r);
  const Share& l_allocated = session_.allocated(left.queue);
  const Share& r_allocated = session_.allocated(right.queue);

  const Share l_then = plus(l_allocated, left.need);
  const Share r_then = plus(r_allocated, right.need);
  const bool l_deserves = within(l_then, l.deserved);
  const bool r_deserves = within(r_then, r.deserved);
  const bool by_priority = session_.cluster_info().settings().reclaims_in_quota && l_deserves && r_deserves;
  if (by_priority && l.priority != r.priority) return l.priority > r.priority;

  const auto is_over = [&](const Share& fair, const Share& allocated) {
    return fair[0] < allocated[0] && fair[1] < allocated[1] && fair[2] < allocated[2];
  };
  const bool l_over = is_over(shares_.of[left.queue], l_allocated);
  const bool r_over = is_over(shares_.of[right.queue], r_allocated);
  if (l_over != r_over) return r_over;

  if (l_deserves != r_deserves) return l_deserves;

  if (l.priority != r.priority) return l.priority > r.priority;

  const Share& l_usable = usable_[left.queue];
  const Share& r_usable = usable_[right.queue];
  const auto violates = [](const Share& usable, const Share& then) {
    for (std::size_t i = 0; i < kShared; ++i) {
      if (usable[i] == 0 && then[i] > 0) return true;
    }
    return false;
  };
  const bool l_violates = violates(l_usable, l_then);
  const bool r_violates = violates(r_usable, r_then);
  if (l_violates != r_violates) return r_violates;

  const auto without = [](Share share, const Share& victims) {
    take_from(share, victims);
    return share;
  };
  const double l_dominant = dominant_share(left.queue, without(l_then, left.victims));
  const double r_dominant = dominant_share(right.queue, without(r_then, right.victims));
  if (l_dominant != r_dominant) return l_dominant < r_dominant;

  const double l_now = dominant_share(left.queue, l_allocated);
  const double r_now = dominant_share(right.queue, r_allocated);
  if (l_now != r_now) return l_now < r_now;

  const bool l_less = within(l_usable, r_usable);
  const bool r_less = within(r_usable, l_usable);
  if (l_less != r_less) return l_less;
  return l.created < r.created;  // equal ages: the right-hand queue is first
}

}  // namespace previct::kai
