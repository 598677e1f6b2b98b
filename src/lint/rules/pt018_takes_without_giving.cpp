#include "lint/rule.h"
#include "lint/tolerations.h"

namespace previct::lint {

const Rule& pt018_takes_without_giving_rule = Rule{
    .id = "PT018",
    .name = "takes-without-giving",
    .severity = Severity::info,
    .title = "a class that tolerates preemption and preempts others",
    .why =
        "Its pods preempt lower ones but are not preempted themselves while they tolerate. KEP-205 intends this "
        "combination for jobs that use spare capacity.",
    .how_to_fix = "Add preemptionPolicy: Never, if the class is for work that may wait.",
    .source = "KEP-205 use cases (lower priority, but not preempted)",
    .check = [](const Repository& repository, FindingSink& found) {
      for (const TolerationPolicy& policy : toleration_policies(repository)) {
        if (!policy.tolerates() || policy.of->never_preempts) continue;
        found.object(*policy.of->manifest,
                     fmt::format("{} preempts pods of lower priority and tolerates preemption itself", policy.name()));
      }
    }};

}  // namespace previct::lint
