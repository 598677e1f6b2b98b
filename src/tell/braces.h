#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace previct {

/// Returns the text with `with(words)` in place of each `{words}`. No brace is within another.
template <class With>
[[nodiscard]] auto replace_braced(std::string_view text, const With& with) -> std::string {
  std::string out;
  for (;;) {
    const std::size_t open = text.find('{');
    out += text.substr(0, open);
    if (open == std::string_view::npos) return out;
    const std::size_t close = std::min(text.find('}', open), text.size() - 1);
    out += with(text.substr(open + 1, close - open - 1));
    text.remove_prefix(close + 1);
  }
}

}  // namespace previct
