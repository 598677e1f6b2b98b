#include "lint/rule.h"

namespace previct::lint {

const Rule& po003_daemon_below_rule =
    Rule{.id = "PO003",
         .name = "daemon-below",
         .severity = Severity::warning,
         .title = "a DaemonSet whose priority is not above that of workloads",
         .why =
             "On a full node its pod cannot preempt anything, and stays pending there forever; running ones may be "
             "evicted for workloads.",
         .how_to_fix = "Give the DaemonSet a class above the workloads it serves.",
         .source = "kubernetes/kubernetes#140984, #141227",
         .check = [](const Repository& repository, FindingSink& found) {
           const PodShape* highest = nullptr;
           std::int64_t value = 0;
           for (const PodShape& pod : repository.pods()) {
             const auto priority = repository.priority_of(pod);
             const bool system = pod.class_name().starts_with("system-");
             if (pod.owned || pod.finished || system || pod.of("DaemonSet") || !priority) continue;
             if (*priority > value) {
               highest = &pod;
               value = *priority;
             }
           }
           if (highest == nullptr) return;  // none is above 0
           for (const PodShape& pod : repository.pods()) {
             const auto priority = repository.priority_of(pod);
             if (!pod.of("DaemonSet") || !priority || *priority >= value) continue;
             const Value at = pod.spec["priorityClassName"];
             const std::string message = fmt::format("{} has priority {}, below {} with {}", pod.manifest->identity(),
                                                     *priority, highest->manifest->identity(), value);
             auto note = at ? found.value(at, message) : found.object(*pod.manifest, message);
             note.related(highest->manifest->in("metadata.name"), "outranks it");
           }
         }};

}  // namespace previct::lint
