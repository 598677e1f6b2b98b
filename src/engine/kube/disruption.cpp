#include "engine/kube/disruption.h"

#include "cluster/label_syntax.h"
#include "cluster/matching.h"

#include <algorithm>
#include <unordered_map>

namespace previct::kube {

namespace {

// The budgets of a namespace by a label that their selector requires; budgets that require no label are checked for
// every pod.
struct InNamespace {
  std::vector<std::uint32_t> any;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> by_label;

  static auto label(const SymbolMap::Entry& entry) -> std::uint64_t {
    return std::uint64_t{entry.first.index} << 32 | entry.second.index;
  }
};

// Returns true if the selector can match a pod: an empty or invalid selector matches none.
// Source: kubernetes: pkg/scheduler/framework/plugins/defaultpreemption/default_preemption.go
// filterPodsWithPDBViolation, v1.35.4.
auto selects_some(const PodDisruptionBudget& budget, const Objects& objects) -> bool {
  const auto& selector = budget.spec.selector;
  return selector && !selector->empty() && fault_of(*selector, objects.symbols).empty();
}

// Requires selects_some(budget).
auto applies_to(const PodDisruptionBudget& budget, const ObjectMeta& pod, const Objects& objects) -> bool {
  const auto& granted = budget.status.disrupted_pods;
  return matches(*budget.spec.selector, pod.labels, objects.symbols) &&
         std::find(granted.begin(), granted.end(), pod.name) == granted.end();
}

}  // namespace

Budgets::Budgets(const NodeInfoSnapshot& node_infos) {
  const Objects& objects = node_infos.cluster().objects();
  std::unordered_map<std::uint32_t, InNamespace> namespaces;
  for (std::uint32_t i = 0; i < objects.disruption_budgets.size(); ++i) {
    const PodDisruptionBudget& budget = objects.disruption_budgets[i];
    allowed_.push_back(budget.status.disruptions_allowed);
    if (!selects_some(budget, objects)) continue;
    InNamespace& in = namespaces[budget.meta.ns.index];
    const SymbolMap& demanded = budget.spec.selector->match_labels;
    (demanded.empty() ? in.any : in.by_label[InNamespace::label(*demanded.begin())]).push_back(i);
  }
  if (namespaces.empty()) return;

  begin_.push_back(0);
  for (const Pod& pod : node_infos.cluster().pods()) {
    const ObjectMeta& meta = pod.meta;
    const std::size_t first = members_.size();
    const auto ask = [&](const std::vector<std::uint32_t>& candidates) {
      for (const std::uint32_t i : candidates) {
        if (applies_to(objects.disruption_budgets[i], meta, objects)) members_.push_back(i);
      }
    };
    const auto found = namespaces.find(meta.ns.index);
    if (found != namespaces.end() && !meta.labels.empty()) {
      ask(found->second.any);
      for (const SymbolMap::Entry& label : meta.labels) {
        const auto at = found->second.by_label.find(InNamespace::label(label));
        if (at != found->second.by_label.end()) ask(at->second);
      }
    }
    std::sort(members_.begin() + static_cast<std::ptrdiff_t>(first), members_.end());
    begin_.push_back(static_cast<std::uint32_t>(members_.size()));
  }
}

void Budgets::pod_was_added(const NodeInfoSnapshot& node_infos) {
  if (begin_.empty()) return;
  const Objects& objects = node_infos.cluster().objects();
  const ObjectMeta& meta = objects.pods.items().back().meta;
  for (std::uint32_t i = 0; i < objects.disruption_budgets.size() && !meta.labels.empty(); ++i) {
    const PodDisruptionBudget& budget = objects.disruption_budgets[i];
    if (budget.meta.ns != meta.ns || !selects_some(budget, objects)) continue;
    if (applies_to(budget, meta, objects)) members_.push_back(i);
  }
  begin_.push_back(static_cast<std::uint32_t>(members_.size()));
}

}  // namespace previct::kube
