#include "api/upstream.h"
#include "lint/rule.h"
#include "lint/tolerations.h"

namespace previct::lint {

const Rule& pt011_above_system_rule = Rule{
    .id = "PT011",
    .name = "above-system",
    .severity = Severity::warning,
    .title = "a toleration that holds even against system-node-critical",
    .why =
        "With a minimum above 2,000,001,000, no pod may preempt these pods during the toleration, not even the agents "
        "that a node needs: these agents stay pending.",
    .how_to_fix = "Keep the minimum at or below 2000000000, so that pods of the two system classes are scheduled.",
    .source =
        "kubernetes pkg/apis/scheduling/types.go (SystemCriticalPriority = 2 * 10^9); "
        "kubernetes-sigs/scheduler-plugins pkg/preemptiontoleration/preemption_toleration_policy.go",
    .check = [](const Repository& repository, FindingSink& found) {
      for (const TolerationPolicy& policy : toleration_policies(repository)) {
        if (!policy.tolerates() || policy.effective_minimum() <= upstream::kNodeCritical.value) continue;
        found.value(policy.minimum,
                    fmt::format("{} tolerates preemption even by system-node-critical (2000001000)", policy.name()));
      }
    }};

}  // namespace previct::lint
