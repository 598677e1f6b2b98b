#include "sequence/eviction_api.h"

#include "cluster/label_syntax.h"
#include "cluster/matching.h"
#include "cluster/unknown_budget.h"

#include <fmt/format.h>

#include <vector>

namespace previct::sequence {
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

auto why_none(const PodDisruptionBudget& budget, bool healthy) -> std::string {
  const PodDisruptionBudgetStatus& status = budget.status;
  std::string why = "allows no disruption";
  if (status.current_healthy && status.desired_healthy)
    why += fmt::format(": it needs {} healthy pods and has {}", *status.desired_healthy, *status.current_healthy);
  if (!healthy) why += "; the pod is not ready, and would be evicted with unhealthyPodEvictionPolicy AlwaysAllow";
  return why;
}

}  // namespace

auto refusal_to_evict(const Snapshot& cluster, PodId id) -> std::string {
  const Pod& pod = cluster.pod(id);
  if (cluster.finished(id) || pod.meta.deleting || cluster.text(pod.status.phase) == "Pending") return {};
  const std::vector<const PodDisruptionBudget*> budgets = budgets_of(cluster, pod);
  if (budgets.empty()) return {};
  if (budgets.size() > 1)
    return fmt::format("{} PodDisruptionBudgets select it, which the API does not support", budgets.size());
  const PodDisruptionBudget& budget = *budgets.front();
  const std::string name = fmt::format("PodDisruptionBudget {}", cluster.text(budget.meta.name));
  const bool healthy = counts_as_healthy(pod, cluster.symbols());
  if (!healthy && allows_unhealthy(budget, cluster.symbols())) return {};
  if (budget.status.disruptions_allowed == kUnknownDisruptions)
    return fmt::format("cannot tell, because the status of {} is not known", name);
  if (budget.spec.selector->empty() && budget.status.disruptions_allowed > 0)
    return fmt::format(
        "cannot tell, because {} selects all pods of its namespace, and its healthy pods are not counted", name);
  return budget.status.disruptions_allowed > 0 ? "" : fmt::format("{} {}", name, why_none(budget, healthy));
}

}  // namespace previct::sequence
