#include "lint/rule.h"

#include <algorithm>

namespace previct::lint {

const Rule& kq005_borrow_within_cohort_ignored_rule = Rule{
    .id = "KQ005",
    .name = "borrow-within-cohort-ignored",
    .severity = Severity::warning,
    .title = "borrowWithinCohort together with fair sharing",
    .why =
        "With fair sharing, shares decide which workloads are preempted for others while borrowing; borrowWithinCohort "
        "is not read at all.",
    .how_to_fix = "Leave it out, or turn fair sharing off.",
    .source = "kubernetes-sigs/kueue#4173, #4165; pkg/scheduler/preemption/preemption.go fairPreemptions",
    .check = [](const Repository& repository, FindingSink& found) {
      const auto& configurations = repository.of(kind::kKueueConfiguration);
      const auto fair = std::find_if(configurations.begin(), configurations.end(), [](const Manifest* each) {
        const Value sharing = (*each)["fairSharing"];
        return sharing && (each->version != "v1beta1" || sharing["enable"].is("true"));
      });
      if (fair == configurations.end()) return;
      for (const Manifest* queue : repository.of(kind::kClusterQueue)) {
        const Value policy = queue->in("spec.preemption.borrowWithinCohort.policy");
        if (policy.text().empty() || policy.is("Never")) continue;
        found
            .field(policy,
                   fmt::format("ClusterQueue {}: borrowWithinCohort has no effect, because fair sharing is enabled",
                               queue->name))
            .related((**fair)["fairSharing"], "fair sharing");
      }
    }};

}  // namespace previct::lint
