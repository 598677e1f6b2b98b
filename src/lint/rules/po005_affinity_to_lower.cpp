#include "lint/rule.h"
#include "lint/selectors.h"

namespace previct::lint {

const Rule& po005_affinity_to_lower_rule = Rule{
    .id = "PO005",
    .name = "affinity-to-lower",
    .severity = Severity::warning,
    .title = "required pod affinity towards pods of lower priority",
    .why =
        "Preemption removes all lower-priority pods before it checks whether the preemptor fits. Without the pods that "
        "the affinity requires, it does not fit: the node is no candidate.",
    .how_to_fix = "Require affinity only to pods of the same or a higher priority.",
    .source = "kubernetes.io: pod priority and preemption, inter-pod affinity on lower-priority pods",
    .check = [](const Repository& repository, FindingSink& found) {
      for (const PodShape& pod : repository.pods()) {
        const auto priority = repository.priority_of(pod);
        if (!pod.authored() || !priority) continue;
        const Value terms = pod.spec.in("affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution");
        for (const Value& term : terms) {
          for (const PodShape& other : repository.pods()) {
            const auto value = repository.priority_of(other);
            if (!other.authored() || !value || *value >= *priority || term["namespaces"] || term["namespaceSelector"])
              continue;
            if (!same_namespace(pod.ns(), other.ns()) || !selects(term["labelSelector"], other.labels())) continue;
            found
                .field(term["labelSelector"],
                       fmt::format("{} ({}) must be near {} ({}): preemption cannot help it", pod.manifest->identity(),
                                   *priority, other.manifest->identity(), *value))
                .related(other.manifest->in("metadata.name"), "has the lower priority");
            break;
          }
        }
      }
    }};

}  // namespace previct::lint
