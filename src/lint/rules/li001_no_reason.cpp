#include "lint/rule.h"

namespace previct::lint {

const Rule& li001_no_reason_rule = Rule{.id = "LI001",
                                        .name = "no-reason",
                                        .severity = Severity::info,
                                        .title = "an ignore without a reason",
                                        .why = "Later, no one can tell whether it still applies.",
                                        .how_to_fix = "Write the reason after the rule id.",
                                        .source = "previct itself",
                                        .check = nullptr};

}  // namespace previct::lint
