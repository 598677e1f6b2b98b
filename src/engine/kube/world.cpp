#include "engine/kube/world.h"

#include "base/go.h"
#include "cluster/pod_request.h"

#include <algorithm>

namespace previct::kube {
namespace {

auto starts_with(std::string_view text, std::string_view prefix) -> bool {
  return text.substr(0, prefix.size()) == prefix;
}

/// Resource names that the scheduler keeps. Source: pkg/scheduler/framework Resource.Add.
auto is_counted(std::string_view name) -> bool {
  return name == "cpu" || name == "memory" || name == "ephemeral-storage" || starts_with(name, "hugepages-") ||
         starts_with(name, "attachable-volumes-") || name.find('/') != std::string_view::npos;
}

constexpr std::uint32_t kNoSlot = UINT32_MAX;

auto rule_of_resizes(const Release& release) -> ResizeRule {
  if (!release.has(Change::resize_counts)) return ResizeRule::wanted;
  if (release.has(Change::resize_by_admission)) return ResizeRule::admitted;
  return release.has(Change::resize_by_use) ? ResizeRule::in_use : ResizeRule::largest;
}

auto rules_of_requests(const Release& release) -> RequestRules {
  return {.pod_level = release.has(Change::pod_level_requests),
          .pod_level_hugepages = release.has(Change::pod_level_hugepages),
          .resize = rule_of_resizes(release),
          .pod_level_resize = release.has(Change::pod_level_resize_counts)};
}

// A pod whose requests are not in the tables yet.
auto unplaced(const Snapshot& cluster, PodId pod) -> Placed {
  const Pod& p = cluster.pod(pod);
  return {.pod = pod,
          .priority = p.spec.priority,
          .has_start = p.status.start_time.has_value(),
          .priority_class = p.spec.priority_class_name,
          .start = p.status.start_time.value_or(Instant{})};
}

}  // namespace

World::World(const Snapshot& cluster, const Release& release)
    : cluster_(cluster),
      release_(release),
      strictly_ordered_(cluster.nodes().size()),
      slot_as_placed_(cluster.pods().size(), kNoSlot),
      slot_as_incoming_(cluster.pods().size(), kNoSlot),
      allocatable_(cluster.nodes().size()),
      max_pods_(cluster.nodes().size()),
      restricted_(cluster.nodes().size()) {
  const WellKnown& known = cluster.known();
  for (const Symbol name : {known.cpu, known.memory, known.ephemeral_storage}) counted(name);

  constexpr std::size_t kUsualAmounts = 2;  // cpu and memory
  placed_.reserve(cluster.pods().size());
  amounts_.reserve(cluster.pods().size() * kUsualAmounts);
  amounts_begin_.reserve(cluster.pods().size() + 1);
  begin_.push_back(0);
  for (const NodeId node : nodes()) {
    const NodeSpec& spec = cluster.node(node).spec;
    restricted_[node] = spec.unschedulable || !spec.taints.empty() ? 1 : 0;
    for (const auto& [name, quantity] : cluster.node(node).status.allocatable) {
      if (name == known.pods) {
        max_pods_[node] = quantity.value();
      } else if (const ResourceId id = counted(name)) {
        allocatable_[node].push_back({id, name == known.cpu ? quantity.milli() : quantity.value()});
      }
    }
    for (Placed& placed : ordered(node, cluster.pods_on(node))) {
      take_slot(placed, true);
      placed_.push_back(placed);
      if (!cluster.pod(placed.pod).spec.affinity.pod_anti.required.empty()) repelling_.push_back({node, placed.pod});
    }
    begin_.push_back(static_cast<std::uint32_t>(placed_.size()));
  }
  for (const PodId pod : cluster.pods().ids()) {
    if (cluster.pod(pod).status.nominated_node_name && cluster.pending(pod)) nominees_.push_back(pod);
  }
}

void World::arrange(NodeId node, std::span<const PodId> ids) {
  std::vector<Placed> pods = ordered(node, ids);
  std::erase_if(repelling_, [&](const Repelling& r) { return r.node == node; });
  for (Placed& placed : pods) {
    take_slot(placed, true);
    if (!cluster_.pod(placed.pod).spec.affinity.pod_anti.required.empty()) repelling_.push_back({node, placed.pod});
  }
  const std::uint32_t begin = begin_[node.index];
  const std::uint32_t end = begin_[node.index + 1];
  const auto first = placed_.begin() + begin;
  if (pods.size() > end - begin) {
    placed_.insert(placed_.begin() + end, pods.size() - (end - begin), Placed{});
  } else {
    placed_.erase(first + static_cast<std::ptrdiff_t>(pods.size()), placed_.begin() + end);
  }
  std::copy(pods.begin(), pods.end(), placed_.begin() + begin);
  const auto shift = static_cast<std::uint32_t>(pods.size()) - (end - begin);  // may wrap, and wraps back
  for (std::size_t n = node.index + 1; n < begin_.size(); ++n) begin_[n] += shift;
  for (const auto& column : columns_) {
    if (!column) continue;
    std::int64_t used = 0;
    for (const Placed& placed : pods) used = go::add(used, column->demand[placed.slot]);
    column->used[node] = used;
  }
}

void World::pod_was_added() {
  slot_as_placed_.add(kNoSlot);
  slot_as_incoming_.add(kNoSlot);
}

void World::may_be_nominated(PodId pod) {
  if (std::find(nominees_.begin(), nominees_.end(), pod) == nominees_.end()) nominees_.push_back(pod);
}

auto World::ordered(NodeId node, std::span<const PodId> ids) -> std::vector<Placed> {
  std::vector<Placed> pods;
  pods.reserve(ids.size());
  for (const PodId pod : ids) {
    pods.push_back(unplaced(cluster_, pod));
    pods.back().order = static_cast<std::uint32_t>(pods.size() - 1);
  }
  std::vector<Placed> sorted = pods;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const Placed& a, const Placed& b) { return !interchangeable(a, b) && more_important(a, b); });
  const bool tie = std::adjacent_find(sorted.begin(), sorted.end(), interchangeable) != sorted.end();
  strictly_ordered_[node] = tie ? 0 : 1;
  return tie ? pods : sorted;
}

void World::take_slot(Placed& placed, bool on_node) {
  std::uint32_t& known = (on_node ? slot_as_placed_ : slot_as_incoming_)[placed.pod];
  if (known != kNoSlot) {
    placed.slot = known;
    return;
  }
  known = placed.slot = static_cast<std::uint32_t>(amounts_begin_.size() - 1);
  for (const auto& column : columns_) {
    if (column) column->demand.push_back(0);
  }
  const Pod& pod = cluster_.pod(placed.pod);
  for (const auto& [name, quantity] :
       pod_request(cluster_, pod, on_node ? RequestOf::placed : RequestOf::incoming, rules_of_requests(release_))) {
    const ResourceId id = counted(name);
    if (!id) continue;
    amounts_.push_back({id, name == cluster_.known().cpu ? quantity.milli() : quantity.value()});
    if (columns_[id]) columns_[id]->demand.back() = amounts_.back().value;
  }
  amounts_begin_.push_back(static_cast<std::uint32_t>(amounts_.size()));
}

auto World::incoming(PodId pod) -> Placed {
  Placed placed = unplaced(cluster_, pod);
  take_slot(placed, false);
  for (const Amount& amount : amounts(placed)) make_column(amount.resource);
  return placed;
}

auto World::nominated(PodId pod) -> Placed {
  Placed placed = unplaced(cluster_, pod);
  take_slot(placed, true);
  return placed;
}

void World::make_column(ResourceId resource) {
  if (columns_[resource]) return;
  ResourceColumn column;
  column.demand.resize(amounts_begin_.size() - 1);
  for (std::uint32_t slot = 0; slot < column.demand.size(); ++slot) {
    for (std::uint32_t i = amounts_begin_[slot]; i < amounts_begin_[slot + 1]; ++i) {
      if (amounts_[i].resource == resource) column.demand[slot] = amounts_[i].value;
    }
  }
  column.allocatable = IdVector<NodeId, std::int64_t>(node_count());
  column.used = IdVector<NodeId, std::int64_t>(node_count());
  for (const NodeId node : nodes()) {
    for (const Amount& amount : allocatable_[node]) {
      if (amount.resource == resource) column.allocatable[node] = amount.value;
    }
    for (const Placed& placed : pods_on(node)) {
      column.used[node] = go::add(column.used[node], column.demand[placed.slot]);
    }
  }
  columns_[resource] = std::make_unique<ResourceColumn>(std::move(column));
}

auto World::counted(Symbol name) -> ResourceId {
  const auto [at, is_new] = resource_ids_.try_emplace(name.index);
  if (is_new && is_counted(cluster_.text(name))) {
    at->second = resource_names_.add(name);
    columns_.add(nullptr);
  }
  return at->second;
}

}  // namespace previct::kube
