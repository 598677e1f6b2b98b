#include "lint/rule.h"

namespace previct::lint {

const Rule& pc003_value_too_high_rule =
    Rule{.id = "PC003",
         .name = "value-too-high",
         .severity = Severity::error,
         .title = "a value above 1000000000",
         .why = "The API server refuses it: higher values are reserved for the two built-in classes.",
         .how_to_fix = "Choose a value of at most 1000000000.",
         .source = "kubernetes pkg/apis/scheduling/validation/validation.go (HighestUserDefinablePriority)",
         .check = [](const Repository& repository, FindingSink& found) {
           constexpr std::int64_t kHighest = 1'000'000'000;
           for (const PriorityClassShape& each : repository.classes()) {
             if (each.manifest == nullptr || each.name.starts_with("system-") || each.value.value_or(0) <= kHighest)
               continue;
             found.value((*each.manifest)["value"], fmt::format("{}: value {} is above {}, the highest that is allowed",
                                                                each.name, *each.value, kHighest));
           }
         }};

}  // namespace previct::lint
