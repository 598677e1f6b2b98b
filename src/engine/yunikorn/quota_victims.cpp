#include "engine/yunikorn/quota_victims.h"

#include "engine/yunikorn/go_sort.h"
#include "engine/yunikorn/required_node.h"

#include <algorithm>
#include <map>

namespace previct::yunikorn {
namespace {

using QuotaPods = std::vector<const Allocation*>;

auto is_candidate(const Allocation& pod, const Resources& amount) -> bool {
  return share_a_type(amount, pod.size) && !pod.required_node && !pod.released && !pod.preempted;
}

auto hour_of(Instant time) -> std::int64_t {
  constexpr std::int64_t kSeconds = 3600;
  const std::int64_t hour = time.seconds / kSeconds;
  return time.seconds % kSeconds < 0 ? hour - 1 : hour;
}

/// A pod with what the order by excess compares.
struct Ranked {
  const Allocation* pod = nullptr;
  std::uint64_t score = 0;       ///< the highest first
  std::int64_t hour = 0;         ///< of creation; the latest first
  std::vector<double> shares{};  ///< of the maximum, in ascending order; the smallest first
};

/// QuotaPods that opted out score highest, then originators, then those that have more of the types to be freed.
/// (scoreAllocationBasedOnAsk, TypeMatching)
auto score_of(const Allocation& pod, const Resources& amount) -> std::uint64_t {
  constexpr std::uint64_t kOriginator = std::uint64_t{1} << 33U;
  constexpr std::uint64_t kOptedOut = std::uint64_t{1} << 34U;
  std::uint64_t matching = 0;
  for (const Resources::Entry& each : amount) {
    if (pod.size.has(each.type)) ++matching;
  }
  return (pod.originator ? kOriginator : 0) + (pod.opted_out ? kOptedOut : 0) +
         matching * 100 / std::max<std::size_t>(1, pod.size.size());
}

/// (CompUsageRatioSpecificTypes, GetSharesTypeWise)
auto shares_of(const Allocation& pod, const QuotaTask& task) -> std::vector<double> {
  std::vector<double> shares;
  for (const Resources::Entry& each : task.amount) {
    const std::int64_t own = pod.size.amount(each.type);
    if (own == 0) continue;
    const std::int64_t all = task.max ? task.max->amount(each.type) : 0;
    shares.push_back(all == 0 ? static_cast<double>(own) : static_cast<double>(own) / static_cast<double>(all));
  }
  std::sort(shares.begin(), shares.end());
  return shares;
}

/// Compares the largest shares first; shares that only one side has count as more than 0. (compareShares)
auto compare_shares(const std::vector<double>& a, const std::vector<double>& b) -> int {
  std::size_t at_a = a.size();
  std::size_t at_b = b.size();
  for (; at_a > 0 && at_b > 0; --at_a, --at_b) {
    if (a[at_a - 1] != b[at_b - 1]) return a[at_a - 1] > b[at_b - 1] ? 1 : -1;
  }
  return at_a > 0 ? 1 : at_b > 0 ? -1 : 0;
}

auto goes_before_by_excess(const Ranked& a, const Ranked& b) -> bool {
  if (a.score != b.score) return a.score > b.score;
  if (a.pod->priority != b.pod->priority) return a.pod->priority < b.pod->priority;
  if (a.hour != b.hour) return a.hour > b.hour;
  return compare_shares(a.shares, b.shares) != 1;
}

void sort_by_excess(const QuotaTask& task, QuotaPods& pods) {
  std::vector<Ranked> ranked;
  for (const Allocation* pod : pods) {
    ranked.push_back({pod, score_of(*pod, task.amount), hour_of(pod->created), shares_of(*pod, task)});
  }
  go_stable_sort(ranked, goes_before_by_excess);
  std::transform(ranked.begin(), ranked.end(), pods.begin(), [](const Ranked& each) { return each.pod; });
}

/// Takes pods as long as they free no more than the excess.
auto within_excess(const Resources& amount, const QuotaPods& pods) -> QuotaPods {
  QuotaPods taken;
  Resources freed;
  for (const Allocation* pod : pods) {
    if (!fits_where_limited(amount, pod->size)) continue;
    freed += pod->size;
    if (at_least_in_common(amount, freed)) {
      taken.push_back(pod);
    } else {
      freed -= pod->size;
    }
  }
  return taken;
}

/// Takes pods until the excess is covered. If the queue is then below its guaranteed resources, puts the last victim of
/// the pod's application back, whichever it is, and counts the pod as not freed, even if it was not counted before. If
/// that application has no victim, the scheduler crashes.
auto until_covered(const QuotaTask& task, const QuotaPods& pods) -> std::optional<QuotaPods> {
  std::map<AppId, QuotaPods> taken;
  Resources freed;
  Resources left = task.allocated;
  for (const Allocation* pod : pods) {
    if (!fits_where_limited(task.amount, pod->size)) continue;
    QuotaPods& of_app = taken[pod->app];
    if (greater_in_common(task.amount, freed)) {
      of_app.push_back(pod);
      left -= pod->size;
    }
    if (!task.guaranteed || task.guaranteed->empty() || !greater_in_common(*task.guaranteed, left)) {
      freed += pod->size;
      continue;
    }
    if (of_app.empty()) return {};
    of_app.pop_back();
    left += pod->size;
    freed -= pod->size;
  }
  QuotaPods all;
  for (const auto& [app, of_app] : taken) all.insert(all.end(), of_app.begin(), of_app.end());
  return all;
}

}  // namespace

auto quota_victims(const Release& release, const QuotaTask& task, QuotaPods pods) -> std::optional<QuotaPods> {
  if (without_zeros(task.amount).empty()) return QuotaPods();
  std::erase_if(pods, [&](const Allocation* pod) { return !is_candidate(*pod, task.amount); });
  if (release.has(Change::quota_order_by_excess)) {
    sort_by_excess(task, pods);
  } else {
    go_stable_sort(pods, [](const Allocation* a, const Allocation* b) { return goes_before(*a, *b); });
  }
  if (release.has(Change::quota_within_excess)) return within_excess(task.amount, pods);
  return until_covered(task, pods);
}

auto alike_for_quota(const Release& release, const Allocation& a, const Allocation& b) -> bool {
  const bool as_old =
      release.has(Change::quota_order_by_excess) ? hour_of(a.created) == hour_of(b.created) : a.created == b.created;
  return a.app == b.app && as_old && a.priority == b.priority && a.opted_out == b.opted_out &&
         a.originator == b.originator && !a.required_node == !b.required_node && a.released == b.released &&
         a.preempted == b.preempted && equal(a.size, b.size);
}

}  // namespace previct::yunikorn
