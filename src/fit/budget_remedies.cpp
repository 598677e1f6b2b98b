#include "cluster/matching.h"
#include "fit/remedy.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct::fit {

auto remedies_of_budgets(const Snapshot& cluster) -> std::vector<Remedy> {
  const auto& budgets = cluster.objects().disruption_budgets;
  std::vector<Remedy> remedies;
  for (std::size_t i = 0; i < budgets.size(); ++i) {
    const PodDisruptionBudget& budget = budgets[i];
    std::int64_t pods = 0;
    for (const Pod& pod : cluster.pods()) {
      const bool runs = pod.spec.node_name && pod.meta.ns == budget.meta.ns;
      if (runs && matches(budget.spec.selector, pod.meta.labels, cluster.objects().symbols)) ++pods;
    }
    const std::int32_t now = budget.status.disruptions_allowed;
    if (pods <= now) continue;
    const std::string name = fmt::format("{}/{}", cluster.text(budget.meta.ns), cluster.text(budget.meta.name));
    const Step base{.kind = Kind::budget,
                    .what = {},
                    .object = "PodDisruptionBudget/" + name,
                    .field = "status.disruptionsAllowed",
                    .before = fmt::format("{}", now),
                    .source = budget.meta.source};
    remedies.push_back({.kind = Kind::budget,
                        .most = pods - now,
                        .turn =
                            [i, now](ChangedCluster& changed, std::int64_t degree) {
                              changed.budget(i).status.disruptions_allowed = static_cast<std::int32_t>(now + degree);
                            },
                        .step =
                            [base, name, now](std::int64_t degree) {
                              Step made = base;
                              made.after = fmt::format("{}", now + degree);
                              made.what = fmt::format("{} allows {} -> {}", name, made.before, made.after);
                              return made;
                            }});
  }
  std::stable_sort(remedies.begin(), remedies.end(),
                   [](const Remedy& a, const Remedy& b) { return a.step(1).what < b.step(1).what; });
  return remedies;
}

}  // namespace previct::fit
