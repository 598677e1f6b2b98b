#include "engine/yunikorn/orders.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace previct::yunikorn {

Orders::Orders(const std::vector<Allocation>& eligible) : size_(eligible.size()) {
  std::map<std::tuple<bool, bool, Instant>, std::size_t> alike;
  for (const Allocation& pod : eligible) {
    arrangements_ *= ++alike[{pod.opted_out, pod.originator, pod.created}];
    if (!few()) break;
  }
  // `eligible` is grouped by queue; within a queue, applications are ordered by their first pods.
  QueueId queue;
  std::vector<AppId> apps;
  for (const Allocation& pod : eligible) {
    if (queues_.empty() || pod.queue != queue) {
      queue = pod.queue;
      apps.clear();
      queues_.emplace_back();
    }
    QueuePods& pods = queues_.back();
    const auto at = std::find(apps.begin(), apps.end(), pod.app);
    if (at == apps.end()) {
      apps.push_back(pod.app);
      pods.push_back({&pod});
    } else {
      pods[static_cast<std::size_t>(at - apps.begin())].push_back(&pod);
    }
  }
}

auto Orders::count() const -> std::size_t {
  if (arrangements_ == 1) return 1;
  constexpr std::size_t kMost = 64;
  constexpr std::size_t kLeast = 3;
  constexpr std::size_t kWork = 400'000;  // number of candidates looked at, over all orders
  return std::clamp(kWork / std::max<std::size_t>(1, size_), kLeast, kMost);
}

auto Orders::draw(Random& random) const -> EligibleOrder {
  std::vector<QueuePods> queues = queues_;
  random.shuffle(queues);
  EligibleOrder order;
  std::vector<AppPods> again;
  for (QueuePods& apps : queues) {
    random.shuffle(apps);
    AppPods& together = again.emplace_back();
    for (AppPods& pods : apps) {
      random.shuffle(pods);
      together.insert(together.end(), pods.begin(), pods.end());
    }
    order.first.insert(order.first.end(), together.begin(), together.end());
  }
  random.shuffle(again);
  for (const AppPods& pods : again) order.second.insert(order.second.end(), pods.begin(), pods.end());
  return order;
}

}  // namespace previct::yunikorn
