#pragma once

#include "analysis/report_context.h"
#include "analysis/source_locations.h"
#include "tell/answer.h"

#include <functional>
#include <string>
#include <vector>

namespace previct {

/// The victims as a table that marks pods that are restarted at once or never recreated.
[[nodiscard]] auto victim_table(const Answer& answer, const ReportContext& context, const SourceLocations& places)
    -> Table;

[[nodiscard]] auto victims_json(const Answer& answer, const Snapshot& cluster, const SourceLocations& places) -> Json;
[[nodiscard]] auto odds_json(const Answer& answer, const Snapshot& cluster) -> Json;
[[nodiscard]] auto orders_json(const Orders& orders, const Snapshot& cluster) -> Json;

/// Words for victims of which some are one choice of several: `default/a and 1 of 2 equal pods (here default/low-b)`.
/// `names` folds long lists for the caller.
[[nodiscard]] auto choice_words(const std::vector<PodId>& victims, const ReplaceableVictims& open,
                                const std::function<std::string(const std::vector<PodId>&)>& names) -> std::string;
/// Adds `certain` and `oneOf`, if some victims are one choice of several.
void add_choice(const ReplaceableVictims& open, const std::function<std::string(PodId)>& name, Json& json);

/// For -o name: the certain victims, or with ReportContext::possible all possible victims.
[[nodiscard]] auto victim_names(const Answer& answer, const ReportContext& context) -> std::vector<std::string>;

}  // namespace previct
