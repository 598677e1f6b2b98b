#include "lint/rule.h"

namespace previct::lint {

const Rule& kq003_no_namespace_selector_rule = Rule{
    .id = "KQ003",
    .name = "no-namespace-selector",
    .severity = Severity::warning,
    .title = "a ClusterQueue without a namespaceSelector",
    .why =
        "An absent selector matches no namespace, so no workload is ever admitted: each waits with \"workload "
        "namespace doesn't match ClusterQueue selector\".",
    .how_to_fix = "Write namespaceSelector: {} for all namespaces, or a selector for some.",
    .source = "kubernetes-sigs/kueue pkg/workload/resources.go ValidateAdmissibility",
    .check = [](const Repository& repository, FindingSink& found) {
      for (const Manifest* queue : repository.of(kind::kClusterQueue)) {
        if (queue->in("spec.namespaceSelector")) continue;
        found.object(*queue,
                     fmt::format("ClusterQueue {} has no namespaceSelector, so it admits no workload", queue->name));
      }
    }};

}  // namespace previct::lint
