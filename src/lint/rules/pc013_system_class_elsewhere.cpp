#include "lint/rule.h"

namespace previct::lint {

const Rule& pc013_system_class_elsewhere_rule = Rule{
    .id = "PC013",
    .name = "system-class-elsewhere",
    .severity = Severity::info,
    .title = "a system class outside kube-system",
    .why =
        "Since 1.17 any namespace may use the two system classes unless a ResourceQuota forbids it. Such a pod "
        "outranks everything else, and may evict what a node needs to work.",
    .how_to_fix = "Use a class of your own, or confine the system classes by a ResourceQuota with a scopeSelector.",
    .source = "kubernetes plugin/pkg/admission/priority (no check of the namespace since 1.17)",
    .check =
        [](const Repository& repository, FindingSink& found) {
          std::vector<const PodShape*> pods;
          for (const PodShape& pod : repository.pods()) {
            const std::string_view name = pod.class_name();
            const bool critical = name == "system-node-critical" || name == "system-cluster-critical";
            if (!critical || !pod.authored() || pod.ns() == "kube-system" || pod.ns().empty()) continue;
            pods.push_back(&pod);
          }
          if (pods.empty()) return;
          const PodShape& first = *pods.front();
          found.value(first.spec["priorityClassName"],
                      fmt::format("{} has the class {} outside kube-system{}", first.manifest->identity(),
                                  first.class_name(), and_more(pods.size())));
        },
    .whole_cluster = true};

}  // namespace previct::lint
