#include "lint/rule.h"

namespace previct::lint {

const Rule& li001_no_reason_rule = Rule{.id = "LI001",
                                        .name = "no-reason",
                                        .severity = Severity::info,
                                        .title = "an ignored finding without a reason",
                                        .why = "Without a reason, it is not clear later whether it still applies.",
                                        .how_to_fix = "Write the reason after the rule ID.",
                                        .source = "previct itself",
                                        .check = nullptr};

}  // namespace previct::lint
