#include "base/go.h"
#include "lint/rule.h"

namespace previct::lint {

const Rule& pd003_no_status_rule = Rule{
    .id = "PD003",
    .name = "no-status",
    .severity = Severity::warning,
    .title = "a budget in a dump whose status is missing or out of date",
    .why =
        "The scheduler reads status.disruptionsAllowed and nothing else. Without it the budget counts as used "
        "up, which changes the node that is chosen.",
    .how_to_fix = "Find out why the disruption controller has not caught up, and take the dump again.",
    .source =
        "kubernetes pkg/scheduler/framework/plugins/defaultpreemption/default_preemption.go "
        "(filterPodsWithPDBViolation)",
    .check =
        [](const Repository& repository, FindingSink& found) {
          // A capture omits zeros, so that an exhausted budget has no status there.
          const bool captured = !repository.of("Capture.previct").empty();
          for (const Manifest* budget : repository.of(kind::kBudget)) {
            if (!budget->stored) continue;
            const Value status = (*budget)["status"];
            const auto seen = go::parse_int(status["observedGeneration"].text(), 64);
            const auto written = go::parse_int(budget->in("metadata.generation").text(), 64);
            if (!status && captured) continue;
            if (!status) {
              found.object(*budget, fmt::format("budget {} has no status: 0 disruptions are allowed", budget->name));
            } else if (seen && written && *seen < *written) {
              found.field(status["observedGeneration"],
                          fmt::format("the status of budget {} was computed for generation {}, and the budget is at {}",
                                      budget->name, *seen, *written));
            }
          }
        },
    .whole_cluster = true};

}  // namespace previct::lint
