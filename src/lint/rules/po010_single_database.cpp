#include "lint/rule.h"

#include <optional>

namespace previct::lint {

const Rule& po010_single_database_rule =
    Rule{.id = "PO010",
         .name = "single-database",
         .severity = Severity::warning,
         .title = "a StatefulSet of one replica in the lowest class",
         .why = "Its only pod is among the first victims, and no other replica takes over.",
         .how_to_fix = "Give it a class above the work that may be interrupted.",
         .source = "kubernetes pkg/scheduler/framework/preemption (lowest priority is evicted first)",
         .check = [](const Repository& repository, FindingSink& found) {
           std::optional<std::int64_t> lowest;
           for (const PriorityClassShape& each : repository.classes()) {
             if (each.manifest != nullptr && each.value && (!lowest || *each.value < *lowest)) lowest = each.value;
           }
           for (const PodShape& pod : repository.pods()) {
             const Value replicas = pod.manifest->in("spec.replicas");
             if (!pod.of("StatefulSet") || pod.class_name().empty() || (replicas && !replicas.is("1"))) continue;
             if (repository.of(kind::kPriorityClass).size() < 2 || repository.priority_of(pod) != lowest) continue;
             found.value(pod.spec["priorityClassName"], fmt::format("{} has one replica and the lowest class, {}",
                                                                    pod.manifest->identity(), pod.class_name()));
           }
         }};

}  // namespace previct::lint
