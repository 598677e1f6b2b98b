#include "lint/rule.h"

#include <utility>
#include <vector>

namespace previct::lint {

const Rule& po013_other_shield_rule =
    Rule{.id = "PO013",
         .name = "other-shield",
         .severity = Severity::info,
         .title = "an annotation that stops autoscalers, but not preemption",
         .why =
             "safe-to-evict, do-not-disrupt and their kin are read by autoscalers and deschedulers. The scheduler "
             "preempts the pod like any other.",
         .how_to_fix = "Protect the pod by priority or a toleration as well, if that was the purpose.",
         .source = "kubernetes pkg/scheduler/framework/preemption (no annotation of pods is read)",
         .check = [](const Repository& repository, FindingSink& found) {
           const std::vector<std::pair<std::string_view, std::string_view>> shields = {
               {"cluster-autoscaler.kubernetes.io/safe-to-evict", "false"},
               {"karpenter.sh/do-not-disrupt", "true"},
               {"karpenter.sh/do-not-evict", "true"}};
           for (const PodShape& pod : repository.pods()) {
             const auto priority = repository.priority_of(pod);
             if (!pod.authored() || !priority || repository.class_above(*priority) == nullptr) continue;
             for (const auto& [key, value] : shields) {
               const Value annotation = pod.metadata["annotations"][key];
               if (annotation.is(value))
                 found.field(annotation, fmt::format("{} does not prevent the scheduler from preempting the pod", key));
             }
           }
         }};

}  // namespace previct::lint
