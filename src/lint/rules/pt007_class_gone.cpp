#include "lint/rule.h"
#include "lint/tolerations.h"

namespace previct::lint {

const Rule& pt007_class_gone_rule =
    Rule{.id = "PT007",
         .name = "class-gone",
         .severity = Severity::error,
         .title = "a running pod names a PriorityClass that is gone, and PreemptionToleration is in use",
         .why =
             "To decide whether a pod tolerates the preemption, the plugin reads the current class. If the class does "
             "not exist, the dry run for the node ends in an error, and no pod on the node can be preempted.",
         .how_to_fix = "Create the class again with its old value, or replace the pod.",
         .source =
             "kubernetes-sigs/scheduler-plugins pkg/preemptiontoleration/preemption_toleration.go "
             "(ExemptedFromPreemption returns the error of the lister)",
         .check = [](const Repository& repository, FindingSink& found) {
           if (toleration_policies(repository).empty()) return;
           for (const PodShape& pod : repository.pods()) {
             const std::string_view name = pod.class_name();
             if (!pod.bound || name.empty() || repository.find_class(name) != nullptr) continue;
             found
                 .value(pod.spec["priorityClassName"],
                        fmt::format("{}: PriorityClass {} is not in the input", pod.manifest->identity(), name))
                 .note(fmt::format("preemption of any lower pod on node {} fails with an error",
                                   pod.spec["nodeName"].text()));
           }
         }};

}  // namespace previct::lint
