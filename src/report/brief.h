#pragma once

#include "report/report.h"

#include <cstddef>
#include <vector>

namespace previct {

/// The first rows of a table, with a footer that counts the others. A single further row is shown, too.
[[nodiscard]] auto first_rows(Table table, std::size_t rows) -> Table;

/// The short form of a report for terminals: no pictures, the first rows of each table, and a last line that says how
/// to see the rest.
[[nodiscard]] auto brief_of(const Report& report) -> std::vector<Block>;

/// `-v shows everything: all nodes, all victims`
[[nodiscard]] auto rest_line(std::string_view what) -> Line;

}  // namespace previct
