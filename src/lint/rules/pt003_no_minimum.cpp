#include "lint/rule.h"
#include "lint/tolerations.h"

namespace previct::lint {

const Rule& pt003_no_minimum_rule = Rule{
    .id = "PT003",
    .name = "no-minimum",
    .severity = Severity::error,
    .title = "toleration-seconds without minimum-preemptable-priority",
    .why =
        "The minimum defaults to the value of the class plus 1, which every pod that may preempt reaches: the "
        "toleration never takes effect, however long it lasts.",
    .how_to_fix = "Add minimum-preemptable-priority: the lowest priority that may preempt these pods at once.",
    .source =
        "kubernetes-sigs/scheduler-plugins pkg/preemptiontoleration/preemption_toleration_policy.go (default "
        "value + 1); a pod whose priority reaches the minimum is never tolerated",
    .check = [](const Repository& repository, FindingSink& found) {
      for (const TolerationPolicy& policy : toleration_policies(repository)) {
        if (policy.minimum || !policy.seconds) continue;
        found
            .field(policy.seconds,
                   fmt::format("{} is not protected: minimum-preemptable-priority is missing", policy.name()))
            .mark("has no effect alone")
            .note(fmt::format("the minimum defaults to {}, which every preemptor reaches", policy.effective_minimum()));
      }
    }};

}  // namespace previct::lint
