#include "engine/kube/orders.h"

#include "engine/kube/pick_node.h"

#include <algorithm>
#include <map>
#include <set>

namespace previct::kube {
// NOLINTBEGIN(misc-no-recursion): one level for each pod of a stage, within the limit of steps
namespace {

using Pods = std::vector<const PodInfo*>;

// Number of pods of each Part.
using Counts = std::vector<std::uint16_t>;

// Pods that are alike; all or none of them violate a budget.
struct Part {
  Pods pods;
  bool violating = false;
};

// Parts that are tried in any order.
using Stage = std::vector<std::size_t>;

// Pods of equal importance, grouped by those that are alike.
using Tied = std::vector<Pods>;

void sort_by_importance(Pods& pods) {
  std::stable_sort(pods.begin(), pods.end(),
                   [](const PodInfo* a, const PodInfo* b) { return clearly_more_important(*a, *b); });
}

auto groups_of(const NodeInfoSnapshot& node_infos, std::span<const PodInfo* const> potential) -> std::vector<Tied> {
  Pods sorted(potential.begin(), potential.end());
  sort_by_importance(sorted);
  std::vector<Tied> groups;
  for (const PodInfo* pod : sorted) {
    if (groups.empty() || !interchangeable(*groups.back().front().front(), *pod)) groups.emplace_back();
    Tied& group = groups.back();
    const auto kind = std::find_if(group.begin(), group.end(),
                                   [&](const Pods& pods) { return alike(node_infos, *pods.front(), *pod); });
    if (kind == group.end()) {
      group.push_back({pod});
    } else {
      kind->push_back(pod);
    }
  }
  return groups;
}

// Returns how many pods of each kind violate a budget; nothing if that depends on the order. Pods use up what a budget
// allows in order of importance.
auto violating_of(const std::vector<Tied>& groups, const Budgets& budgets, const VictimRules& rules)
    -> std::optional<std::vector<std::vector<std::size_t>>> {
  std::vector<std::vector<std::size_t>> out;
  std::map<std::uint32_t, std::int64_t> taken;
  for (const Tied& group : groups) {
    std::map<std::uint32_t, std::size_t> kinds_of;
    std::map<std::uint32_t, std::int64_t> pods_of;
    for (const Pods& kind : group) {
      const auto of_kind = budgets.of(kind.front()->pod);
      if (of_kind.size() > 1 && rules.violated_budget_ends_count) return {};
      for (const std::uint32_t budget : of_kind) {
        ++kinds_of[budget];
        pods_of[budget] += static_cast<std::int64_t>(kind.size());
      }
    }
    std::vector<std::size_t>& violating = out.emplace_back();
    for (const Pods& kind : group) {
      const auto size = static_cast<std::int64_t>(kind.size());
      std::int64_t most = 0;
      for (const std::uint32_t budget : budgets.of(kind.front()->pod)) {
        const std::int64_t beyond = taken[budget] + pods_of[budget] - budgets.allowed()[budget];
        if (kinds_of[budget] > 1 && beyond > 0 && beyond < pods_of[budget]) return {};
        most = std::max(most, beyond);
      }
      violating.push_back(static_cast<std::size_t>(std::clamp<std::int64_t>(most, 0, size)));
    }
    for (const auto& [budget, pods] : pods_of) taken[budget] += pods;
  }
  return out;
}

class OrderSearch {
 public:
  OrderSearch(NodeTrial& trial, std::span<const PodInfo> nominated, std::size_t& steps)
      : trial_(trial), nominated_(nominated), steps_(steps) {}

  // Pods whose budget is exhausted are tried before all others.
  void plan(const std::vector<Tied>& groups, const std::vector<std::vector<std::size_t>>& violating) {
    for (const bool first : {true, false}) {
      for (std::size_t g = 0; g < groups.size(); ++g) {
        Stage stage;
        for (std::size_t k = 0; k < groups[g].size(); ++k) {
          const Pods& pods = groups[g][k];
          const auto middle = pods.end() - static_cast<std::ptrdiff_t>(violating[g][k]);
          Part part{first ? Pods(middle, pods.end()) : Pods(pods.begin(), middle), first};
          if (part.pods.empty()) continue;
          stage.push_back(parts_.size());
          parts_.push_back(std::move(part));
        }
        if (!stage.empty()) stages_.push_back(std::move(stage));
      }
    }
  }

  // Returns false if the steps did not suffice.
  auto walk() -> bool {
    std::set<Counts> reached = {Counts(parts_.size(), 0)};
    for (const Stage& stage : stages_) {
      std::set<Counts> next;
      for (const Counts& before : reached) {
        put(before);
        Counts back = before;
        Counts tried(parts_.size(), 0);
        std::set<std::pair<Counts, Counts>> seen;
        const bool done = branch(stage, tried, back, seen, next);
        take(before);
        if (!done) return false;
      }
      reached = std::move(next);
    }
    reached_ = std::move(reached);
    return true;
  }

  [[nodiscard]] auto runs() const -> std::vector<DryRun> {
    std::vector<DryRun> out;
    for (const Counts& back : reached_) {
      Pods victims;
      DryRun run;
      for (std::size_t i = 0; i < parts_.size(); ++i) {
        const Part& part = parts_[i];
        victims.insert(victims.end(), part.pods.begin() + back[i], part.pods.end());
        if (part.violating) run.violations += static_cast<std::int32_t>(part.pods.size() - back[i]);
      }
      if (victims.empty()) continue;
      sort_by_importance(victims);
      for (const PodInfo* victim : victims) run.victims.push_back(victim->pod);
      measure(victims, run);
      out.push_back(std::move(run));
    }
    return out;
  }

 private:
  void put(const Counts& counts) {
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      for (std::size_t k = 0; k < counts[i]; ++k) trial_.put(*parts_[i].pods[k]);
    }
  }
  void take(const Counts& counts) {
    for (std::size_t i = 0; i < parts_.size(); ++i) trial_.remove(std::span(parts_[i].pods).first(counts[i]));
  }

  // Tries the rest of a stage. Pods of a part are alike, so only the number of reprieved pods matters.
  auto branch(const Stage& stage, Counts& tried, Counts& back, std::set<std::pair<Counts, Counts>>& seen,
              std::set<Counts>& ends) -> bool {
    if (!seen.emplace(tried, back).second) return true;
    bool at_end = true;
    for (const std::size_t part : stage) {
      if (tried[part] == parts_[part].pods.size()) continue;
      at_end = false;
      if (steps_ == 0) return false;
      --steps_;
      // The reprieved pods are the first of their part.
      const PodInfo* const pod = parts_[part].pods[back[part]];
      const bool fits = trial_.reprieve(*pod, nominated_);
      ++tried[part];
      if (fits) ++back[part];
      const bool done = branch(stage, tried, back, seen, ends);
      --tried[part];
      if (fits) {
        --back[part];
        trial_.remove(std::span(&pod, 1));
      }
      if (!done) return false;
    }
    if (at_end) ends.insert(back);
    return true;
  }

  NodeTrial& trial_;
  std::span<const PodInfo> nominated_;
  std::size_t& steps_;
  std::vector<Part> parts_;
  std::vector<Stage> stages_;
  std::set<Counts> reached_;
};

}  // namespace

auto alike(const NodeInfoSnapshot& node_infos, const PodInfo& a, const PodInfo& b) -> bool {
  const Pod& x = node_infos.cluster().pod(a.pod);
  const Pod& y = node_infos.cluster().pod(b.pod);
  if (x.meta.ns != y.meta.ns || x.meta.labels != y.meta.labels) return false;
  // A filter may also read volumes, ports and terms. Few pods have any, so pods that do are not compared.
  const auto plain = [](const Pod& pod) {
    const auto has_ports = [](const Container& c) {
      return std::any_of(c.ports.begin(), c.ports.end(), [](const ContainerPort& port) { return port.host_port != 0; });
    };
    const auto& spec = pod.spec;
    return !spec.has_storage() && std::none_of(spec.containers.begin(), spec.containers.end(), has_ports) &&
           std::none_of(spec.init_containers.begin(), spec.init_containers.end(), has_ports) &&
           spec.affinity.pod.required.empty() && spec.affinity.pod_anti.required.empty() &&
           spec.resource_claims.empty();
  };
  return plain(x) && plain(y) && same_size(node_infos, a, b);
}

auto same_size(const NodeInfoSnapshot& node_infos, const PodInfo& a, const PodInfo& b) -> bool {
  const auto of_a = node_infos.amounts(a);
  const auto of_b = node_infos.amounts(b);
  return std::equal(of_a.begin(), of_a.end(), of_b.begin(), of_b.end(),
                    [](const Amount& m, const Amount& n) { return m.resource == n.resource && m.value == n.value; });
}

auto in_every_order(const NodeInfoSnapshot& node_infos, const VictimRules& rules, const Budgets& budgets,
                    NodeTrial& trial, std::span<const PodInfo> nominated, std::span<const PodInfo* const> potential,
                    std::size_t& steps) -> std::optional<NodeOrders> {
  // Before 1.37, of two pods without a start time each is the more important one, so sorting them can move others.
  const auto unstarted =
      std::count_if(potential.begin(), potential.end(), [](const PodInfo* p) { return !p->has_start; });
  if (unstarted > 1 && !rules.unstarted_as_listed) return {};
  const std::vector<Tied> groups = groups_of(node_infos, potential);
  const auto violating = violating_of(groups, budgets, rules);
  if (!violating) return {};
  OrderSearch search(trial, nominated, steps);
  search.plan(groups, *violating);
  if (!search.walk()) return {};
  NodeOrders out;
  out.runs = search.runs();
  for (const Tied& group : groups) {
    for (const Pods& kind : group) {
      std::vector<PodId>& pods = out.kinds.emplace_back();
      for (const PodInfo* pod : kind) pods.push_back(pod->pod);
    }
  }
  return out;
}

namespace {

auto kind_of(const NodeOrders& orders, PodId pod) -> std::vector<PodId> {
  const auto kind = std::find_if(orders.kinds.begin(), orders.kinds.end(), [&](const std::vector<PodId>& pods) {
    return std::find(pods.begin(), pods.end(), pod) != pods.end();
  });
  return kind == orders.kinds.end() ? std::vector{pod} : *kind;
}

}  // namespace

auto NodeOrders::evicted_in_every_order(PodId pod) const -> bool {
  const std::vector<PodId> kind = kind_of(*this, pod);
  return std::all_of(runs.begin(), runs.end(),
                     [&](const DryRun& run) { return count_evicted(run, kind) == kind.size(); });
}

auto NodeOrders::evicted_in_some_order(PodId pod) const -> bool {
  const std::vector<PodId> kind = kind_of(*this, pod);
  return std::any_of(runs.begin(), runs.end(), [&](const DryRun& run) { return count_evicted(run, kind) > 0; });
}

auto keep_choosable(std::vector<NodeOrders> nodes) -> std::vector<NodeOrders> {
  // The worst run of each node; a run must not be worse than the best of these.
  const DryRun* bar = nullptr;
  for (const NodeOrders& node : nodes) {
    const auto worst = std::max_element(node.runs.begin(), node.runs.end(), better);
    if (worst != node.runs.end() && (bar == nullptr || better(*worst, *bar))) bar = &*worst;
  }
  if (bar == nullptr) return {};
  const DryRun limit = *bar;
  for (NodeOrders& node : nodes) std::erase_if(node.runs, [&](const DryRun& run) { return better(limit, run); });
  std::erase_if(nodes, [](const NodeOrders& node) { return node.runs.empty(); });
  return nodes;
}

// NOLINTEND(misc-no-recursion)
}  // namespace previct::kube
