#include "lint/rule.h"

namespace previct::lint {

const Rule& pc016_no_value_rule =
    Rule{.id = "PC016",
         .name = "no-value",
         .severity = Severity::warning,
         .title = "a PriorityClass without a value",
         .why =
             "kubectl refuses it. A client that does not validate creates a class with the value 0, the priority of "
             "every pod without a class.",
         .how_to_fix = "Write the value, even if it is 0.",
         .source = "kubernetes pkg/apis/scheduling/v1 (value is required in the schema, 0 in Go)",
         .check = [](const Repository& repository, FindingSink& found) {
           for (const Manifest* manifest : repository.of(kind::kPriorityClass)) {
             if (!(*manifest)["value"])
               found.object(*manifest, fmt::format("{} has no value; it would be 0", manifest->name));
           }
         }};

}  // namespace previct::lint
