#include "base/go.h"
#include "lint/rule.h"

namespace previct::lint {

const Rule& pc009_priority_against_class_rule = Rule{
    .id = "PC009",
    .name = "priority-against-class",
    .severity = Severity::error,
    .title = "a template that sets priority or preemptionPolicy differently from its class",
    .why = "Admission computes both from the class and refuses a pod that says otherwise.",
    .how_to_fix = "Leave priority and preemptionPolicy out of pods; set them in the class.",
    .source =
        "kubernetes plugin/pkg/admission/priority/admission.go (the integer value of priority must not be "
        "provided in pod spec)",
    .check = [](const Repository& repository, FindingSink& found) {
      for (const PodShape& pod : repository.pods()) {
        if (!pod.authored() || pod.manifest->stored || pod.bound) continue;
        const PriorityClassShape* of =
            pod.class_name().empty() ? repository.default_class() : repository.find_class(pod.class_name());
        const bool known = of != nullptr || pod.class_name().empty();
        if (!known || (of != nullptr && !of->value)) continue;
        const std::int64_t computed = of == nullptr ? 0 : *of->value;
        const std::string gets =
            of == nullptr ? "a pod without a PriorityClass gets" : fmt::format("PriorityClass {} gives", of->name);
        if (const Value priority = pod.spec["priority"]; priority && go::parse_int(priority.text(), 32) != computed) {
          found.field(priority, fmt::format("admission rejects this pod: it sets priority {}, but {} {}",
                                            priority.text(), gets, computed));
        }
        const std::string_view policy = of != nullptr && of->never_preempts ? "Never" : "PreemptLowerPriority";
        if (const Value own = pod.spec["preemptionPolicy"]; own && !own.is(policy)) {
          found.field(own, fmt::format("admission rejects this pod: it sets preemptionPolicy {}, but {} {}", own.text(),
                                       gets, policy));
        }
      }
    }};

}  // namespace previct::lint
