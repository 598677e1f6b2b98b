#include "lint/kai.h"
#include "lint/rule.h"

namespace previct::lint {

const Rule& ka017_never_not_heard_rule = Rule{
    .id = "KA017",
    .name = "never-not-heard",
    .severity = Severity::warning,
    .title = "preemptionPolicy Never on a workload of KAI Scheduler",
    .why =
        "KAI Scheduler does not read it: the workload preempts lower-priority workloads of its queue like any other.",
    .how_to_fix = "Use kai.scheduler/preemption-delay, or a lower priority.",
    .source = "kai-scheduler/KAI-Scheduler#1032",
    .check = [](const Repository& repository, FindingSink& found) {
      for (const PodShape& pod : repository.pods()) {
        if (!pod.authored() || !is_kai_pod(pod)) continue;
        const PriorityClassShape* of = repository.find_class(pod.class_name());
        if (of == nullptr || !of->never_preempts || of->manifest == nullptr) continue;
        found
            .value(pod.spec["priorityClassName"],
                   fmt::format("KAI Scheduler ignores preemptionPolicy Never of class {}", of->name))
            .related((*of->manifest)["preemptionPolicy"], "the policy");
      }
    }};

}  // namespace previct::lint
