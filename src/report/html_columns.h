#pragma once

#include "report/report.h"

#include <string_view>
#include <vector>

namespace previct {

/// Returns true if the lines of a cell are never broken at a hyphen: numbers, and names of at most 20 bytes.
[[nodiscard]] auto is_kept_whole(const Column& column, std::string_view text) -> bool;

/// Returns true for each column whose words must be broken between any two letters so that the table fits on a page of
/// A4 or US Letter paper: the columns with the longest words, as few as possible; if there are too many columns, all of
/// them. Widths are estimates in letters, because a page uses the fonts of its reader. `shown`: the columns that the
/// page shows.
[[nodiscard]] auto columns_to_break(const Table& table, const std::vector<bool>& shown) -> std::vector<bool>;

}  // namespace previct
