#include "engine/yunikorn/nodes.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace previct::yunikorn {
namespace {

// Upstream scores nodes in floating point, which determines ties; the order of operations is the same here.

struct Weight {
  TypeId type;
  double weight;
};

auto weights_of(const PartitionContext& core) -> std::vector<Weight> {
  std::vector<Weight> weights;
  for (const auto& [key, value] : core.config().resource_weights) {
    const auto type = core.types().find(key.value);
    double weight = 0;
    std::from_chars(value.value.data(), value.value.data() + value.value.size(), weight);
    if (type) weights.push_back({*type, weight});
  }
  if (!core.config().resource_weights.empty()) return weights;
  weights.push_back({TypeNames::kVcore, 1.0});
  if (const auto memory = core.types().find("memory")) weights.push_back({*memory, 1.0});
  return weights;
}

/// Returns the weighted fraction of the node that is used, 0 to 1.
auto usage(const NodeUsage& room, const Resources& available, const std::vector<Weight>& weights) -> double {
  double used = 0;
  double total = 0;
  for (const auto& [type, weight] : weights) {
    const auto have = room.total.get(type);
    if (!have || weight == 0) continue;
    const double share = 1.0 - static_cast<double>(available.amount(type)) / static_cast<double>(*have);
    if (std::isnan(share)) continue;
    used += share * weight;
    total += weight;
  }
  return total == 0 ? 0 : used / total;
}

/// Returns how much of the available resources the ask would leave idle: the node with the least is reserved.
auto idle_score(const Resources& ask, const Resources& available) -> double {
  double score = 0;
  for (const auto& [type, have] : available) {
    if (have <= 0) continue;
    const std::int64_t wanted = ask.amount(type);
    if (wanted <= 0) {
      score += 1;
    } else if (have > wanted) {
      score += static_cast<double>(have - wanted) / static_cast<double>(have);
    }
  }
  return score;
}

struct Scored {
  NodeId node;
  double score;
  Resources available;
};

/// Returns the schedulable nodes that could ever hold the pod, in the scheduler's order: the node reserved for it comes
/// first.
/// Source: application.go tryReservedAllocate, tryNodesNoReserve.
auto sorted_nodes(const PartitionContext& core, const Allocation& ask) -> std::vector<Scored> {
  const Snapshot& cluster = core.cluster();
  const std::vector<Weight> weights = weights_of(core);
  const bool packing = core.config().node_sort_policy.value == "binpacking";
  std::vector<Scored> nodes;
  for (const NodeId node : cluster.nodes().ids()) {
    if (cluster.node(node).spec.unschedulable || !fits(core.total(node), ask.size)) continue;
    if (core.kept_from(node, ask.pod)) continue;
    const NodeUsage room = core.room(node);
    Resources available = room.available();
    // After a restart, pods of YuniKorn come to the nodes after foreign ones.
    const bool is_sorted_again = !core.keys().release.has(Change::foreign_pods_do_not_sort) || !room.allocated.empty();
    const double used = usage(room, is_sorted_again ? available : room.total, weights);
    nodes.push_back({node, packing ? 1.0 - used : used, std::move(available)});
  }
  std::sort(nodes.begin(), nodes.end(), [&](const Scored& a, const Scored& b) {
    if (a.score != b.score) return a.score < b.score;
    return cluster.name(a.node) < cluster.name(b.node);
  });
  std::stable_partition(nodes.begin(), nodes.end(), [&](const Scored& n) { return core.kept_for(n.node, ask.pod); });
  return nodes;
}

}  // namespace

auto search_nodes(const PartitionContext& core, const Allocation& ask, Predicates& predicates) -> NodeSearch {
  NodeSearch result;
  const OverMax over_max = core.over_max(ask);
  double least = std::numeric_limits<double>::infinity();
  for (const Scored& node : sorted_nodes(core, ask)) {
    if (fits(node.available, ask.size)) {
      const Predicates::Refusal refusal = predicates.allocation(node.node);
      if (refusal) {
        result.unsuited.emplace_back(node.node, *refusal);
      } else if (over_max) {
        result.over_max = over_max;
      } else {
        result.fits = node.node;
        return result;
      }
    }
    const double score = idle_score(ask.size, node.available);
    if (score < least) {
      least = score;
      result.to_reserve = node.node;
    }
  }
  if (result.to_reserve) result.not_reserved = predicates.reservation(result.to_reserve);
  return result;
}

auto first_that_fits(const PartitionContext& core, const Allocation& ask, Predicates& predicates) -> NodeId {
  for (const Scored& node : sorted_nodes(core, ask)) {
    if (fits(node.available, ask.size) && !predicates.allocation(node.node)) return node.node;
  }
  return {};
}

}  // namespace previct::yunikorn
