#include "lint/rule.h"
#include "lint/selectors.h"

namespace previct::lint {

const Rule& pd001_selects_nothing_in_preemption_rule =
    Rule{.id = "PD001",
         .name = "selects-nothing-in-preemption",
         .severity = Severity::warning,
         .title = "a budget with an empty selector, or without one",
         .why =
             "An empty selector covers every pod of the namespace for evictions through the API, but none for the "
             "scheduler, which counts no violation for it. Without a selector a budget covers nothing at all.",
         .how_to_fix = "Name the pods by their labels.",
         .source =
             "kubernetes pkg/scheduler/framework/plugins/defaultpreemption/default_preemption.go "
             "(filterPodsWithPDBViolation): an empty selector is passed over; golden cases with selector {}",
         .check = [](const Repository& repository, FindingSink& found) {
           for (const Manifest* budget : repository.of(kind::kBudget)) {
             const Value selector = budget->in("spec.selector");
             if (!selector) {
               found.object(*budget, fmt::format("budget {} has no selector and covers no pod", budget->name));
             } else if (is_empty_selector(selector)) {
               found.field(selector,
                           fmt::format("budget {} has an empty selector: preemption does not count it", budget->name));
             }
           }
         }};

}  // namespace previct::lint
