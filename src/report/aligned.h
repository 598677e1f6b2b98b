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

/// Is it a manifest, a script or a little table of its own, whose blanks mean something? Its lines then stay as they
/// are, however narrow the page.
[[nodiscard]] inline auto is_aligned(const Paragraph& paragraph) -> bool {
  return std::any_of(paragraph.lines.begin(), paragraph.lines.end(),
                     [](const Line& line) { return text_of(line).starts_with(' '); });
}

}  // namespace previct
