#pragma once

#include "report/format.h"

#include <string>

namespace previct {

/// A report as text for people. Tables look as kubectl's: upper-case heads, three blanks between columns, no
/// borders, numbers right aligned.
///
/// On a narrow terminal optional columns go first, last one first; then the last column is wrapped under
/// itself; when even that leaves it no room, and below 60 columns, a table becomes one block a record. Words,
/// and so the names of pods, nodes and files, are never cut. `wide` adds the columns that are only_wide,
/// never lines.
[[nodiscard]] auto text_of(const Report& report, const Style& style, bool wide) -> std::string;

}  // namespace previct
