#include "base/text.h"
#include "lint/rule.h"

#include <vector>

namespace previct::lint {

const Rule& po012_class_misplaced_rule = Rule{
    .id = "PO012",
    .name = "class-misplaced",
    .severity = Severity::error,
    .title = "priorityClassName in the wrong place, or misspelled",
    .why =
        "It is a field of the pod's spec. Outside the template's spec, in a container, or with other "
        "capitalization, it is an unknown field: without validation, the API server drops it, and the pods have "
        "priority 0.",
    .how_to_fix = "Write priorityClassName into the spec of the pod or of the template.",
    .source = "kubernetes pkg/apis/core/types.go PodSpec",
    .check = [](const Repository& repository, FindingSink& found) {
      for (const PodShape& pod : repository.pods()) {
        if (!pod.authored()) continue;
        std::vector<Value> wrong = {pod.metadata["priorityClassName"]};
        if (!pod.is_pod) {
          wrong.push_back(pod.manifest->in("spec.priorityClassName"));
          wrong.push_back(pod.manifest->in("spec.template.priorityClassName"));
        }
        for (const Value& container : pod.spec["containers"]) wrong.push_back(container["priorityClassName"]);
        for (const Value& at : wrong) {
          // Kinds of operators may have their own fields of this name.
          const std::string& group = pod.manifest->group;
          const bool ours = group.empty() || group == "apps" || group == "batch";
          if (at && ours) found.field(at, fmt::format("{} is not in the pod spec and has no effect", at.key()));
        }
        for (const Value& field : pod.spec) {
          if (field.key() == "priorityClassName" || field.key() == "priority") continue;
          if (!nearest(field.key(), {"priorityClassName", "priorityClass", "priorityclassname", "priorityClassname"}))
            continue;
          found.key(field, fmt::format("unknown field {}, did you mean priorityClassName?", field.key()))
              .fix_key("priorityClassName");
        }
      }
    }};

}  // namespace previct::lint
