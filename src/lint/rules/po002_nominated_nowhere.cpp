#include "lint/rule.h"

namespace previct::lint {

const Rule& po002_nominated_nowhere_rule =
    Rule{.id = "PO002",
         .name = "nominated-nowhere",
         .severity = Severity::warning,
         .title = "a pod nominated to a node that is missing or not ready",
         .why =
             "Its victims may be gone while the pod cannot start. Until the nomination is cleared, the resources are "
             "reserved for it.",
         .how_to_fix = "Look at the node; deleting the pod ends the nomination.",
         .source = "kubernetes/kubernetes#95752, #92600, #106780",
         .check = [](const Repository& repository, FindingSink& found) {
           const auto& nodes = repository.of(kind::kNode);
           if (nodes.empty()) return;
           for (const PodShape& pod : repository.pods()) {
             const Value name = pod.manifest->in("status.nominatedNodeName");
             if (!pod.is_pod || pod.bound || name.text().empty()) continue;
             const auto node = std::find_if(nodes.begin(), nodes.end(),
                                            [&](const Manifest* each) { return each->name == name.text(); });
             if (node == nodes.end()) {
               found.value(name, fmt::format("{} is nominated to node {}, which is not in the input",
                                             pod.manifest->identity(), name.text()));
               continue;
             }
             for (const Value& condition : (*node)->in("status.conditions")) {
               if (!condition["type"].is("Ready") || condition["status"].is("True")) continue;
               found
                   .value(name, fmt::format("{} is nominated to node {}, which is not ready", pod.manifest->identity(),
                                            name.text()))
                   .related(condition["type"], "Ready is not True");
             }
           }
         }};

}  // namespace previct::lint
