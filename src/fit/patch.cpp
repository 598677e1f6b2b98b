#include "fit/patch.h"

#include "cluster/matching.h"

#include <algorithm>

namespace previct::fit {
namespace {

void drop_condition(Pod& pod, Symbol type) {
  erase_if(pod.status.conditions, [&](const Condition& c) { return c.type == type; });
}

}  // namespace

Patch::Patch(Objects& objects) : objects_(objects), pods_(objects.pods.size()), nodes_(objects.nodes.size()) {}

Patch::~Patch() {
  objects_.pods.items().resize(pods_);
  objects_.nodes.items().resize(nodes_);
  for (auto& [index, pod] : pods_before_) objects_.pods.items()[index] = std::move(pod);
  for (auto& [index, node] : nodes_before_) objects_.nodes.items()[index] = std::move(node);
  for (auto& [index, budget] : budgets_before_) objects_.disruption_budgets[index] = std::move(budget);
}

auto Patch::pod(PodId id) -> Pod& {
  Pod& pod = objects_.pods[id];
  if (id.index < pods_) pods_before_.try_emplace(id.index, pod);
  return pod;
}

auto Patch::node(NodeId id) -> Node& {
  Node& node = objects_.nodes[id];
  if (id.index < nodes_) nodes_before_.try_emplace(id.index, node);
  return node;
}

auto Patch::budget(std::size_t index) -> PodDisruptionBudget& {
  PodDisruptionBudget& budget = objects_.disruption_budgets[index];
  budgets_before_.try_emplace(index, budget);
  return budget;
}

void Patch::bind(PodId id, Symbol node, Instant at) {
  Symbols& symbols = objects_.symbols;
  const Symbol type = symbols.intern("PodScheduled");
  Pod& changed = pod(id);
  changed.spec.node_name = node;
  changed.status.nominated_node_name = {};
  changed.status.phase = symbols.intern("Running");
  changed.status.start_time = at;
  drop_condition(changed, type);
  changed.status.conditions.push_back(
      {.type = type, .status = symbols.intern("True"), .reason = {}, .last_transition = at});
}

void Patch::release(PodId id) {
  Pod& changed = pod(id);
  changed.spec.node_name = {};
  changed.status = {};
  changed.status.phase = objects_.symbols.intern("Pending");
}

void Patch::remove(PodId id) {
  pod(id).status.phase = objects_.symbols.intern("Failed");  // finished pods are invisible to schedulers
}

void Patch::evict(PodId id) {
  const Pod& gone = objects_.pods[id];
  for (std::size_t i = 0; i < objects_.disruption_budgets.size(); ++i) {
    const PodDisruptionBudget& each = objects_.disruption_budgets[i];
    if (each.meta.ns != gone.meta.ns || !matches(each.spec.selector, gone.meta.labels, objects_.symbols)) continue;
    std::int32_t& allowed = budget(i).status.disruptions_allowed;
    allowed = std::max(0, allowed - 1);
  }
  remove(id);
}

}  // namespace previct::fit
