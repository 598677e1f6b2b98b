#include "lint/rule.h"
#include "lint/tolerations.h"

namespace previct::lint {

const Rule& pt001_minimum_no_number_rule =
    Rule{.id = "PT001",
         .name = "minimum-no-number",
         .severity = Severity::error,
         .title = "minimum-preemptable-priority is not a 32-bit integer",
         .why = "The plugin logs that it cannot read the value, and pods of the class are not protected at all.",
         .how_to_fix = "Write a decimal number in quotes, without blanks, separators or units.",
         .source =
             "kubernetes-sigs/scheduler-plugins pkg/preemptiontoleration/preemption_toleration_policy.go "
             "(strconv.ParseInt, base 10, 32 bits)",
         .check = [](const Repository& repository, FindingSink& found) {
           for (const TolerationPolicy& policy : toleration_policies(repository)) {
             if (!policy.minimum || policy.read.minimum_number) continue;
             found
                 .value(policy.minimum,
                        fmt::format("{} is not protected: minimum-preemptable-priority \"{}\" is not a 32-bit integer",
                                    policy.name(), policy.minimum.text()))
                 .note("the plugin logs it and leaves the class without any toleration");
           }
         }};

}  // namespace previct::lint
