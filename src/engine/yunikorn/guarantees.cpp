#include "engine/yunikorn/guarantees.h"

#include <algorithm>

namespace previct::yunikorn {

// Returns true if `left` is negative for a requested type.
auto Guarantees::lacks(const Resources& left) const -> bool {
  return std::any_of(ask_.size.begin(), ask_.size.end(), [&](const Resources::Entry& e) {
    const auto amount = left.get(e.type);
    return amount && *amount < 0;
  });
}

// A queue without a share is always over it.
auto Guarantees::over(const MaybeResources& left) const -> bool {
  if (!left) return true;
  return release().has(Change::guarantee_of_asked_types) ? lacks(*left) : positive(Resources() - *left);
}

auto Guarantees::protect(const QueueSnapshot& start, QueueId leaf) const -> bool {
  if (!release().has(Change::remaining_guarantee)) return start.is_within_old_share(leaf);
  const MaybeResources left = start.remaining_guarantee(leaf);
  return left && at_least(*left, Resources());
}

auto Guarantees::take(QueueSnapshot& queue_snapshot, const Allocation& pod) const -> bool {
  const bool before = release().has(Change::remaining_guarantee);
  if (before && !over(queue_snapshot.remaining_guarantee(pod.queue))) return false;
  queue_snapshot.remove(pod.queue, pod.size);
  if (before || queue_snapshot.is_at_old_share(pod.queue)) return true;
  queue_snapshot.add(pod.queue, pod.size);
  return false;
}

auto Guarantees::pass_on(QueueSnapshot& queue_snapshot, const Allocation& pod) const -> bool {
  if (release().has(Change::guarantee_of_asked_types)) {
    const MaybeResources left = queue_snapshot.remaining_guarantee(ask_.queue);
    if (!left || !fits_exactly_where_limited(*left, pod.size)) return false;
    queue_snapshot.add(ask_.queue, pod.size);
    return true;
  }
  queue_snapshot.add(ask_.queue, pod.size);
  const MaybeResources left = queue_snapshot.remaining_guarantee(ask_.queue);
  if (!left || !over(left)) return true;
  queue_snapshot.remove(ask_.queue, pod.size);
  return false;
}

auto Guarantees::met(const QueueSnapshot& queue_snapshot) const -> bool {
  if (!release().has(Change::remaining_guarantee)) return queue_snapshot.fits_in_old_share(ask_.queue);
  const MaybeResources left = queue_snapshot.remaining_guarantee(ask_.queue);
  if (!left) return false;
  return release().has(Change::guarantee_of_asked_types) ? !lacks(*left) : at_least(*left, Resources());
}

auto Guarantees::left(const QueueSnapshot& queue_snapshot) const -> MaybeResources {
  return release().has(Change::remaining_guarantee) ? queue_snapshot.remaining_guarantee(ask_.queue)
                                                    : queue_snapshot.remaining_old_share(ask_.queue);
}

auto Guarantees::obstacle(const std::vector<const Allocation*>& eligible) const -> Rule {
  const QueueSnapshot start(core_.queues(), ask_.queue);
  if (allow(start, eligible)) return Rule::suits;
  const bool has_share = release().has(Change::remaining_guarantee) ? start.remaining_guarantee(ask_.queue).has_value()
                                                                    : start.has_old_guarantee(ask_.queue);
  if (!has_share) return Rule::no_guarantee;
  // These releases compare the share only as they remove potential victims, one by one.
  if (!release().has(Change::guarantee_of_asked_types) && eligible.empty()) return Rule::no_node_helps;
  return Rule::guarantees_fail;
}

auto Guarantees::allow(QueueSnapshot queue_snapshot, const std::vector<const Allocation*>& eligible) const -> bool {
  if (release().has(Change::guarantee_of_asked_types)) {
    const MaybeResources left = queue_snapshot.remaining_guarantee(ask_.queue);
    if (left && fits_exactly_where_limited(*left, ask_.size)) return true;
  } else if (eligible.empty()) {
    return false;
  }
  queue_snapshot.add(ask_.queue, ask_.size);
  for (const Allocation* pod : eligible) queue_snapshot.remove(pod->queue, pod->size);
  return met(queue_snapshot);
}

}  // namespace previct::yunikorn
