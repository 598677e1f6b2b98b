#include "base/text.h"
#include "lint/rule.h"

namespace previct::lint {

const Rule& pc001_class_unknown_rule =
    Rule{.id = "PC001",
         .name = "class-unknown",
         .severity = Severity::warning,
         .title = "a pod names a PriorityClass that is not in the input",
         .why =
             "Admission refuses the pod: a Deployment then has no pods, and only its events say why. (Not reported if "
             "the input has no PriorityClass at all.)",
         .how_to_fix = "Correct the name, or lint the file with the class together with this one.",
         .source = "kubernetes plugin/pkg/admission/priority/admission.go (no PriorityClass with that name was found)",
         .check = [](const Repository& repository, FindingSink& found) {
           if (!repository.knows_classes()) return;
           std::vector<std::string> names;
           for (const PriorityClassShape& each : repository.classes()) names.push_back(each.name);
           for (const PodShape& pod : repository.pods()) {
             const std::string_view name = pod.class_name();
             if (!pod.authored() || pod.bound || name.empty() || repository.find_class(name) != nullptr) continue;
             // Another part of the tree has the class, and which parts form a cluster is unknown.
             if (!repository.is_whole() && repository.tree().has(kind::kPriorityClass, name)) continue;
             const auto meant = nearest(name, names);
             auto note = found.value(pod.spec["priorityClassName"],
                                     fmt::format("no PriorityClass {} in the input{}", name,
                                                 meant ? fmt::format("; did you mean {}?", *meant) : ""));
             note.note("admission refuses pods of a class that does not exist");
           }
         }};

}  // namespace previct::lint
