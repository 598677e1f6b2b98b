#include "lint/rule.h"

namespace previct::lint {

const Rule& pc017_version_gone_rule =
    Rule{.id = "PC017",
         .name = "version-gone",
         .severity = Severity::error,
         .title = "a PriorityClass of an API version that is not served",
         .why =
             "Kubernetes 1.22 removed scheduling.k8s.io/v1alpha1 and v1beta1 (the current v1alpha1 is for PodGroups "
             "and similar kinds).",
         .how_to_fix = "Write scheduling.k8s.io/v1; the fields are the same.",
         .source = "kubernetes.io deprecation guide, v1.22: PriorityClass",
         .check = [](const Repository& repository, FindingSink& found) {
           for (const Manifest* manifest : repository.of(kind::kPriorityClass)) {
             const Value version = (*manifest)["apiVersion"];
             if (!version || manifest->version == "v1") continue;
             // The API server of this dump served it.
             if (manifest->in("metadata.uid")) continue;
             const bool gone = manifest->version == "v1alpha1" || manifest->version == "v1beta1";
             found
                 .value(version, gone ? fmt::format("{} is not served since Kubernetes 1.22", version.text())
                                      : fmt::format("PriorityClass does not exist in {}", version.text()))
                 .fix_value("scheduling.k8s.io/v1");
           }
         }};

}  // namespace previct::lint
