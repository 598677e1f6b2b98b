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
