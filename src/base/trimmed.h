#pragma once

#include <string_view>

namespace previct {

/// Returns `text` without leading and trailing blanks.
[[nodiscard]] constexpr auto trimmed(std::string_view text, std::string_view blanks = " \t\n\v\f\r")
    -> std::string_view {
  const std::size_t begin = text.find_first_not_of(blanks);
  return begin == std::string_view::npos ? "" : text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

}  // namespace previct
