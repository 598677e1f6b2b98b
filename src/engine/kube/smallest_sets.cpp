#include "engine/kube/smallest_sets.h"

#include "engine/kube/orders.h"

#include <algorithm>
#include <tuple>

namespace previct::kube {
// NOLINTBEGIN(misc-no-recursion): one level for each potential victim of a node, at most kMostPods
namespace {

constexpr std::int64_t kShift = std::int64_t{1} << 31;  // as in measure()
constexpr std::size_t kMostPods = 1'000;
constexpr std::size_t kStepsOfNode = 100'000;

enum class Goal : std::uint8_t { cheapest, fewest };

auto before(Goal goal, const Price& a, const Price& b) -> bool {
  return goal == Goal::cheapest ? a < b : std::tuple(a.count, a) < std::tuple(b.count, b);
}

void add(const PodInfo& pod, bool violating, Price& price) {
  price.highest = price.count == 0 ? pod.priority : std::max<std::int64_t>(price.highest, pod.priority);
  price.violations += violating ? 1 : 0;
  price.priority_sum += pod.priority + kShift;
  ++price.count;
}

// A potential victim, with what makes it equal to others.
struct Option {
  Removable removable;
  std::size_t kind = 0;  // equal for pods that are alike in everything that counts
  double size = 0;       // the largest share of a request that it would free
};

class SetSearch {
 public:
  SetSearch(NodeTrial& trial, std::span<const PodInfo> nominated, std::vector<Option> options, Goal goal, Price best,
            std::size_t& steps)
      : trial_(trial),
        nominated_(nominated),
        options_(std::move(options)),
        evicted_(options_.size(), 0),
        goal_(goal),
        best_(best),
        steps_(steps) {
    for (const Option& each : options_) pods_.push_back(each.removable.pod);
  }

  // Returns false if the steps did not suffice.
  auto run() -> bool { return branch(0, {}); }

  // The best set; empty: none is better than the one that is known.
  [[nodiscard]] auto found() const -> const std::vector<PodId>& { return found_; }
  [[nodiscard]] auto best() const -> const Price& { return best_; }

 private:
  auto branch(std::size_t next, const Price& price) -> bool {
    if (!before(goal_, bound(next, price), best_)) return true;
    if (next == options_.size()) return note(price);
    if (steps_ == 0) return false;
    --steps_;
    // The cheapest set is near the one of the scheduler, which keeps important pods; few pods are large ones.
    return goal_ == Goal::cheapest ? keep(next, price) && evict(next, price) : evict(next, price) && keep(next, price);
  }

  // Of pods that are alike, the first are kept.
  auto keep(std::size_t next, const Price& price) -> bool {
    const bool repeats = next > 0 && options_[next].kind == options_[next - 1].kind && evicted_[next - 1] != 0;
    if (repeats || !trial_.reprieve(*pods_[next], nominated_)) return true;
    evicted_[next] = 0;
    const bool done = branch(next + 1, price);
    trial_.remove(std::span(pods_).subspan(next, 1));
    return done;
  }

  auto evict(std::size_t next, Price price) -> bool {
    evicted_[next] = 1;
    add(*pods_[next], options_[next].removable.violating, price);
    return branch(next + 1, price);
  }

  auto note(const Price& price) -> bool {
    best_ = price;
    found_.clear();
    for (std::size_t i = 0; i < pods_.size(); ++i) {
      if (evicted_[i] != 0) found_.push_back(pods_[i]->pod);
    }
    return true;
  }

  // Every set that evicts the pods of `price`, and some of those from `next` on, costs at least this.
  [[nodiscard]] auto bound(std::size_t next, Price price) -> Price {
    const auto rest = std::span(pods_).subspan(next);
    const std::size_t more = rest.size() - trial_.most_that_fit(rest);
    if (more == 0) return price;
    priorities_.clear();
    std::size_t free = 0;
    for (std::size_t i = next; i < pods_.size(); ++i) {
      priorities_.push_back(pods_[i]->priority);
      free += options_[i].removable.violating ? 0U : 1U;
    }
    std::sort(priorities_.begin(), priorities_.end());
    const std::int64_t lowest = priorities_[more - 1];  // the least that the highest of so many can be
    price.highest = price.count == 0 ? lowest : std::max(price.highest, lowest);
    for (std::size_t i = 0; i < more; ++i) price.priority_sum += priorities_[i] + kShift;
    price.count += static_cast<std::int64_t>(more);
    price.violations += more > free ? static_cast<std::int64_t>(more - free) : 0;
    return price;
  }

  NodeTrial& trial_;
  std::span<const PodInfo> nominated_;
  std::vector<Option> options_;
  std::vector<const PodInfo*> pods_;
  std::vector<char> evicted_;
  Goal goal_;
  Price best_;
  std::size_t& steps_;
  std::vector<PodId> found_;
  std::vector<std::int64_t> priorities_;
};

auto options_of(const NodeInfoSnapshot& node_infos, const NodeTrial& trial, const std::vector<Removable>& pods)
    -> std::vector<Option> {
  std::vector<Option> options;
  std::vector<std::size_t> firsts;  // of each kind
  for (const Removable& each : pods) {
    const auto same = [&](std::size_t first) {
      const Removable& other = pods[first];
      return other.violating == each.violating && other.pod->priority == each.pod->priority &&
             alike(node_infos, *other.pod, *each.pod);
    };
    const auto kind = std::find_if(firsts.begin(), firsts.end(), same);
    options.push_back({each, static_cast<std::size_t>(kind - firsts.begin()), trial.share_freed(*each.pod)});
    if (kind == firsts.end()) firsts.push_back(options.size() - 1);
  }
  return options;
}

void sort_for(Goal goal, std::vector<Option>& options) {
  const auto rank = [goal](const Option& each) {
    const double size = goal == Goal::fewest ? -each.size : 0;
    return std::tuple(size, !each.removable.violating, -std::int64_t{each.removable.pod->priority}, each.kind);
  };
  std::stable_sort(options.begin(), options.end(), [&](const Option& a, const Option& b) { return rank(a) < rank(b); });
}

void sort_by_priority(const Snapshot& cluster, std::vector<PodId>& pods) {
  std::stable_sort(pods.begin(), pods.end(),
                   [&](PodId a, PodId b) { return cluster.pod(a).spec.priority > cluster.pod(b).spec.priority; });
}

}  // namespace

auto price_of(const DryRun& run) -> Price {
  return {run.violations, run.highest_priority, run.priority_sum, static_cast<std::int64_t>(run.victims.size())};
}

void look_for_better_sets(const NodeInfoSnapshot& node_infos, NodeTrial& trial, std::span<const PodInfo> nominated,
                          NodeId node, const std::vector<Removable>& pods, SmallestSets& sets) {
  if (pods.size() > kMostPods) return sets.open.push_back(node);
  std::vector<Option> options = options_of(node_infos, trial, pods);
  bool all = true;
  const auto improve = [&](Goal goal, std::optional<SmallestSets::Found>& known) {
    sort_for(goal, options);
    const std::size_t most = std::min(kStepsOfNode, sets.steps);
    std::size_t steps = most;
    // A set with fewer pods may cost more: it only has to be better than the best known one of its sort.
    Price best = known ? known->price : sets.scheduler;
    if (!known && goal == Goal::fewest) best = {INT64_MIN, INT64_MIN, INT64_MIN, best.count};
    SetSearch search(trial, nominated, options, goal, best, steps);
    all = search.run() && all;
    sets.steps -= most - steps;
    if (search.found().empty()) return;
    known = SmallestSets::Found{node, search.found(), search.best()};
    sort_by_priority(node_infos.cluster(), known->pods);
  };
  improve(Goal::fewest, sets.fewest);
  improve(Goal::cheapest, sets.cheapest);
  if (!all) sets.open.push_back(node);
}

// NOLINTEND(misc-no-recursion)
}  // namespace previct::kube
