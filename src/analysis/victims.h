#pragma once

#include "analysis/grounds.h"
#include "analysis/places.h"
#include "tell/answer.h"

#include <string>
#include <vector>

namespace previct {

/// The victims as a table for people, which marks pods that come back at once or never.
[[nodiscard]] auto victim_table(const Answer& answer, const Grounds& grounds, const Places& places) -> Table;

[[nodiscard]] auto victims_json(const Answer& answer, const Snapshot& cluster, const Places& places) -> Json;
[[nodiscard]] auto odds_json(const Answer& answer, const Snapshot& cluster) -> Json;
[[nodiscard]] auto orders_json(const Orders& orders, const Snapshot& cluster) -> Json;

/// For -o name: those that go in any case, or with Grounds::possible all that may go.
[[nodiscard]] auto victim_names(const Answer& answer, const Grounds& grounds) -> std::vector<std::string>;

}  // namespace previct
