#include "lint/budget_index.h"

#include "lint/selectors.h"

#include <algorithm>

namespace previct::lint {

BudgetIndex::BudgetIndex(const Repository& repository) {
  const auto& budgets = repository.of(kind::kBudget);
  std::map<Label, std::size_t> asked;
  const auto label_of = [](const Manifest& budget, const Value& wanted) {
    return Label{namespace_of(budget.ns), wanted.key(), wanted.text()};
  };
  for (const Manifest* budget : budgets) {
    for (const Value& wanted : budget->in("spec.selector")["matchLabels"]) ++asked[label_of(*budget, wanted)];
  }
  for (std::size_t at = 0; at < budgets.size(); ++at) {
    const Manifest& budget = *budgets[at];
    // The label that the fewest budgets require: all budgets may require the same `app.kubernetes.io/part-of`.
    Label rarest{namespace_of(budget.ns), {}, {}};
    std::size_t least = budgets.size() + 1;
    for (const Value& wanted : budget.in("spec.selector")["matchLabels"]) {
      const Label label = label_of(budget, wanted);
      if (asked[label] >= least) continue;
      least = asked[label];
      rarest = label;
    }
    by_label_[rarest].push_back({at, &budget});
  }
}

auto BudgetIndex::of(const PodShape& pod) const -> std::vector<const Manifest*> {
  std::vector<Entry> entries;
  const Value labels = pod.labels();
  const auto look_up = [&](std::string_view key, std::string_view value) {
    const auto found = by_label_.find(Label{namespace_of(pod.ns()), key, value});
    if (found == by_label_.end()) return;
    for (const Entry& entry : found->second) {
      if (selects(entry.budget->in("spec.selector"), labels)) entries.push_back(entry);
    }
  };
  look_up({}, {});
  for (const Value& label : labels) look_up(label.key(), label.text());
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.at < b.at; });
  std::vector<const Manifest*> budgets;
  for (const Entry& entry : entries) {
    // A label that occurs twice on a pod finds a budget twice.
    if (budgets.empty() || budgets.back() != entry.budget) budgets.push_back(entry.budget);
  }
  return budgets;
}

}  // namespace previct::lint
