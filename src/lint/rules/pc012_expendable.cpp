#include "lint/rule.h"

namespace previct::lint {

const Rule& pc012_expendable_rule = Rule{
    .id = "PC012",
    .name = "expendable",
    .severity = Severity::info,
    .title = "a value below -10",
    .why =
        "cluster-autoscaler treats pods below -10 as expendable: it adds no node for them, and they do not prevent it "
        "from removing one. The rule is silent unless the input mentions cluster-autoscaler or the threshold is set. "
        "If the input sets --expendable-pods-priority-cutoff, that value replaces -10.",
    .how_to_fix =
        "Choose -10 or more, or set --expendable-pods-priority-cutoff, if nodes should be added for such pods.",
    .source =
        "kubernetes/autoscaler cluster-autoscaler (expendable-pods-priority-cutoff, default -10); #1037, "
        "#1157",
    .check = [](const Repository& repository, FindingSink& found) {
      // The effect depends on cluster-autoscaler: if the input does not mention it, it may not run.
      const Autoscaler& autoscaler = repository.tree().autoscaler();
      if (!autoscaler.occurs && repository.tree().thresholds.count("expendable-priority") == 0) return;
      const std::int64_t least = repository.tree().threshold("expendable-priority", autoscaler.cutoff.value_or(-10));
      for (const PriorityClassShape& each : repository.classes()) {
        if (each.manifest == nullptr || each.value.value_or(0) >= least) continue;
        found.value(
            (*each.manifest)["value"],
            fmt::format("{}: cluster-autoscaler adds no nodes for pods of priority below {}", each.name, least));
      }
    }};

}  // namespace previct::lint
