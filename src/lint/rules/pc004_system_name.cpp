#include "api/upstream.h"
#include "lint/rule.h"

#include <algorithm>

namespace previct::lint {

const Rule& pc004_system_name_rule =
    Rule{.id = "PC004",
         .name = "system-name",
         .severity = Severity::error,
         .title = "a name that begins with system- and is not one of the built-in classes",
         .why =
             "The prefix is reserved: the API server refuses any other class with such a name, and the built-in ones "
             "with other values.",
         .how_to_fix = "Choose another name.",
         .source = "kubernetes pkg/apis/scheduling/validation/validation.go (IsKnownSystemPriorityClass)",
         .check = [](const Repository& repository, FindingSink& found) {
           for (const PriorityClassShape& each : repository.classes()) {
             if (each.manifest == nullptr || !each.name.starts_with("system-")) continue;
             const bool theirs = std::any_of(
                 upstream::kSystemClasses.begin(), upstream::kSystemClasses.end(),
                 [&](const upstream::SystemClass& s) { return each.name == s.name && each.value == s.value; });
             if (theirs) continue;
             found.object(*each.manifest, fmt::format("{}: names that begin with system- are reserved", each.name));
           }
         }};

}  // namespace previct::lint
