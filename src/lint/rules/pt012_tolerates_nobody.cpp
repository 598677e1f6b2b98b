#include "lint/rule.h"
#include "lint/tolerations.h"

namespace previct::lint {

const Rule& pt012_tolerates_nobody_rule = Rule{
    .id = "PT012",
    .name = "tolerates-nobody",
    .severity = Severity::info,
    .title = "a toleration that protects against no existing class",
    .why =
        "A toleration applies to priorities above the class and below the minimum. If no class in the input is in this "
        "range, it protects against no pod: often a digit is missing, or the value of a class has changed.",
    .how_to_fix = "Compare the minimum with the values of the classes above this one.",
    .source = "kubernetes-sigs/scheduler-plugins pkg/preemptiontoleration/preemption_toleration_policy.go",
    .check = [](const Repository& repository, FindingSink& found) {
      if (repository.of(kind::kPriorityClass).size() < 2) return;
      for (const TolerationPolicy& policy : toleration_policies(repository)) {
        if (!policy.tolerates()) continue;
        const auto& classes = repository.classes();
        const bool somebody = std::any_of(classes.begin(), classes.end(), [&](const PriorityClassShape& each) {
          const std::int64_t value = each.value.value_or(INT64_MIN);
          return !each.never_preempts && value > *policy.of->value && value < policy.effective_minimum();
        });
        if (somebody) continue;
        found.value(policy.minimum, fmt::format("{}: no class that may preempt has a priority between {} and {}, so "
                                                "the toleration protects against no pod",
                                                policy.name(), *policy.of->value + 1, policy.effective_minimum() - 1));
      }
    }};

}  // namespace previct::lint
