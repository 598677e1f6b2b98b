#include "lint/rule.h"

namespace previct::lint {

const Rule& li003_unknown_rule_rule = Rule{.id = "LI003",
                                           .name = "unknown-rule",
                                           .severity = Severity::warning,
                                           .title = "an ignore entry for a rule that does not exist",
                                           .why = "It ignores nothing.",
                                           .how_to_fix = "Correct the ID; previct rules lists them.",
                                           .source = "previct itself",
                                           .check = nullptr};

}  // namespace previct::lint
