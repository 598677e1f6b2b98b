#include "lint/rule.h"
#include "lint/tolerations.h"

namespace previct::lint {

const Rule& pt017_default_tolerates_rule =
    Rule{.id = "PT017",
         .name = "default-tolerates",
         .severity = Severity::warning,
         .title = "the globalDefault class tolerates preemption",
         .why =
             "Every new pod without a class gets this class, and with it an unintended protection. Resources that "
             "should be reclaimed are not.",
         .how_to_fix = "Use a class without a toleration as the default.",
         .source =
             "kubernetes plugin/pkg/admission/priority/admission.go; kubernetes-sigs/scheduler-plugins "
             "pkg/preemptiontoleration/preemption_toleration_policy.go",
         .check = [](const Repository& repository, FindingSink& found) {
           for (const TolerationPolicy& policy : toleration_policies(repository)) {
             if (!policy.tolerates() || !policy.of->global_default) continue;
             found.field((*policy.of->manifest)["globalDefault"],
                         fmt::format("{} is the default of all pods and tolerates preemption", policy.name()));
           }
         }};

}  // namespace previct::lint
