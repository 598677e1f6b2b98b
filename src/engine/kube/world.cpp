#include "engine/kube/world.h"

#include <algorithm>
#include <numeric>

#include "base/go.h"
#include "cluster/pod_request.h"

namespace previct::kube {
namespace {

auto starts_with(std::string_view text, std::string_view prefix) -> bool {
  return text.substr(0, prefix.size()) == prefix;
}

/// Resource names that the scheduler keeps. Source: pkg/scheduler/framework Resource.Add.
auto is_counted(std::string_view name) -> bool {
  return name == "cpu" || name == "memory" || name == "ephemeral-storage" ||
         starts_with(name, "hugepages-") || starts_with(name, "attachable-volumes-") ||
         name.find('/') != std::string_view::npos;
}

auto value_of(const std::vector<Amount>& amounts, ResourceId resource) -> std::int64_t {
  for (const Amount& amount : amounts) {
    if (amount.resource == resource) return amount.value;
  }
  return 0;
}

void add_to(std::vector<Amount>& amounts, const Amount& more) {
  for (Amount& amount : amounts) {
    if (amount.resource == more.resource) {
      amount.value = go::add(amount.value, more.value);
      return;
    }
  }
  amounts.push_back(more);
}

}  // namespace

World::World(const Snapshot& cluster)
    : cluster_(cluster),
      strictly_ordered_(cluster.nodes().size()),
      allocatable_(cluster.nodes().size()),
      used_(cluster.nodes().size()),
      max_pods_(cluster.nodes().size()) {
  const WellKnown& known = cluster.known();
  for (const Symbol name : {known.cpu, known.memory, known.ephemeral_storage}) counted(name);

  begin_.push_back(0);
  for (const NodeId node : nodes()) {
    for (const auto& [name, quantity] : cluster.node(node).status.allocatable) {
      if (name == known.pods) {
        max_pods_[node] = quantity.value();
      } else if (const ResourceId id = counted(name)) {
        allocatable_[node].push_back({id, name == known.cpu ? quantity.milli() : quantity.value()});
      }
    }
    for (const PodId pod : cluster.pods_on(node)) {
      placed_.push_back(placed(pod, true));
      for (const Amount& amount : amounts(placed_.back())) add_to(used_[node], amount);
      if (!cluster.pod(pod).spec.affinity.pod_anti.required.empty()) repelling_.push_back({node, pod});
    }
    begin_.push_back(static_cast<std::uint32_t>(placed_.size()));
  }
  for (const PodId pod : cluster.pods().ids()) {
    if (cluster.pod(pod).status.nominated_node_name && cluster.pending(pod)) nominees_.push_back(pod);
  }
  by_importance_.resize(placed_.size());
  for (const NodeId node : nodes()) order_by_importance(node);
}

auto World::placed(PodId pod, bool on_node) -> Placed {
  const Pod& p = cluster_.pod(pod);
  Placed result;
  result.pod = pod;
  result.priority = p.spec.priority;
  result.has_start = p.status.start_time.has_value();
  if (result.has_start) result.start = *p.status.start_time;
  result.amounts_begin = static_cast<std::uint32_t>(amounts_.size());
  for (const auto& [name, quantity] :
       pod_request(cluster_, p, on_node ? RequestOf::placed : RequestOf::incoming)) {
    if (const ResourceId id = counted(name)) {
      amounts_.push_back({id, name == cluster_.known().cpu ? quantity.milli() : quantity.value()});
    }
  }
  result.amounts_end = static_cast<std::uint32_t>(amounts_.size());
  return result;
}

auto World::incoming(PodId pod) -> Placed { return placed(pod, false); }

auto World::nominated(PodId pod) -> Placed { return placed(pod, true); }

auto World::counted(Symbol name) -> ResourceId {
  const auto [at, is_new] = resource_ids_.try_emplace(name.index);
  if (is_new && is_counted(cluster_.text(name))) at->second = resource_names_.add(name);
  return at->second;
}

auto World::allocatable(NodeId node, ResourceId resource) const -> std::int64_t {
  return value_of(allocatable_[node], resource);
}

auto World::used(NodeId node, ResourceId resource) const -> std::int64_t {
  return value_of(used_[node], resource);
}

void World::order_by_importance(NodeId node) {
  const std::span<const Placed> pods = pods_on(node);
  const auto order = std::span(by_importance_).subspan(first_on(node), pods.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto before = [&](std::uint32_t a, std::uint32_t b) {
    if (interchangeable(pods[a], pods[b])) return a < b;
    return more_important(pods[a], pods[b]);
  };
  std::sort(order.begin(), order.end(), before);
  bool tie = false;
  for (std::size_t i = 1; i < order.size(); ++i) {
    tie = tie || interchangeable(pods[order[i - 1]], pods[order[i]]);
  }
  strictly_ordered_[node] = tie ? 0 : 1;
}

}  // namespace previct::kube
