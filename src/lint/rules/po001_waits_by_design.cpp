#include "lint/rule.h"

#include <optional>

namespace previct::lint {

const Rule& po001_waits_by_design_rule = Rule{
    .id = "PO001",
    .name = "waits-by-design",
    .severity = Severity::info,
    .title = "a pending pod that may not preempt, while pods of lower priority run",
    .why = "preemptionPolicy is Never: the pod waits until enough resources are free, whatever its priority.",
    .how_to_fix = "Give the pod a class that may preempt, if it should not wait.",
    .source = "kubernetes pkg/scheduler/framework/plugins/defaultpreemption (PodEligibleToPreemptOthers)",
    .check = [](const Repository& repository, FindingSink& found) {
      std::optional<std::int64_t> lowest;
      for (const PodShape& pod : repository.pods()) {
        const auto priority = repository.priority_of(pod);
        if (pod.bound && priority && (!lowest || *priority < *lowest)) lowest = priority;
      }
      for (const PodShape& pod : repository.pods()) {
        const Value policy = pod.spec["preemptionPolicy"];
        const auto priority = repository.priority_of(pod);
        if (!pod.is_pod || pod.bound || pod.finished || !policy.is("Never") || !priority || !lowest ||
            *lowest >= *priority)
          continue;
        for (const Value& condition : pod.manifest->in("status.conditions")) {
          if (!condition["reason"].is("Unschedulable")) continue;
          found.field(
              policy,
              fmt::format("{} (priority {}) waits, although pods of priority {} run: its preemptionPolicy is Never",
                          pod.manifest->identity(), *priority, *lowest));
        }
      }
    }};

}  // namespace previct::lint
