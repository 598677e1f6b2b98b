#include "tell/budgets.h"

#include "cluster/label_syntax.h"
#include "cluster/matching.h"
#include "cluster/unknown_budget.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace previct {
namespace {

auto covers(const PodDisruptionBudget& budget, const ObjectMeta& pod, const Objects& objects) -> bool {
  const auto& selector = budget.spec.selector;
  const auto& granted = budget.status.disrupted_pods;
  return budget.meta.ns == pod.ns && selector && fault_of(*selector, objects.symbols).empty() &&
         matches(*selector, pod.labels, objects.symbols) &&
         std::find(granted.begin(), granted.end(), pod.name) == granted.end();
}

}  // namespace

auto violations(const Snapshot& cluster, std::span<const PodId> victims) -> std::vector<Violation> {
  const Objects& objects = cluster.objects();
  std::vector<Violation> found;
  std::map<const PodDisruptionBudget*, std::int32_t> left;
  for (const PodId victim : victims) {
    const ObjectMeta& pod = cluster.pod(victim).meta;
    if (pod.deleting) continue;
    for (const PodDisruptionBudget& budget : objects.disruption_budgets) {
      const std::int32_t allowed = budget.status.disruptions_allowed;
      if (allowed == kUnknownDisruptions || !covers(budget, pod, objects)) continue;
      if (left.try_emplace(&budget, std::max(allowed, 0)).first->second-- <= 0) found.push_back({victim, &budget});
    }
  }
  return found;
}

void tell_violated_budgets(const Snapshot& cluster, Answer& answer) {
  std::vector<PodId> victims;
  for (const VictimLine& line : answer.victim_lines) victims.push_back(line.pod);
  std::set<PodId> violating;
  for (const auto& [pod, budget] : violations(cluster, victims)) {
    const std::string name = fmt::format("{}/{}", cluster.text(budget->meta.ns), cluster.text(budget->meta.name));
    VictimLine& line = *std::find_if(answer.victim_lines.begin(), answer.victim_lines.end(),
                                     [victim = pod](const VictimLine& each) { return each.pod == victim; });
    line.why += fmt::format("; violates PodDisruptionBudget {} (allows {} more), which this scheduler ignores", name,
                            std::max(budget->status.disruptions_allowed, 0));
    line.evidence.push_back(
        {fmt::format("PodDisruptionBudget/{}", name), "status.disruptionsAllowed", budget->meta.source});
    violating.insert(pod);
  }
  answer.pdb_violations += static_cast<std::int32_t>(violating.size());
}

auto refusal_words(const EvictionRefusal& refusal, const Symbols& symbols) -> std::string {
  const PodDisruptionBudgetStatus& status = refusal.budget->status;
  const std::string name = fmt::format("PodDisruptionBudget {}", symbols.text(refusal.budget->meta.name));
  switch (refusal.why) {
    case EvictionRefusal::Why::several_budgets:
      return fmt::format("{} PodDisruptionBudgets select it, which the API does not support", refusal.budgets);
    case EvictionRefusal::Why::unknown_status:
      return fmt::format("cannot tell, because the status of {} is not known", name);
    case EvictionRefusal::Why::uncounted_pods:
      return fmt::format(
          "cannot tell, because {} selects all pods of its namespace, and its healthy pods are not counted", name);
    case EvictionRefusal::Why::no_disruption: break;
  }
  const bool counted = status.current_healthy && status.desired_healthy;
  // Source: kubernetes pkg/controller/disruption/disruption.go updatePdbStatus, failSafe, v1.35.
  const bool contradicts = counted && *status.current_healthy > *status.desired_healthy;
  return fmt::format(
      "{} allows no disruption{}{}{}", name,
      counted
          ? fmt::format("{} it needs {} healthy {} and has {}", contradicts ? ", although" : ":",
                        *status.desired_healthy, *status.desired_healthy == 1 ? "pod" : "pods", *status.current_healthy)
          : "",
      contradicts ? ": the disruption controller does not know how many pods there should be" : "",
      refusal.healthy ? ""
                      : "; the pod is not ready, and would be evicted with unhealthyPodEvictionPolicy AlwaysAllow");
}

}  // namespace previct
