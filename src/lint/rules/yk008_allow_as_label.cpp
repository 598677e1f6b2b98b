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
         .bad = R"(apiVersion: apps/v1
kind: Deployment
metadata:
  name: etl
spec:
  selector:
    matchLabels: {app: a}
  template:
    metadata:
      labels: {app: a, yunikorn.apache.org/allow-preemption: "false"}
    spec:
      containers:
      - name: c
        image: c
)",
         .good = R"(apiVersion: apps/v1
kind: Deployment
metadata:
  name: etl
spec:
  selector:
    matchLabels: {app: a}
  template:
    metadata:
      labels: {app: a}
      annotations:
        yunikorn.apache.org/allow-preemption: "true"
    spec:
      containers:
      - name: c
        image: c
)",
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
