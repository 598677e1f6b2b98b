#include "lint/rule.h"

namespace previct::lint {

const Rule& li002_ignores_nothing_rule =
    Rule{.id = "LI002",
         .name = "ignores-nothing",
         .severity = Severity::info,
         .title = "an ignore that matches no finding",
         .why = "The finding that it was written for is fixed or has moved, and it would hide a new one.",
         .how_to_fix = "Take it out, or name the object as findings do: KIND NAMESPACE/NAME.",
         .source = "previct itself",
         .check = nullptr};

}  // namespace previct::lint
