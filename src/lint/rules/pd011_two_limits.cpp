#include "lint/rule.h"

namespace previct::lint {

const Rule& pd011_two_limits_rule = Rule{
    .id = "PD011",
    .name = "two-limits",
    .severity = Severity::error,
    .title = "a budget with both minAvailable and maxUnavailable",
    .why = "They exclude each other: the API server refuses the budget.",
    .how_to_fix = "Keep one of them.",
    .source = "kubernetes pkg/apis/policy/validation/validation.go (ValidatePodDisruptionBudgetSpec)",
    .check = [](const Repository& repository, FindingSink& found) {
      for (const Manifest* budget : repository.of(kind::kBudget)) {
        const Value least = budget->in("spec.minAvailable");
        const Value most = budget->in("spec.maxUnavailable");
        if (!least || !most) continue;
        found.field(most, fmt::format("budget {} also has minAvailable; only one of the two may be set", budget->name))
            .related(least, "minAvailable");
      }
    }};

}  // namespace previct::lint
