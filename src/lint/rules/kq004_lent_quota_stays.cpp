#include "lint/kueue.h"
#include "lint/rule.h"

#include <algorithm>

namespace previct::lint {

const Rule& kq004_lent_quota_stays_rule =
    Rule{.id = "KQ004",
         .name = "lent-quota-stays",
         .severity = Severity::warning,
         .title = "a ClusterQueue that lends its quota, and does not take it back",
         .why =
             "Other ClusterQueues of the cohort borrow unused quota. With reclaimWithinCohort: Never, the default, its "
             "own workloads then wait until the borrowing workloads have finished.",
         .how_to_fix =
             "Set preemption.reclaimWithinCohort to LowerPriority or Any, or a lendingLimit to what may be missing.",
         .source = "kubernetes-sigs/kueue#4028; pkg/scheduler/preemption/preemption.go",
         .check = [](const Repository& repository, FindingSink& found) {
           for (const Manifest* queue : repository.of(kind::kClusterQueue)) {
             const Value cohort = kueue_cohort(*queue);
             if (cohort.text().empty() || kueue_policy(*queue, "reclaimWithinCohort") != "Never") continue;
             const auto& all = repository.of(kind::kClusterQueue);
             const bool alone = std::none_of(all.begin(), all.end(), [&](const Manifest* other) {
               return other != queue && kueue_cohort(*other).text() == cohort.text();
             });
             if (alone) continue;
             for (const KueueQuota& quota : kueue_quotas(*queue)) {
               const auto nominal = quota.amount("nominalQuota");
               const auto lending = quota.amount("lendingLimit");
               if (!nominal || *nominal <= Quantity() || (lending && *lending <= Quantity())) continue;
               const Value policy = queue->in("spec.preemption.reclaimWithinCohort");
               const std::string message =
                   fmt::format("ClusterQueue {} lends {} of flavor {} to cohort {}, and cannot take it back",
                               queue->name, quota.resource_name(), quota.flavor_name(), cohort.text());
               policy ? found.field(policy, message) : found.object(*queue, message);
               break;
             }
           }
         }};

}  // namespace previct::lint
