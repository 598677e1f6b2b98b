#include "lint/rule.h"

namespace previct::lint {

const Rule& pc010_default_preempts_rule = Rule{
    .id = "PC010",
    .name = "default-preempts",
    .severity = Severity::warning,
    .title = "the globalDefault class has a value above 0 and preempts",
    .why =
        "The default applies to pods created from now on. Older pods have priority 0, so every new pod without a class "
        "may evict them.",
    .how_to_fix = "Give the default class the value 0, or preemptionPolicy: Never.",
    .source =
        "kubernetes plugin/pkg/admission/priority/admission.go; kubernetes.io: a PriorityClass with "
        "globalDefault does not change existing pods",
    .check = [](const Repository& repository, FindingSink& found) {
      for (const PriorityClassShape& each : repository.classes()) {
        if (each.manifest == nullptr || !each.global_default || each.never_preempts || each.value.value_or(0) <= 0)
          continue;
        found.field(
            (*each.manifest)["globalDefault"],
            fmt::format("{}: every new pod without a class may preempt pods created before this class ({} against 0)",
                        each.name, *each.value));
      }
    }};

}  // namespace previct::lint
