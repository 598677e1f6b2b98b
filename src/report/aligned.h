#pragma once

#include "report/report.h"

#include <algorithm>
#include <string>

namespace previct {

/// The raw text of a line.
[[nodiscard]] inline auto text_of(const Line& line) -> std::string {
  std::string out;
  for (const Span& span : line.spans) out += span.text;
  return out;
}

/// Returns true for a manifest, a script or a small table, in which blanks are significant. Its lines are never
/// wrapped.
[[nodiscard]] inline auto is_aligned(const Paragraph& paragraph) -> bool {
  return std::any_of(paragraph.lines.begin(), paragraph.lines.end(),
                     [](const Line& line) { return text_of(line).starts_with(' '); });
}

}  // namespace previct
