#include "engine/kube/disruption.h"

#include <algorithm>
#include <unordered_map>

#include "cluster/matching.h"

namespace previct::kube {

Budgets::Budgets(const World& world) {
  const Objects& objects = world.cluster().objects();
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> by_namespace;
  for (std::uint32_t i = 0; i < objects.disruption_budgets.size(); ++i) {
    const PodDisruptionBudget& budget = objects.disruption_budgets[i];
    allowed_.push_back(budget.status.disruptions_allowed);
    if (budget.spec.selector && !budget.spec.selector->empty()) by_namespace[budget.meta.ns.index].push_back(i);
  }
  if (by_namespace.empty()) return;

  begin_.push_back(0);
  for (const Placed& placed : world.all()) {
    const ObjectMeta& meta = world.cluster().pod(placed.pod).meta;
    const auto found = by_namespace.find(meta.ns.index);
    if (found != by_namespace.end() && !meta.labels.empty()) {
      for (const std::uint32_t i : found->second) {
        const PodDisruptionBudget& budget = objects.disruption_budgets[i];
        const auto& granted = budget.status.disrupted_pods;
        if (matches(*budget.spec.selector, meta.labels, objects.symbols) &&
            std::find(granted.begin(), granted.end(), meta.name) == granted.end()) {
          members_.push_back(i);
        }
      }
    }
    begin_.push_back(static_cast<std::uint32_t>(members_.size()));
  }
}

}  // namespace previct::kube
