#include "lint/kueue.h"
#include "lint/rule.h"

#include <algorithm>

namespace previct::lint {

const Rule& kq006_zero_quota_beside_scarce_rule =
    Rule{.id = "KQ006",
         .name = "zero-quota-beside-scarce",
         .severity = Severity::info,
         .title = "no quota for one resource next to quota for another",
         .why =
             "A workload needs all its resources. With nominalQuota 0 of cpu or memory it always borrows, so that its "
             "ClusterQueue is never within its nominal quota: it reclaims nothing, and its workloads are victims.",
         .how_to_fix = "Give it as much of the resource as its workloads use with the scarce one.",
         .source = "kubernetes-sigs/kueue#4028; pkg/scheduler/preemption/classical (IsWithinNominalInResources)",
         .check = [](const Repository& repository, FindingSink& found) {
           for (const Manifest* queue : repository.of(kind::kClusterQueue)) {
             if (kueue_cohort(*queue).text().empty()) continue;
             const std::vector<KueueQuota> quotas = kueue_quotas(*queue);
             for (const KueueQuota& quota : quotas) {
               const auto nominal = quota.amount("nominalQuota");
               if (!nominal || *nominal != Quantity()) continue;
               const auto scarce = std::find_if(quotas.begin(), quotas.end(), [&](const KueueQuota& other) {
                 const auto amount = other.amount("nominalQuota");
                 return other.flavor_name() == quota.flavor_name() && amount && *amount > Quantity();
               });
               if (scarce == quotas.end()) continue;
               found.field(quota.resource["nominalQuota"],
                           fmt::format("ClusterQueue {} has quota for {} of flavor {}, and none for {}", queue->name,
                                       scarce->resource_name(), quota.flavor_name(), quota.resource_name()));
             }
           }
         }};

}  // namespace previct::lint
