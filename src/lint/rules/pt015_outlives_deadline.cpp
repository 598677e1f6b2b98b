#include "base/go.h"
#include "lint/rule.h"
#include "lint/tolerations.h"

namespace previct::lint {

const Rule& pt015_outlives_deadline_rule =
    Rule{.id = "PT015",
         .name = "outlives-deadline",
         .severity = Severity::info,
         .title = "a toleration that outlasts the activeDeadlineSeconds of its pods",
         .why = "Their own deadline stops the pods before the toleration ends, so they can never be preempted.",
         .how_to_fix = "Shorten the toleration, or write \"-1\" for a permanent one.",
         .source =
             "kubernetes pkg/kubelet/active_deadline.go; kubernetes-sigs/scheduler-plugins "
             "pkg/preemptiontoleration/preemption_toleration.go",
         .check = [](const Repository& repository, FindingSink& found) {
           for (const TolerationPolicy& policy : toleration_policies(repository)) {
             if (!policy.tolerates() || *policy.read.seconds_number < 0) continue;
             for (const PodShape& pod : repository.pods()) {
               const Value deadline = pod.spec["activeDeadlineSeconds"];
               const auto seconds = go::parse_int(deadline.text(), 64);
               if (!pod.authored() || pod.class_name() != policy.name() || !seconds ||
                   *seconds > *policy.read.seconds_number)
                 continue;
               found
                   .field(deadline, fmt::format("{} ends after {}s, before its toleration of {}s does",
                                                pod.manifest->identity(), *seconds, *policy.read.seconds_number))
                   .related(policy.seconds, fmt::format("PriorityClass {} tolerates this long", policy.name()));
             }
           }
         }};

}  // namespace previct::lint
