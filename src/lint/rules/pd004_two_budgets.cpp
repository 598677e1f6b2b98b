#include "lint/budget_index.h"
#include "lint/rule.h"

#include <set>
#include <utility>

namespace previct::lint {

const Rule& pd004_two_budgets_rule =
    Rule{.id = "PD004",
         .name = "two-budgets",
         .severity = Severity::warning,
         .title = "pods covered by two budgets",
         .why =
             "The eviction API refuses to evict such a pod, so a drain cannot finish. Preemption evicts it, and counts "
             "it against both budgets.",
         .how_to_fix = "Cover each pod by one budget.",
         .source =
             "kubernetes pkg/registry/core/pod/storage/eviction.go (more than one budget: error); kubernetes "
             "pkg/scheduler/framework/plugins/defaultpreemption/default_preemption.go (filterPodsWithPDBViolation)",
         .check = [](const Repository& repository, FindingSink& found) {
           const BudgetIndex index(repository);
           std::set<std::pair<const Manifest*, const Manifest*>> said;
           for (const PodShape& pod : repository.pods()) {
             const Manifest* first = nullptr;
             if (pod.finished) continue;
             for (const Manifest* budget : index.of(pod)) {
               if (first == nullptr) {
                 first = budget;
               } else if (first->name == budget->name) {
                 continue;  // DU004 reports one budget that is defined twice
               } else if (said.emplace(first, budget).second) {
                 found
                     .object(*budget, fmt::format("{} is covered by two budgets, {} and {}", pod.manifest->identity(),
                                                  first->name, budget->name))
                     .related(first->in("metadata.name"), "the other budget");
               }
             }
           }
         }};

}  // namespace previct::lint
