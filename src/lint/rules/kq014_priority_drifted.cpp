#include "lint/kueue.h"
#include "lint/rule.h"

namespace previct::lint {

const Rule& kq014_priority_drifted_rule =
    Rule{.id = "KQ014",
         .name = "priority-drifted",
         .severity = Severity::warning,
         .title = "a workload whose priority is not that of its class",
         .why =
             "Kueue reads only spec.priority, which is set when the workload is created. Without it, the priority "
             "counts as 0, and a new value of the class has no effect.",
         .how_to_fix = "Create the workload again; for a job, delete its workload.",
         .source = "kubernetes-sigs/kueue pkg/util/priority (Priority)",
         .bad = R"(apiVersion: kueue.x-k8s.io/v1beta2
kind: WorkloadPriorityClass
metadata:
  name: high
value: 1000
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: Workload
metadata:
  name: w
  namespace: ml
  creationTimestamp: "2026-03-02T08:00:00Z"
spec:
  queueName: l
  priorityClassRef: {group: kueue.x-k8s.io, kind: WorkloadPriorityClass, name: high}
  podSets:
  - name: main
    count: 1
    template:
      spec:
        containers:
        - name: c
          image: c
          resources:
            requests: {cpu: 2}
)",
         .good = R"(apiVersion: kueue.x-k8s.io/v1beta2
kind: WorkloadPriorityClass
metadata:
  name: high
value: 1000
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: Workload
metadata:
  name: w
  namespace: ml
  creationTimestamp: "2026-03-02T08:00:00Z"
spec:
  queueName: l
  priority: 1000
  priorityClassRef: {group: kueue.x-k8s.io, kind: WorkloadPriorityClass, name: high}
  podSets:
  - name: main
    count: 1
    template:
      spec:
        containers:
        - name: c
          image: c
          resources:
            requests: {cpu: 2}
)",
         .check = [](const Repository& repository, FindingSink& found) {
           for (const Manifest* workload : repository.of(kind::kKueueWorkload)) {
             if (has_condition(*workload, "Finished")) continue;
             const Value reference = workload->in("spec.priorityClassRef");
             const Value old_name = workload->in("spec.priorityClassName");
             const Value name = reference ? reference["name"] : old_name;
             if (name.text().empty()) continue;
             const Value priority = workload->in("spec.priority");
             if (!priority) {
               found.field(name, fmt::format("Workload {}/{} names a class and has no spec.priority: it counts as 0",
                                             workload->ns, workload->name));
               continue;
             }
             const bool of_kueue =
                 reference ? reference["kind"].is("WorkloadPriorityClass")
                           : !workload->in("spec.priorityClassSource").text().starts_with("scheduling.k8s.io");
             const Manifest* const named = of_kueue ? find_named(repository, kind::kWorkloadPriorityClass, name.text())
                                                    : find_named(repository, kind::kPriorityClass, name.text());
             if (named == nullptr || (*named)["value"].text() == priority.text()) continue;
             found
                 .value(priority, fmt::format("Workload {}/{} has priority {}, and its class {} has {}", workload->ns,
                                              workload->name, priority.text(), name.text(), (*named)["value"].text()))
                 .related((*named)["value"], "its class");
           }
         }};

}  // namespace previct::lint
