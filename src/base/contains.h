#pragma once

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <string_view>

namespace previct {

/// Returns true if `value` is among the elements of `range` (a linear search).
template <class Range, class Value>
[[nodiscard]] constexpr auto contains(const Range& range, const Value& value) -> bool {
  return std::find(std::begin(range), std::end(range), value) != std::end(range);
}
[[nodiscard]] constexpr auto contains(std::initializer_list<std::string_view> words, std::string_view word) -> bool {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Returns true if `word` is one of `words`, which are separated by single blanks.
[[nodiscard]] constexpr auto contains_word(std::string_view words, std::string_view word) -> bool {
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    if (words.substr(0, end) == word) return true;
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return false;
}

}  // namespace previct
