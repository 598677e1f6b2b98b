#include "lint/rule.h"
#include "lint/selectors.h"

namespace previct::lint {

const Rule& po006_anti_affinity_across_nodes_rule = Rule{
    .id = "PO006",
    .name = "anti-affinity-across-nodes",
    .severity = Severity::warning,
    .title = "required anti-affinity over a zone against pods of lower priority",
    .why =
        "Preemption works on one node at a time. A pod in the way on another node of the zone is not evicted, "
        "and the preemptor stays pending.",
    .how_to_fix = "Use the topology kubernetes.io/hostname, or a preferred term.",
    .source = "kubernetes.io: pod priority and preemption, cross node preemption",
    .check = [](const Repository& repository, FindingSink& found) {
      for (const PodShape& pod : repository.pods()) {
        const auto priority = repository.priority_of(pod);
        if (!pod.authored() || !priority) continue;
        const Value terms = pod.spec.in("affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution");
        for (const Value& term : terms) {
          if (!term["topologyKey"] || term["topologyKey"].is("kubernetes.io/hostname") || term["namespaces"] ||
              term["namespaceSelector"])
            continue;
          for (const PodShape& other : repository.pods()) {
            const auto value = repository.priority_of(other);
            if (!other.authored() || !value || *value >= *priority) continue;
            if (!same_namespace(pod.ns(), other.ns()) || !selects(term["labelSelector"], other.labels())) continue;
            found
                .field(term["topologyKey"],
                       fmt::format("{} has anti-affinity to {} over {}: preemption evicts pods only on the chosen node",
                                   pod.manifest->identity(), other.manifest->identity(), term["topologyKey"].text()))
                .related(other.manifest->in("metadata.name"), "has the lower priority");
            break;
          }
        }
      }
    }};

}  // namespace previct::lint
