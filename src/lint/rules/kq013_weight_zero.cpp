#include "lint/kueue.h"
#include "lint/rule.h"

#include <algorithm>

namespace previct::lint {

const Rule& kq013_weight_zero_rule =
    Rule{.id = "KQ013",
         .name = "weight-zero",
         .severity = Severity::warning,
         .title = "a weight of 0 on a ClusterQueue that may borrow",
         .why =
             "Whatever it borrows counts as an infinite share: its workloads are the first victims, and it preempts "
             "none while it borrows.",
         .how_to_fix = "Give it a small weight, such as 0.1, or a borrowingLimit of 0.",
         .source = "kubernetes-sigs/kueue pkg/cache/scheduler/fair_sharing.go",
         .check = [](const Repository& repository, FindingSink& found) {
           for (const Manifest* queue : repository.of(kind::kClusterQueue)) {
             const Value weight = queue->in("spec.fairSharing.weight");
             const auto amount = weight ? Quantity::parse(weight.text()) : std::nullopt;
             if (!amount || *amount != Quantity() || kueue_cohort(*queue).text().empty()) continue;
             const std::vector<KueueQuota> quotas = kueue_quotas(*queue);
             const bool borrows = std::any_of(quotas.begin(), quotas.end(), [](const KueueQuota& quota) {
               const auto limit = quota.amount("borrowingLimit");
               return !limit || *limit > Quantity();
             });
             if (borrows) found.field(weight, fmt::format("ClusterQueue {} has weight 0, and may borrow", queue->name));
           }
         }};

}  // namespace previct::lint
