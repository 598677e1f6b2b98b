#include "engine/yunikorn/quota_usage.h"

#include <algorithm>
#include <cmath>

namespace previct::yunikorn {
namespace {

/// Returns the amounts below 0, as positive amounts.
auto shortfall(const Resources& amounts) -> Resources {
  Resources short_of;
  for (const Resources::Entry& each : amounts) {
    if (each.amount >= 0) continue;
    short_of.set(each.type, static_cast<std::int64_t>(std::abs(static_cast<double>(each.amount))));
  }
  return short_of;
}

}  // namespace

QuotaUsage::QuotaUsage(const PartitionContext& core) : core_(core) {
  for (const QueueId id : core.queues().ids()) {
    allocated_.push_back(core.queues()[id].allocated);
    preempting_.push_back(core.queues()[id].preempting);
  }
}

auto QuotaUsage::above_max(QueueId queue) const -> bool {
  const MaybeResources& max = core_.queues()[queue].max;
  return max && !without_zeros(*max).empty() && !at_least_in_common(*max, allocated(queue));
}

auto QuotaUsage::excess(QueueId queue) const -> MaybeResources {
  const Resources used = *less_in_common(allocated(queue), preempting_[queue.index]);
  if (used.empty()) return {};
  MaybeResources beyond = shortfall(*less_in_common(core_.queues()[queue].max, used));
  if (core_.keys().release.has(Change::quota_keeps_guarantees)) {
    beyond = smaller_in_common(std::move(beyond), shortfall(*beyond_guarantees(queue)));
  }
  if (beyond->empty()) return {};
  return beyond;
}

/// What the queue, and those above it, use beyond what is guaranteed to them, as amounts below 0: the largest counts.
/// (queue.go GetPreemptableResource)
auto QuotaUsage::beyond_guarantees(QueueId queue) const -> MaybeResources {
  std::vector<QueueId> path;
  for (QueueId at = queue; at; at = core_.queues()[at].parent) path.push_back(at);
  MaybeResources least = Resources();
  for (auto at = path.rbegin(); at != path.rend(); ++at) {
    const MaybeResources& guaranteed = core_.queues()[*at].guaranteed;
    least = smaller_of_each(guaranteed ? less_in_common(guaranteed, allocated(*at)) : allocated(*at), least);
  }
  return least;
}

/// Only guaranteed types count, and what is left of a guarantee counts like what is used beyond it.
auto QuotaUsage::beyond_own_guarantee(QueueId queue) const -> Resources {
  const MaybeResources& guaranteed = core_.queues()[queue].guaranteed;
  if (!guaranteed || guaranteed->empty()) return allocated(queue);
  Resources beyond;
  const MaybeResources left = less_in_common(guaranteed, allocated(queue));
  for (const Resources::Entry& each : *left) {
    beyond.set(each.type, each.amount < 0 ? saturating_subtract(0, each.amount) : each.amount);
  }
  return beyond;
}

/// Calculates in floating point, like the scheduler. (getChildQueuesPreemptableResource, GetSharesTypeWise)
auto QuotaUsage::part_of(std::int64_t amount, std::int64_t own, std::int64_t all) const -> std::int64_t {
  if (own == 0) return 0;
  const double share = all == 0 ? static_cast<double>(own) : static_cast<double>(own) / static_cast<double>(all);
  const double part = share * static_cast<double>(amount);
  const bool down = core_.keys().release.has(Change::quota_within_excess);
  return static_cast<std::int64_t>(down ? std::floor(part) : std::nearbyint(part));
}

auto QuotaUsage::contributors(QueueId parent) const -> std::vector<QuotaShare> {
  std::vector<QuotaShare> found;
  for (const QueueId child : core_.queues()[parent].children) {
    const MaybeResources& guaranteed = core_.queues()[child].guaranteed;
    if (allocated(child).empty() || at_least_in_common(guaranteed.value_or(Resources()), allocated(child))) continue;
    found.push_back({child, beyond_own_guarantee(child)});
  }
  return found;
}

auto QuotaUsage::shares(QueueId parent, const Resources& excess) const -> std::vector<QuotaShare> {
  std::vector<QuotaShare> leaves;
  std::vector<QuotaShare> waiting = {{parent, excess}};
  while (!waiting.empty()) {
    const QuotaShare at = std::move(waiting.back());
    waiting.pop_back();
    const std::vector<QuotaShare> children = contributors(at.queue);
    Resources all;
    for (const QuotaShare& child : children) all += child.amount;
    for (const QuotaShare& child : children) {
      Resources part;
      for (const Resources::Entry& own : child.amount) {
        if (!at.amount.has(own.type)) continue;
        part.set(own.type, part_of(at.amount.amount(own.type), own.amount, all.amount(own.type)));
      }
      (core_.queues()[child.queue].leaf ? leaves : waiting).push_back({child.queue, std::move(part)});
    }
  }
  return leaves;
}

void QuotaUsage::mark(QueueId leaf, const Resources& size) {
  for (QueueId at = leaf; at; at = core_.queues()[at].parent) preempting_[at.index] += size;
}

void QuotaUsage::end(QueueId leaf, const Resources& size) {
  for (QueueId at = leaf; at; at = core_.queues()[at].parent) {
    preempting_[at.index] -= size;
    allocated_[at.index] -= size;
  }
}

}  // namespace previct::yunikorn
