#include "lint/rule.h"
#include "lint/selectors.h"

namespace previct::lint {

const Rule& pd009_selector_invalid_rule =
    Rule{.id = "PD009",
         .name = "selector-invalid",
         .severity = Severity::error,
         .title = "a selector that the API server rejects",
         .why = "The API server refuses the budget. If a scheduler reads it anyway, it matches no pod.",
         .how_to_fix = "In and NotIn need values, Exists and DoesNotExist take none; there are no other operators.",
         .source = "kubernetes apimachinery pkg/apis/meta/v1/validation (ValidateLabelSelector)",
         .check = [](const Repository& repository, FindingSink& found) {
           for (const Manifest* budget : repository.of(kind::kBudget)) {
             if (const auto fault = fault_of_selector(budget->in("spec.selector"))) {
               found.value(fault->at, fmt::format("budget {}: {}", budget->name, fault->message));
             }
           }
         }};

}  // namespace previct::lint
