#pragma once

#include "engine/kai/account.h"
#include "report/report.h"

namespace previct::kai {

/// Returns the facts at the start of a cycle and its outcome, with the names and schema of the golden cases'
/// expected.json (spec §17). On large clusters, the tables of pairs only contain the row of `subject`.
/// `shares_depend_on_order`: the result of shares_depend_on_order().
/// `start` is a session in which nothing has happened yet; it is not changed.
[[nodiscard]] auto evidence_of(const Cycle& cycle, Session& start, GroupId subject, Instant now,
                               bool shares_depend_on_order) -> Json;

}  // namespace previct::kai
