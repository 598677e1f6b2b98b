#include "lint/rule.h"

namespace previct::lint {

const Rule& po008_nobody_makes_it_again_rule = Rule{
    .id = "PO008",
    .name = "nobody-makes-it-again",
    .severity = Severity::warning,
    .title = "a pod without an owner in a preemptible class",
    .why = "When it is preempted, nothing recreates it.",
    .how_to_fix = "Use a Job or a Deployment.",
    .source = "kubernetes pkg/scheduler/framework/preemption (victims are deleted); kai-scheduler/KAI-Scheduler#84",
    .check =
        [](const Repository& repository, FindingSink& found) {
          for (const PodShape& pod : repository.pods()) {
            const auto priority = repository.priority_of(pod);
            const bool mirror = static_cast<bool>(pod.metadata["annotations"]["kubernetes.io/config.mirror"]);
            if (!pod.is_pod || !pod.authored() || mirror || !priority || pod.class_name().empty()) continue;
            const PriorityClassShape* higher = repository.class_above(*priority);
            if (higher == nullptr) continue;
            found.object(*pod.manifest,
                         fmt::format("{} has no owner: if preempted, for example by class {}, it is not recreated",
                                     pod.manifest->identity(), higher->name));
          }
        },
    .whole_cluster = true};

}  // namespace previct::lint
