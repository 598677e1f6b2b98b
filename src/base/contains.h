#pragma once

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <string_view>

namespace previct {

/// Is `value` among the elements of `range`? Looks at them one by one.
template <class Range, class Value>
[[nodiscard]] constexpr auto contains(const Range& range, const Value& value) -> bool {
  return std::find(std::begin(range), std::end(range), value) != std::end(range);
}
[[nodiscard]] constexpr auto contains(std::initializer_list<std::string_view> words, std::string_view word) -> bool {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Is `word` one of `words`, which have a blank between them?
[[nodiscard]] constexpr auto contains_word(std::string_view words, std::string_view word) -> bool {
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    if (words.substr(0, end) == word) return true;
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return false;
}

}  // namespace previct
