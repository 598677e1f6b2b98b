#pragma once

#include "report/report.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace previct {

/// Returns what `previct rules` prints for a reason that engines give: its sentence, an example of it, the scheduler's
/// own words, and the source of the rule. None if no engine gives a reason with this id.
[[nodiscard]] auto reason_report(std::string_view id) -> std::optional<Report>;

/// Returns the ids of all reasons, sorted, without duplicates.
[[nodiscard]] auto reason_ids() -> std::vector<std::string>;

}  // namespace previct
