#include "lint/rule.h"

namespace previct::lint {

const Rule& pc002_two_defaults_rule =
    Rule{.id = "PC002",
         .name = "two-defaults",
         .severity = Severity::error,
         .title = "two or more PriorityClasses with globalDefault: true",
         .why =
             "Admission refuses the second one. If two exist anyway, because they were created at the same time, the "
             "one with the lowest value counts.",
         .how_to_fix = "Leave globalDefault: true on one class.",
         .source =
             "kubernetes plugin/pkg/admission/priority/admission.go (validatePriorityClass, "
             "getDefaultPriorityClass)",
         .check = [](const Repository& repository, FindingSink& found) {
           const PriorityClassShape* first = nullptr;
           for (const PriorityClassShape& each : repository.classes()) {
             if (!each.global_default) continue;
             if (first == nullptr) {
               first = &each;
             } else if (each.name != first->name) {
               found
                   .field((*each.manifest)["globalDefault"],
                          fmt::format("{} and {} are both the default; the one with the lower value is used",
                                      first->name, each.name))
                   .related((*first->manifest)["globalDefault"], "the first one");
             }
           }
         }};

}  // namespace previct::lint
