#pragma once

#include "engine/kai/account.h"
#include "report/report.h"

namespace previct::kai {

/// The facts at the start of a cycle and its outcome, with the names and shapes of the golden cases' expected.json
/// (spec §17). On large clusters the tables of pairs hold only the row of `subject`.
/// `shares_by_chance`: as of shares_by_chance().
/// `start` is a session in which nothing has happened yet; it is not changed.
[[nodiscard]] auto evidence_of(const Cycle& cycle, Session& start, GroupId subject, Instant now, bool shares_by_chance)
    -> Json;

}  // namespace previct::kai
