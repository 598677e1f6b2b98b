#include "lint/rule.h"
#include "lint/yunikorn.h"

namespace previct::lint {

const Rule& yk008_allow_as_label_rule =
    Rule{.id = "YK008",
         .name = "allow-as-label",
         .severity = Severity::error,
         .title = "allow-preemption set as a label",
         .why =
             "The scheduler reads the annotation of the pod, then that of its PriorityClass. The design document says "
             "label, but no release reads one.",
         .how_to_fix = "Make it an annotation.",
         .source = "apache/yunikorn-k8shim pkg/cache/task.go; design document of required-node preemption",
         .check = [](const Repository& repository, FindingSink& found) {
           for (const PodShape& pod : repository.pods()) {
             if (const Value allow = pod.labels()[kAllowPreemption])
               found.key(allow, "a label allow-preemption is not read; make it an annotation");
           }
           for (const Manifest* each : repository.of(kind::kPriorityClass)) {
             if (const Value allow = each->in("metadata.labels")[kAllowPreemption])
               found.key(allow, "a label allow-preemption is not read; make it an annotation");
           }
         }};

}  // namespace previct::lint
