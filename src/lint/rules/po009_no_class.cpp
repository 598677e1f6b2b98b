#include "lint/rule.h"

namespace previct::lint {

const Rule& po009_no_class_rule = Rule{
    .id = "PO009",
    .name = "no-class",
    .severity = Severity::info,
    .title = "a workload without a PriorityClass in a cluster that has some",
    .why =
        "Without a globalDefault class its pods have priority 0, below every class with a positive value: they are "
        "evicted first.",
    .how_to_fix = "Set a class, or define a default class.",
    .source = "kubernetes plugin/pkg/admission/priority/admission.go (DefaultPriorityWhenNoDefaultClassExists)",
    .check =
        [](const Repository& repository, FindingSink& found) {
          if (!repository.knows_classes() || repository.default_class() != nullptr) return;
          std::vector<const PodShape*> pods;
          for (const PodShape& pod : repository.pods()) {
            if (!pod.authored() || pod.bound || !pod.class_name().empty() || pod.spec["priority"]) continue;
            pods.push_back(&pod);
          }
          if (pods.empty()) return;
          found.object(*pods.front()->manifest, fmt::format("{} has no PriorityClass: its pods have priority 0{}",
                                                            pods.front()->manifest->identity(), and_more(pods.size())));
        },
    .whole_cluster = true};

}  // namespace previct::lint
