#include "base/text.h"
#include "lint/rule.h"

namespace previct::lint {

const Rule& pc015_policy_unknown_rule = Rule{
    .id = "PC015",
    .name = "policy-unknown",
    .severity = Severity::error,
    .title = "preemptionPolicy is neither Never nor PreemptLowerPriority",
    .why = "The API server refuses the object.",
    .how_to_fix = "Write Never or PreemptLowerPriority; the case counts.",
    .source =
        "kubernetes pkg/apis/scheduling/validation/validation.go and pkg/apis/core/validation "
        "(ValidatePreemptionPolicy)",
    .check = [](const Repository& repository, FindingSink& found) {
      const auto check = [&](const Value& policy) {
        if (!policy || policy.is("Never") || policy.is("PreemptLowerPriority")) return;
        auto note = found.value(
            policy, fmt::format("preemptionPolicy \"{}\" is neither Never nor PreemptLowerPriority", policy.text()));
        if (const auto meant = nearest(policy.text(), {"Never", "PreemptLowerPriority"})) note.fix_value(*meant);
      };
      for (const Manifest* manifest : repository.of(kind::kPriorityClass)) check((*manifest)["preemptionPolicy"]);
      for (const PodShape& pod : repository.pods()) check(pod.spec["preemptionPolicy"]);
    }};

}  // namespace previct::lint
