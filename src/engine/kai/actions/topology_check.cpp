#include "engine/kai/actions/topology_check.h"

#include <algorithm>
#include <map>

namespace previct::kai {

TopologyCheck::TopologyCheck(const Session& session, const GroupView& view) : session_(session) {
  if (view.tree == nullptr) return;
  const auto& inners = view.tree->inners;
  std::vector<double> below(inners.size(), 0);
  for (std::size_t i = inners.size(); i-- > 0;) {  // children come after their parents
    for (const std::uint32_t child : inners[i].inners) below[i] += below[child];
    for (const std::uint32_t set : inners[i].sets) {
      for (std::size_t t = 0; t < view.sets[set].count; ++t) {
        below[i] += session.cluster_info().gpu(session.copy(view.sets[set].tasks[t]).task).quota();
      }
    }
    if (inners[i].topology.given && !inners[i].topology.required.empty()) {
      level_of(inners[i].topology).needs.push_back(below[i]);
    }
  }
  for (Level& level : levels_) std::sort(level.needs.begin(), level.needs.end(), std::greater<>());
  if (!levels_.empty()) freed_.assign(session.cluster_info().tasks().size(), 0);
}

auto TopologyCheck::level_of(const TopologyTerm& term) -> Level& {
  const auto known = std::find_if(levels_.begin(), levels_.end(), [&](const Level& level) {
    return level.topology == term.topology && level.label == term.required;
  });
  if (known != levels_.end()) return *known;
  const ClusterInfo& cluster_info = session_.cluster_info();
  const Snapshot& cluster = cluster_info.cluster();
  Level& level = levels_.emplace_back(Level{term.topology, term.required, {}, {}, {}, {}});
  level.domain_of.assign(cluster_info.shard_nodes().size(), -1);
  const Symbol key = cluster.symbol(term.required);
  std::map<std::string_view, std::uint32_t> domains;
  for (const ShardNodeId shard_node : cluster_info.shard_nodes().ids()) {
    const Symbol symbol =
        key ? cluster.node(cluster_info.shard_nodes()[shard_node].node).meta.labels.get(key) : Symbol{};
    const std::string_view value = symbol ? cluster.text(symbol) : std::string_view();
    if (value.empty()) continue;
    const auto [at, is_new] = domains.try_emplace(value, static_cast<std::uint32_t>(level.capacity.size()));
    if (is_new) {
      level.freest.push_back(at->second);
      level.capacity.push_back(0);
    }
    level.capacity[at->second] += session_.free_gpus(shard_node).sum();
    level.domain_of[shard_node.index] = static_cast<std::int32_t>(at->second);
  }
  std::stable_sort(level.freest.begin(), level.freest.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return level.capacity[a] > level.capacity[b]; });
  return level;
}

void TopologyCheck::free(TaskId task, ShardNodeId shard_node) {
  if (levels_.empty() || !shard_node || freed_[task.index] != 0) return;
  freed_[task.index] = 1;
  for (Level& level : levels_) {
    const std::int32_t domain = level.domain_of[shard_node.index];
    if (domain < 0) continue;
    double& capacity = level.capacity[static_cast<std::size_t>(domain)];
    capacity += session_.cluster_info().quota_on(task, shard_node);
    auto at = std::find(level.freest.begin(), level.freest.end(), static_cast<std::uint32_t>(domain));
    for (; at != level.freest.begin() && level.capacity[*std::prev(at)] < capacity; --at) {
      std::iter_swap(at, std::prev(at));
    }
  }
}

auto TopologyCheck::passes() -> bool {
  return std::all_of(levels_.begin(), levels_.end(), fits);
}

auto TopologyCheck::fits(const Level& level) -> bool {
  std::vector<double> taken(level.capacity.size(), 0);
  for (const double need : level.needs) {
    if (need == 0) return true;
    bool found = false;
    for (const std::uint32_t domain : level.freest) {
      if (level.capacity[domain] < need) break;
      if (level.capacity[domain] - taken[domain] < need) continue;
      taken[domain] += need;
      found = true;
      break;
    }
    if (!found) return false;
  }
  return true;
}

}  // namespace previct::kai
