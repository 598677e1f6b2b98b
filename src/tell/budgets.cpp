#include "tell/budgets.h"

#include "cluster/label_syntax.h"
#include "cluster/matching.h"
#include "cluster/unknown_budget.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

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

void tell_violated_budgets(const Snapshot& cluster, Answer& answer) {
  const Objects& objects = cluster.objects();
  std::map<const PodDisruptionBudget*, std::int32_t> left;
  for (VictimLine& line : answer.victim_lines) {
    const ObjectMeta& pod = cluster.pod(line.pod).meta;
    if (pod.deleting) continue;
    bool violates = false;
    for (const PodDisruptionBudget& budget : objects.disruption_budgets) {
      const std::int32_t allowed = budget.status.disruptions_allowed;
      if (allowed == kUnknownDisruptions || !covers(budget, pod, objects)) continue;
      if (left.try_emplace(&budget, std::max(allowed, 0)).first->second-- > 0) continue;
      violates = true;
      const std::string name = fmt::format("{}/{}", cluster.text(budget.meta.ns), cluster.text(budget.meta.name));
      line.why += fmt::format("; violates PodDisruptionBudget {} (allows {} more), which this scheduler ignores", name,
                              std::max(allowed, 0));
      line.evidence.push_back(
          {fmt::format("PodDisruptionBudget/{}", name), "status.disruptionsAllowed", budget.meta.source});
    }
    if (violates) ++answer.pdb_violations;
  }
}

}  // namespace previct
