#pragma once

#include "report/format.h"

#include <string>

namespace previct {

/// A report as text for people. Tables look as kubectl's: upper-case heads, three blanks between columns, no
/// borders, numbers right aligned.
///
/// On a narrow terminal columns of sentences are wrapped a little, then optional columns are left out, last one first,
/// then columns are wrapped more. A table of numbers that is still too wide becomes several; another one gets its first
/// column on lines of its own; and if nothing of that helps, a table becomes one block a record. Words, and so the
/// names of pods, nodes and files, are never cut. `wide` adds the columns that are only_wide, never lines.
[[nodiscard]] auto text_of(const Report& report, const Style& style, bool wide) -> std::string;

}  // namespace previct
