#include "lint/rule.h"
#include "lint/yunikorn.h"

namespace previct::lint {

const Rule& yk007_no_hard_shield_rule = Rule{
    .id = "YK007",
    .name = "no-hard-shield",
    .severity = Severity::info,
    .title = "allow-preemption: false does not reliably protect a pod",
    .why =
        "It only moves the pod to the end of the list of victims. Preemption for DaemonSets and between queues may "
        "still evict it.",
    .how_to_fix = "Do not rely on it for pods that must not be interrupted.",
    .source = "apache/yunikorn-core pkg/scheduler/objects/required_node_preemptor.go; apache/yunikorn-site#323",
    .check = [](const Repository& repository, FindingSink& found) {
      for (const PodShape& pod : repository.pods()) {
        const Value allow = pod.metadata["annotations"][kAllowPreemption];
        if (allow.is("false") && pod.authored())
          found.field(allow, "the pod is preempted last, but it may be preempted");
      }
      for (const Manifest* each : repository.of(kind::kPriorityClass)) {
        const Value allow = each->in("metadata.annotations")[kAllowPreemption];
        if (allow.is("false"))
          found.field(allow, fmt::format("pods of class {} are preempted last, but they may be preempted", each->name));
      }
    }};

}  // namespace previct::lint
