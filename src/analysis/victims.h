#pragma once

#include "analysis/report_context.h"
#include "analysis/source_locations.h"
#include "tell/answer.h"

#include <functional>
#include <string>
#include <vector>

namespace previct {

/// The victims as a table for people, which marks pods that come back at once or never.
[[nodiscard]] auto victim_table(const Answer& answer, const ReportContext& context, const Places& places) -> Table;

[[nodiscard]] auto victims_json(const Answer& answer, const Snapshot& cluster, const Places& places) -> Json;
[[nodiscard]] auto odds_json(const Answer& answer, const Snapshot& cluster) -> Json;
[[nodiscard]] auto orders_json(const Orders& orders, const Snapshot& cluster) -> Json;

/// Victims of which some are one choice out of several: `default/a and 1 of 2 equal pods (here default/low-b)`. `names`
/// folds long lists as the caller does.
[[nodiscard]] auto choice_words(const std::vector<PodId>& victims, const OpenVictims& open,
                                const std::function<std::string(const std::vector<PodId>&)>& names) -> std::string;
/// `certain` and `oneOf`, if some are.
void add_choice(const OpenVictims& open, const std::function<std::string(PodId)>& name, Json& json);

/// For -o name: those that go in any case, or with ReportContext::possible all that may go.
[[nodiscard]] auto victim_names(const Answer& answer, const ReportContext& context) -> std::vector<std::string>;

}  // namespace previct
