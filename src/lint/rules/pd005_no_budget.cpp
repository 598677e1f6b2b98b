#include "base/go.h"
#include "lint/budget_index.h"
#include "lint/rule.h"

namespace previct::lint {

const Rule& pd005_no_budget_rule = Rule{
    .id = "PD005",
    .name = "no-budget",
    .severity = Severity::info,
    .title = "a replicated workload that higher classes can preempt, without a budget",
    .why =
        "If it has a choice, the scheduler prefers the node with the fewest PDB violations. Pods without a budget are "
        "evicted first, and all replicas may be evicted at once.",
    .how_to_fix = "Add a PodDisruptionBudget for the workload.",
    .source = "kubernetes pkg/scheduler/framework/preemption (pickOneNodeForPreemption, first criterion)",
    .check =
        [](const Repository& repository, FindingSink& found) {
          const BudgetIndex index(repository);
          std::vector<const PodShape*> pods;
          for (const PodShape& pod : repository.pods()) {
            if (pod.is_pod || !pod.authored() || (!pod.of("Deployment") && !pod.of("StatefulSet"))) continue;
            const auto replicas = go::parse_int(pod.manifest->in("spec.replicas").text(), 32);
            const auto priority = repository.priority_of(pod);
            if (!replicas || *replicas < 2 || !priority) continue;
            if (repository.class_above(*priority) == nullptr || !index.of(pod).empty()) continue;
            pods.push_back(&pod);
          }
          if (pods.empty()) return;
          const PodShape& first = *pods.front();
          found.object(*first.manifest,
                       fmt::format("{}: {} replicas of priority {} without a budget{}", first.manifest->identity(),
                                   first.manifest->in("spec.replicas").text(), *repository.priority_of(first),
                                   and_more(pods.size())));
        },
    .whole_cluster = true};

}  // namespace previct::lint
