#include "lint/rule.h"
#include "lint/tolerations.h"

namespace previct::lint {

const Rule& pt005_minimum_too_low_rule = Rule{
    .id = "PT005",
    .name = "minimum-too-low",
    .severity = Severity::error,
    .title = "minimum-preemptable-priority is not above the value of the class plus 1",
    .why =
        "Only pods of a higher priority can preempt, so the lowest preemptor has value + 1. A minimum at or below that "
        "protects against no pod.",
    .how_to_fix =
        "Write the lowest priority that may preempt these pods at once; it is usually the value of a class above.",
    .source =
        "kubernetes-sigs/scheduler-plugins pkg/preemptiontoleration/preemption_toleration_policy.go; fixtures "
        "of KEP-205 (minimum at value + 1 tolerates nothing)",
    .check = [](const Repository& repository, FindingSink& found) {
      for (const TolerationPolicy& policy : toleration_policies(repository)) {
        if (!policy.read.minimum_number || !policy.of->value || policy.broken()) continue;
        if (*policy.read.minimum_number > *policy.of->value + 1) continue;
        found
            .value(policy.minimum, fmt::format("{} is not protected: every preemptor reaches the minimum {}",
                                               policy.name(), *policy.read.minimum_number))
            .related((*policy.of->manifest)["value"],
                     fmt::format("pods of the class have priority {}", *policy.of->value));
      }
    }};

}  // namespace previct::lint
