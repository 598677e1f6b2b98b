#pragma once

#include "report/format.h"

#include <string>

namespace previct {

/// Formats a report as text. Tables look like kubectl's: upper-case heads, three blanks between columns, no borders,
/// numbers right aligned.
///
/// On a narrow terminal, columns of sentences are first wrapped slightly, then optional columns are dropped, last one
/// first, then columns are wrapped more. A table of numbers that is still too wide is split into several; another table
/// gets its first column on separate lines; and if that does not suffice, each record becomes a block. Words, and
/// therefore names of pods, nodes and files, are never truncated. `wide` adds the columns that are only_wide, never
/// lines.
[[nodiscard]] auto text_of(const Report& report, const Style& style, bool wide) -> std::string;

}  // namespace previct
