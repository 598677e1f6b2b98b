#include "engine/yunikorn/attempt_order.h"

#include "engine/yunikorn/go_sort.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace previct::yunikorn {
namespace {

/// Returns the shares of `total` that are used, by size; the amount itself of a type that the total lacks.
/// (GetShares)
auto shares(const Resources& used, const MaybeResources& total) -> std::vector<double> {
  std::vector<double> result;
  for (const auto& [type, amount] : used) {
    const std::int64_t of = total ? total->amount(type) : 0;
    result.push_back(amount == 0 || of == 0 ? static_cast<double>(amount)
                                            : static_cast<double>(amount) / static_cast<double>(of));
  }
  std::sort(result.begin(), result.end());
  return result;
}

/// Compares the largest shares first; missing ones count as 0. Returns a number below, at or above 0. (compareShares)
auto compare(const std::vector<double>& a, const std::vector<double>& b) -> int {
  for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
    const double left = i < a.size() ? a[a.size() - 1 - i] : 0;
    const double right = i < b.size() ? b[b.size() - 1 - i] : 0;
    if (left != right) return left < right ? -1 : 1;
  }
  return 0;
}

/// Returns the largest share of what is guaranteed, or of `most` for a type without a guarantee. (getFairShare)
auto fair_share(const Queue& queue, const MaybeResources& most) -> double {
  double largest = 0;
  for (const auto& [type, used] : queue.allocated) {
    auto of = queue.guaranteed ? queue.guaranteed->get(type) : std::nullopt;
    if (!of && most) of = most->get(type);
    if (!of) continue;
    const double full = used > 0 ? 1 : 0;
    largest = std::max(largest, *of <= 0 ? full : static_cast<double>(used) / static_cast<double>(*of));
  }
  return largest;
}

class AttemptOrder {
 public:
  AttemptOrder(const PartitionContext& core, const std::vector<PodId>& pods)
      : core_(core), queues_(core.queues()), waiting_(queues_.size()), place_(core.apps().size()) {
    for (const PodId pod : pods) {
      if (core.known(pod)) {
        add(core.allocation(pod));
      } else {
        unknown_.push_back(pod);
      }
    }
    find_priorities();
    find_maxima();
    add_up_applications();
  }

  auto pods() -> std::vector<PodId> {
    std::vector<PodId> result;
    std::vector<QueueId> open = {queues_.root()};
    while (!open.empty()) {
      const QueueId id = open.back();
      open.pop_back();
      Waiting& here = waiting_[id];
      sort_children(id);
      open.insert(open.end(), here.children.rbegin(), here.children.rend());
      sort_applications(id);
      for (App& app : here.apps) {
        std::stable_sort(app.asks.begin(), app.asks.end(), [](const Allocation& a, const Allocation& b) {
          return a.priority != b.priority ? a.priority > b.priority : a.created < b.created;
        });
        for (const Allocation& ask : app.asks) result.push_back(ask.pod);
      }
    }
    result.insert(result.end(), unknown_.begin(), unknown_.end());
    return result;
  }

 private:
  static constexpr std::int32_t kNone = std::numeric_limits<std::int32_t>::min();  // configs.MinPriority

  struct App {
    std::vector<Allocation> asks;
    std::int32_t priority = kNone;
    Instant submitted;
    Resources allocated;  // without placeholders
  };
  // What is pending in a queue and below.
  struct Waiting {
    bool listed = false;  // among the children of its parent
    std::vector<QueueId> children;
    std::vector<App> apps;
    std::int32_t priority = kNone;
    Resources pending;
    MaybeResources most;  // maxima of the queue and those above it; its own count
  };

  void add(Allocation ask) {
    auto& apps = waiting_[ask.queue].apps;
    std::size_t& place = place_[ask.app];
    if (place == 0) {
      apps.push_back({.asks = {}, .submitted = core_.allocation(core_.app(ask.app).first).created, .allocated = {}});
      place = apps.size();
    }
    App& app = apps[place - 1];
    app.priority = std::max(app.priority, ask.priority);
    for (QueueId at = ask.queue; at; at = queues_[at].parent) {
      waiting_[at].pending += ask.size;
      if (!std::exchange(waiting_[at].listed, true) && queues_[at].parent)
        waiting_[queues_[at].parent].children.push_back(at);
    }
    app.asks.push_back(std::move(ask));
  }

  // Queues have greater ids than their parents.
  void find_priorities() {
    for (std::size_t i = queues_.size(); i-- > 0;) {
      const QueueId id{static_cast<std::uint32_t>(i)};
      Waiting& here = waiting_[id];
      for (const App& app : here.apps) here.priority = std::max(here.priority, app.priority);
      for (const QueueId child : here.children) here.priority = std::max(here.priority, waiting_[child].priority);
      here.priority = by_policy(queues_[id].policy, here.priority);
    }
  }

  [[nodiscard]] static auto by_policy(const QueuePolicy& policy, std::int32_t priority) -> std::int32_t {
    if (priority == kNone) return priority;
    if (policy.priority_fence) return policy.priority_offset;
    const std::int64_t sum = std::int64_t{policy.priority_offset} + priority;
    return static_cast<std::int32_t>(std::clamp<std::int64_t>(sum, kNone, std::numeric_limits<std::int32_t>::max()));
  }

  // (GetFairMaxResource)
  void find_maxima() {
    for (const QueueId id : queues_.ids()) {
      const Queue& queue = queues_[id];
      MaybeResources& most = waiting_[id].most;
      most = queue.parent ? waiting_[queue.parent].most : queue.max;
      if (!queue.parent || !queue.max || !most || most->empty()) continue;
      for (const auto& [type, amount] : *queue.max) most->set(type, amount);
    }
  }

  // Only policy fair looks at what applications use.
  void add_up_applications() {
    for (const PodId pod : core_.cluster().pods().ids()) {
      const AppId app = core_.app_of(pod);
      if (!app || place_[app] == 0 || !queues_[core_.app(app).queue].policy.fair) continue;
      if (!core_.cluster().node_of(pod) || !core_.known(pod) || core_.holds_place(pod)) continue;
      waiting_[core_.app(app).queue].apps[place_[app] - 1].allocated += core_.size_of(pod);
    }
  }

  // The queues below a parent are always sorted by fairness.
  void sort_children(QueueId parent) {
    const bool shares_of_most = core_.keys().release.has(Change::queues_share_maxima);
    const auto by_use = [&](QueueId a, QueueId b) {
      if (!shares_of_most)
        return compare(shares(queues_[a].allocated, queues_[a].guaranteed),
                       shares(queues_[b].allocated, queues_[b].guaranteed));
      return compare({fair_share(queues_[a], waiting_[a].most)}, {fair_share(queues_[b], waiting_[b].most)});
    };
    const bool priority_first = queues_[parent].policy.sorts_by_priority;
    go_stable_sort(waiting_[parent].children, [&](QueueId a, QueueId b) {
      const Waiting& left = waiting_[a];
      const Waiting& right = waiting_[b];
      if (priority_first && left.priority != right.priority) return left.priority > right.priority;
      if (const int use = by_use(a, b); use != 0) return use < 0;
      if (left.priority != right.priority) return left.priority > right.priority;
      return positive(left.pending - right.pending);
    });
  }

  void sort_applications(QueueId id) {
    const Queue& queue = queues_[id];
    go_stable_sort(waiting_[id].apps, [&](const App& a, const App& b) {
      if (queue.policy.sorts_by_priority && a.priority != b.priority) return a.priority > b.priority;
      if (queue.policy.fair) {
        const int use = compare(shares(a.allocated, queue.guaranteed), shares(b.allocated, queue.guaranteed));
        if (use != 0) return use < 0;
      } else if (a.submitted != b.submitted) {
        return a.submitted < b.submitted;
      }
      return a.priority > b.priority;
    });
  }

  const PartitionContext& core_;
  const QueueTree& queues_;
  IdVector<QueueId, Waiting> waiting_;
  IdVector<AppId, std::size_t> place_;  // in Waiting::apps of its queue, from 1; 0: it waits for nothing
  std::vector<PodId> unknown_;
};

}  // namespace

auto in_order_of_attempts(const PartitionContext& core, const std::vector<PodId>& pods) -> std::vector<PodId> {
  return AttemptOrder(core, pods).pods();
}

}  // namespace previct::yunikorn
