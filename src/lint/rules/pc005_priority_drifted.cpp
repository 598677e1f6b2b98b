#include "base/go.h"
#include "lint/rule.h"

namespace previct::lint {

const Rule& pc005_priority_drifted_rule = Rule{
    .id = "PC005",
    .name = "priority-drifted",
    .severity = Severity::warning,
    .title = "a pod whose priority no longer matches its class",
    .why =
        "The class was deleted and recreated with another value. Pods keep the priority they were admitted "
        "with, so old and new pods of one class rank differently, and PreemptionToleration mixes the old priority with "
        "the new annotations.",
    .how_to_fix = "Replace the old pods, and give a class with a new value a new name.",
    .source =
        "kubernetes plugin/pkg/admission/priority/admission.go (priority is set once); "
        "kubernetes/kubernetes#99205",
    .check = [](const Repository& repository, FindingSink& found) {
      for (const PodShape& pod : repository.pods()) {
        if (!pod.is_pod || pod.finished || (!pod.bound && !pod.manifest->stored)) continue;
        const Value priority = pod.spec["priority"];
        const PriorityClassShape* of = repository.find_class(pod.class_name());
        if (!priority || of == nullptr || !of->value || go::parse_int(priority.text(), 32) == of->value) continue;
        auto note = found.value(priority, fmt::format("{} has priority {}, but its class {} now has {}",
                                                      pod.manifest->identity(), priority.text(), of->name, *of->value));
        if (of->manifest != nullptr) note.related((*of->manifest)["value"], fmt::format("PriorityClass {}", of->name));
      }
    }};

}  // namespace previct::lint
