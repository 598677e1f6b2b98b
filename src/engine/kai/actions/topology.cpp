#include "engine/kai/actions/topology.h"

#include <algorithm>
#include <cmath>

namespace previct::kai {
// NOLINTBEGIN(misc-no-recursion): as deep as a Topology has levels (kMostLevels)
namespace {

constexpr double kNotThere = 1000;  // the ratio of a resource of which nothing is free in the domain
constexpr double kPoints = 100'000;
constexpr std::int64_t kNotCounted = -1;

}  // namespace

struct TopologyPlugin::State {
  TopologyTree& tree;
  std::vector<char> given;      // by node: in the tree and among the given nodes
  std::vector<double> wanted;   // sum over all tasks
  std::vector<double> largest;  // maximum over the tasks, by dimension
  std::int64_t tasks = 0;
  std::vector<double> free;        // by domain and dimension
  std::vector<std::int64_t> pods;  // by domain
  std::uint32_t start = 0;
  bool alike = true;  // GPUs and each further resource are requested by all tasks or by none
};

TopologyPlugin::TopologyPlugin(const Session& session)
    : session_(session), cluster_info_(session.cluster_info()), trees_(topology_trees(session.cluster_info())) {}

auto TopologyPlugin::state_of(TopologyTree& tree, const std::vector<CopyId>& tasks,
                              std::span<const ShardNodeId> shard_nodes) const -> State {
  const std::size_t dims = cluster_info_.dims();
  State state{tree,
              std::vector<char>(cluster_info_.shard_nodes().size(), 0),
              std::vector<double>(dims, 0),
              std::vector<double>(dims, 0),
              static_cast<std::int64_t>(tasks.size()),
              std::vector<double>(tree.domains.size() * dims, 0),
              std::vector<std::int64_t>(tree.domains.size(), kNotCounted)};
  for (const ShardNodeId shard_node : tree.domains[0].shard_nodes) state.given[shard_node.index] = 1;
  std::vector<char> in_list(cluster_info_.shard_nodes().size(), 0);
  for (const ShardNodeId shard_node : shard_nodes) in_list[shard_node.index] = 1;
  for (std::size_t i = 0; i < in_list.size(); ++i) state.given[i] = state.given[i] != 0 && in_list[i] != 0 ? 1 : 0;

  // Pods are counted only if GPUs, and each further resource, are requested by all tasks or by none.
  std::vector<std::int64_t> askers(dims, 0);
  for (const CopyId id : tasks) {
    const TaskId task = session_.copy(id).task;
    const double* request = cluster_info_.request(task);
    for (std::size_t i = 0; i < dims; ++i) {
      state.wanted[i] += request[i];
      state.largest[i] = std::max(state.largest[i], request[i]);
      askers[i] += request[i] > 0 && i != kGpu ? 1 : 0;
    }
    askers[kGpu] += cluster_info_.gpu(task).gpus() > 0 ? 1 : 0;
  }
  for (std::size_t i = kGpu; i < dims; ++i) state.alike = state.alike && (askers[i] == 0 || askers[i] == state.tasks);
  return state;
}

auto TopologyPlugin::candidates(const TopologyTerm& term, std::string_view name, const std::vector<CopyId>& tasks,
                                const std::vector<const SetView*>& sets, std::span<const ShardNodeId> shard_nodes)
    -> std::vector<std::vector<ShardNodeId>> {
  std::vector<std::vector<ShardNodeId>> as_given{{shard_nodes.begin(), shard_nodes.end()}};
  if (!cluster_info_.settings().plugins.topology || term.topology.empty()) return as_given;
  // If several have the same name, the last one counts.
  const auto tree =
      std::find_if(trees_.rbegin(), trees_.rend(), [&](const auto& t) { return t.name == term.topology; });
  if (tree == trees_.rend()) return {};
  if (tasks.empty()) return as_given;

  State state = state_of(*tree, tasks, shard_nodes);
  const std::int64_t start = start_of(state, term);
  if (start < 0) return {};
  state.start = static_cast<std::uint32_t>(start);
  sum_free(state, state.start);
  if (state.alike) (void)count_pods(state, state.start);
  if (!fits(state, state.start)) return {};

  const std::int32_t required = state.tree.level_of(term.required);
  const std::int32_t preferred = state.tree.level_of(term.preferred);
  if (!term.required.empty() || !term.preferred.empty()) {
    sort_below(state, state.start, term.preferred.empty() ? required : preferred);
  }
  if (!term.preferred.empty()) score(state, name, preferred);

  std::vector<char> usable(state.tree.domains.size(), 1);
  const bool runs = std::any_of(sets.begin(), sets.end(), [](const SetView* set) { return set->allocated > 0; });
  if (runs && !term.required.empty()) keep_to_running(state, sets, required, usable);
  return lists_of(state, levels_to_try(state, term), usable);
}

// Returns the lists of the deepest level first; within a level, in the order of the tree walk.
auto TopologyPlugin::lists_of(const State& state, const std::vector<std::int32_t>& levels,
                              const std::vector<char>& usable) const -> std::vector<std::vector<ShardNodeId>> {
  std::vector<std::vector<std::uint32_t>> by_level{{0}};
  while (!by_level.back().empty()) {
    std::vector<std::uint32_t> below;
    for (const std::uint32_t domain : by_level.back()) {
      const auto& children = state.tree.domains[domain].children;
      below.insert(below.end(), children.begin(), children.end());
    }
    by_level.push_back(std::move(below));
  }
  std::vector<std::vector<ShardNodeId>> lists;
  for (auto level = by_level.rbegin(); level != by_level.rend(); ++level) {
    for (const std::uint32_t domain : *level) {
      const TopologyTree::Domain& of = state.tree.domains[domain];
      if (std::find(levels.begin(), levels.end(), of.level) == levels.end()) continue;
      if (usable[domain] == 0 || !fits(state, domain)) continue;
      std::vector<ShardNodeId>& list = lists.emplace_back();
      for (const ShardNodeId shard_node : of.shard_nodes) {
        if (state.given[shard_node.index] != 0) list.push_back(shard_node);
      }
    }
  }
  return lists;
}

// Returns the deepest domain that all given nodes have in common, but not one below the preferred level.
auto TopologyPlugin::start_of(const State& state, const TopologyTerm& term) const -> std::int64_t {
  const Snapshot& cluster = cluster_info_.cluster();
  std::string id;
  std::int32_t level = TopologyTree::kRoot;
  for (std::size_t i = 0; i < state.tree.levels.size(); ++i) {
    const Symbol key = cluster.symbol(state.tree.levels[i]);
    std::optional<std::string_view> value;
    bool same = true;
    for (const ShardNodeId shard_node : cluster_info_.shard_nodes().ids()) {
      if (state.given[shard_node.index] == 0) continue;
      const std::string_view here =
          cluster.text(cluster.node(cluster_info_.shard_nodes()[shard_node].node).meta.labels.get(key));
      same = same && value.value_or(here) == here;
      value = here;
    }
    if (!same || value.value_or("").empty()) break;
    id += (i == 0 ? "" : ".") + std::string(*value);
    level = static_cast<std::int32_t>(i);
    if (state.tree.levels[i] == term.preferred) break;
  }
  return level == TopologyTree::kRoot ? 0 : state.tree.find(level, id);
}

void TopologyPlugin::sum_free(State& state, std::uint32_t domain) const {
  const std::size_t dims = cluster_info_.dims();
  const TopologyTree::Domain& of = state.tree.domains[domain];
  for (const std::uint32_t child : of.children) {
    sum_free(state, child);
    for (std::size_t i = 0; i < dims; ++i) state.free[domain * dims + i] += state.free[child * dims + i];
  }
  if (!of.children.empty()) return;
  for (const ShardNodeId shard_node : of.shard_nodes) {
    for (std::size_t i = 0; i < dims; ++i) {
      state.free[domain * dims + i] += session_.idle(shard_node)[i];
      state.free[domain * dims + i] += session_.releasing(shard_node)[i];
    }
  }
}

auto TopologyPlugin::count_pods(State& state, std::uint32_t domain) const -> std::int64_t {
  const TopologyTree::Domain& of = state.tree.domains[domain];
  std::int64_t pods = 0;
  for (const std::uint32_t child : of.children) pods += count_pods(state, child);
  if (of.children.empty()) {
    for (const ShardNodeId shard_node : of.shard_nodes) pods += pods_in(state, shard_node);
  }
  state.pods[domain] = pods;
  return pods;
}

auto TopologyPlugin::pods_in(const State& state, ShardNodeId shard_node) const -> std::int64_t {
  const std::vector<double>& largest = state.largest;
  bool slot_only = true;
  for (std::size_t i = 0; i < largest.size(); ++i) slot_only = slot_only && largest[i] <= (i == kPods ? 1 : 0);
  if (slot_only) return state.tasks;
  double parts = 0;
  if (largest[kGpu] > 0 && largest[kGpu] < 1) {
    const std::int64_t each = cluster_info_.shard_nodes()[shard_node].gpu.memory;
    for (const SharedGpus::Gpu& gpu : session_.shared_gpus(shard_node).gpus()) {
      const std::int64_t left = each - gpu.allocated + gpu.releasing;
      if (each > 0 && gpu.used > 0 && left > 0) parts += static_cast<double>(left) / static_cast<double>(each);
    }
  }
  const auto free = [&](std::size_t i) { return session_.free_later(shard_node, i) + (i == kGpu ? parts : 0); };
  double pods = INFINITY;
  for (std::size_t i = 0; i < largest.size(); ++i) {
    if (largest[i] > free(i)) return 0;
    if (largest[i] > 0) pods = std::min(pods, std::trunc(free(i) / largest[i]));
  }
  return std::isinf(pods) ? state.tasks : static_cast<std::int64_t>(pods);
}

// Returns the largest ratio, over the resources, of what the tasks request to what is free in the domain.
auto TopologyPlugin::ratio(const State& state, std::uint32_t domain) const -> double {
  double largest = 0;
  for (std::size_t i = 0; i < state.wanted.size(); ++i) {
    if (state.wanted[i] <= 0 || i == kPods) continue;
    const double free = state.free[domain * state.wanted.size() + i];
    largest = std::max(largest, free <= 0 ? kNotThere : state.wanted[i] / free);
  }
  return largest;
}

auto TopologyPlugin::fits(const State& state, std::uint32_t domain) const -> bool {
  return state.pods[domain] != kNotCounted ? state.pods[domain] >= state.tasks : ratio(state, domain) <= 1;
}

// Sorts the fullest domains first.
void TopologyPlugin::sort_below(const State& state, std::uint32_t domain, std::int32_t deepest) {
  auto& children = state.tree.domains[domain].children;
  std::vector<std::pair<double, std::uint32_t>> keyed;
  for (const std::uint32_t child : children) keyed.emplace_back(ratio(state, child), child);
  std::stable_sort(keyed.begin(), keyed.end(), [&](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : state.tree.domains[a.second].id < state.tree.domains[b.second].id;
  });
  for (std::size_t i = 0; i < keyed.size(); ++i) children[i] = keyed[i].second;
  if (state.tree.domains[domain].level == deepest) return;
  for (const auto& [part, child] : keyed) sort_below(state, child, deepest);
}

// Sets the scores by domain of the preferred level: the later in that order, the higher.
void TopologyPlugin::score(const State& state, std::string_view name, std::int32_t level) {
  constexpr double kSteps = 10;
  std::vector<std::uint32_t> domains;
  std::vector<std::uint32_t> open{state.start};
  while (!open.empty()) {
    const std::uint32_t at = open.back();
    open.pop_back();
    if (state.tree.domains[at].level == level) {
      domains.push_back(at);
      continue;
    }
    const auto& children = state.tree.domains[at].children;
    open.insert(open.end(), children.rbegin(), children.rend());
  }
  std::vector<double>& points = scores_[name];
  points.assign(cluster_info_.shard_nodes().size(), -1);
  for (std::size_t i = 0; i < domains.size(); ++i) {
    const double part = static_cast<double>(i + 1) / static_cast<double>(domains.size());
    for (const ShardNodeId shard_node : state.tree.domains[domains[i]].shard_nodes)
      points[shard_node.index] = std::floor(part * kSteps) * kPoints;
  }
}

// Returns the levels from the preferred (or else the required) one up to the required one, or to the root; none if the
// levels do not belong to the topology, or if the preferred level is wider than the required one.
auto TopologyPlugin::levels_to_try(const State& state, const TopologyTerm& term) const -> std::vector<std::int32_t> {
  std::vector<std::int32_t> levels;
  bool found_preferred = false;
  bool found_required = false;
  for (auto level = static_cast<std::int32_t>(state.tree.levels.size()) - 1; level >= TopologyTree::kRoot; --level) {
    const std::string_view label =
        level == TopologyTree::kRoot ? "root" : state.tree.levels[static_cast<std::size_t>(level)];
    found_preferred = found_preferred || label == term.preferred;
    found_required = found_required || label == term.required;
    if (found_preferred || found_required) levels.push_back(level);
    if (found_required) break;
  }
  const bool complete = (term.required.empty() || found_required) && (term.preferred.empty() || found_preferred);
  return complete ? levels : std::vector<std::int32_t>();
}

// Keeps only domains of the required level, with everything below them, in which pods of the group already run.
void TopologyPlugin::keep_to_running(const State& state, const std::vector<const SetView*>& sets, std::int32_t required,
                                     std::vector<char>& usable) const {
  std::vector<char> here(cluster_info_.shard_nodes().size(), 0);
  for (const SetView* set : sets) {
    for (std::size_t i = 0; i < set->count; ++i) {
      const Copy& copy = session_.copy(set->tasks[i]);
      if (kActiveAllocated.has(copy.status) && copy.shard_node) here[copy.shard_node.index] = 1;
    }
  }
  std::fill(usable.begin(), usable.end(), char{0});
  for (std::uint32_t domain = 0; domain < state.tree.domains.size(); ++domain) {
    const TopologyTree::Domain& of = state.tree.domains[domain];
    const bool runs = std::any_of(of.shard_nodes.begin(), of.shard_nodes.end(),
                                  [&](ShardNodeId shard_node) { return here[shard_node.index] != 0; });
    if (of.level == required && runs) usable[domain] = 1;
    if (usable[domain] == 0) continue;
    for (const std::uint32_t child : of.children) usable[child] = 1;
  }
}

auto TopologyPlugin::scores_for(const GroupView& view, std::uint32_t set) const -> const std::vector<double>* {
  if (scores_.empty()) return nullptr;
  const auto own = scores_.find(view.sets[set].name);
  if (own != scores_.end()) return &own->second;
  if (view.tree == nullptr) return nullptr;
  std::uint32_t below = set;
  bool is_set = true;
  for (std::size_t i = view.tree->inners.size(); i-- > 0;) {  // children come after their parents
    const SubGroupTree::Inner& inner = view.tree->inners[i];
    const auto& members = is_set ? inner.sets : inner.inners;
    if (std::find(members.begin(), members.end(), below) == members.end()) continue;
    const auto known = scores_.find(inner.name);
    if (known != scores_.end()) return &known->second;
    below = static_cast<std::uint32_t>(i);
    is_set = false;
  }
  return nullptr;
}

// NOLINTEND(misc-no-recursion)
}  // namespace previct::kai
