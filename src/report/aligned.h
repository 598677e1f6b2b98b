#pragma once

#include "report/report.h"

#include <algorithm>
#include <string>
#include <vector>

namespace previct {

/// The raw text of a line.
[[nodiscard]] inline auto text_of(const Line& line) -> std::string {
  std::string out;
  for (const Span& span : line.spans) out += span.text;
  return out;
}

/// Returns true if the line names a flag that shows what is folded.
[[nodiscard]] inline auto has_hint(const Line& line) -> bool {
  return std::any_of(line.spans.begin(), line.spans.end(), [](const Span& span) { return span.hint; });
}

/// Returns the line with or without its hints. A hint, and what follows it, continues the text before it if the tone is
/// the same.
[[nodiscard]] inline auto with_hints(const Line& line, bool with) -> Line {
  Line out{{}, line.full};
  bool continues = false;
  for (const Span& span : line.spans) {
    const bool joins = !out.spans.empty() && (span.hint || continues) && out.spans.back().tone == span.tone;
    continues = span.hint;
    if (span.hint && !with) continue;
    if (joins) {
      out.spans.back().text += span.text;
    } else {
      out.spans.push_back(span);
    }
  }
  return out;
}

/// Returns true for a manifest, a script or a small table, in which blanks are significant. Its lines are never
/// wrapped.
[[nodiscard]] inline auto is_aligned(const Paragraph& paragraph) -> bool {
  return std::any_of(paragraph.lines.begin(), paragraph.lines.end(),
                     [](const Line& line) { return text_of(line).starts_with(' '); });
}

}  // namespace previct
