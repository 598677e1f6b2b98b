#include "lint/kueue.h"
#include "lint/rule.h"

#include <map>
#include <set>

namespace previct::lint {

const Rule& kq012_priorities_only_order_rule =
    Rule{.id = "KQ012",
         .name = "priorities-only-order",
         .severity = Severity::info,
         .title = "priorities that only order a queue",
         .why =
             "With withinClusterQueue: Never, which is the default, a workload never preempts one of lower priority in "
             "its own ClusterQueue: priorities decide the order of those that wait, and nothing else.",
         .how_to_fix = "Set preemption.withinClusterQueue to LowerPriority if higher priorities are to preempt.",
         .source = "kubernetes-sigs/kueue pkg/scheduler/preemption/common/preemption_policy.go",
         .check = [](const Repository& repository, FindingSink& found) {
           std::map<const Manifest*, std::set<std::string_view>> priorities;
           for (const Manifest* workload : repository.of(kind::kKueueWorkload)) {
             if (has_condition(*workload, "Finished")) continue;
             const Manifest* const queue = queue_of_workload(repository, *workload);
             if (queue == nullptr) continue;
             const std::string_view priority = workload->in("spec.priority").text();
             priorities[queue].insert(priority.empty() ? "0" : priority);
           }
           for (const Manifest* queue : repository.of(kind::kClusterQueue)) {
             if (kueue_policy(*queue, "withinClusterQueue") != "Never" || priorities[queue].size() < 2) continue;
             found.object(*queue,
                          fmt::format("workloads of ClusterQueue {} have {} priorities, and do not preempt each other",
                                      queue->name, priorities[queue].size()));
           }
         }};

}  // namespace previct::lint
