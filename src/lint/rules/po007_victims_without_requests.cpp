#include "lint/rule.h"

namespace previct::lint {

const Rule& po007_victims_without_requests_rule = Rule{
    .id = "PO007",
    .name = "victims-without-requests",
    .severity = Severity::info,
    .title = "a preemptible workload without requests",
    .why =
        "Evicting its pods frees nothing but their places in the pod count, so other pods are evicted as well or "
        "instead.",
    .how_to_fix = "Set requests, so that an eviction frees what the pod uses.",
    .source = "kubernetes pkg/scheduler/framework/plugins/noderesources (requests alone are counted)",
    .check =
        [](const Repository& repository, FindingSink& found) {
          for (const PodShape& pod : repository.pods()) {
            const auto priority = repository.priority_of(pod);
            if (pod.is_pod || !pod.authored() || !priority || !repository.knows_classes() || pod.class_name().empty())
              continue;
            // Requests of init containers count as long as the pod is on its node.
            const auto asks = [&](std::string_view list) {
              const Value containers = pod.spec[list];
              return std::any_of(containers.begin(), containers.end(), [](const Value& container) {
                return container["resources"]["requests"].size() > 0 || container["resources"]["limits"].size() > 0;
              });
            };
            const bool has_requests = pod.spec["resources"] || asks("containers") || asks("initContainers");
            if (has_requests || repository.class_above(*priority) == nullptr) continue;
            found.key(pod.spec["containers"],
                      fmt::format("{} may be preempted, but that frees nothing: it has no requests",
                                  pod.manifest->identity()));
          }
        },
    .whole_cluster = true};

}  // namespace previct::lint
