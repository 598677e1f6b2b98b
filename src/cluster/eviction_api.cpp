#include "cluster/eviction_api.h"

#include "cluster/label_syntax.h"
#include "cluster/matching.h"
#include "cluster/unknown_budget.h"

#include <vector>

namespace previct {
namespace {

constexpr std::string_view kAlwaysAllow = "AlwaysAllow";

// Unlike for preemption, an empty selector selects every pod.
auto selects(const PodDisruptionBudget& budget, const Pod& pod, const Symbols& symbols) -> bool {
  const auto& selector = budget.spec.selector;
  return budget.meta.ns == pod.meta.ns && selector && fault_of(*selector, symbols).empty() &&
         (selector->empty() || matches(*selector, pod.meta.labels, symbols));
}

auto budgets_of(const Snapshot& cluster, const Pod& pod) -> std::vector<const PodDisruptionBudget*> {
  std::vector<const PodDisruptionBudget*> budgets;
  for (const PodDisruptionBudget& each : cluster.objects().disruption_budgets) {
    if (selects(each, pod, cluster.symbols())) budgets.push_back(&each);
  }
  return budgets;
}

// A pod that is not ready does not count as healthy. It may be evicted if the budget says so, or has enough healthy
// pods.
auto allows_unhealthy(const PodDisruptionBudget& budget, const Symbols& symbols) -> bool {
  if (symbols.text(budget.spec.unhealthy_pod_eviction_policy) == kAlwaysAllow) return true;
  const PodDisruptionBudgetStatus& status = budget.status;
  return status.current_healthy && status.desired_healthy && *status.current_healthy >= *status.desired_healthy &&
         *status.desired_healthy > 0;
}

}  // namespace

auto refusal_to_evict(const Snapshot& cluster, PodId id) -> std::optional<EvictionRefusal> {
  const Pod& pod = cluster.pod(id);
  if (cluster.finished(id) || pod.meta.deleting || cluster.text(pod.status.phase) == "Pending") return {};
  const std::vector<const PodDisruptionBudget*> budgets = budgets_of(cluster, pod);
  if (budgets.empty()) return {};
  const PodDisruptionBudget& budget = *budgets.front();
  const bool healthy = counts_as_healthy(pod, cluster.symbols());
  using Why = EvictionRefusal::Why;
  const auto because = [&](Why why) { return EvictionRefusal{why, &budget, budgets.size(), healthy}; };
  if (budgets.size() > 1) return because(Why::several_budgets);
  if (!healthy && allows_unhealthy(budget, cluster.symbols())) return {};
  if (budget.status.disruptions_allowed == kUnknownDisruptions) return because(Why::unknown_status);
  if (budget.status.disruptions_allowed <= 0) return because(Why::no_disruption);
  if (budget.spec.selector->empty()) return because(Why::uncounted_pods);
  return {};
}

}  // namespace previct
