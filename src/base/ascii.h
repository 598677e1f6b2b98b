#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace previct {

/// Tests for ASCII letters and digits, independent of the locale.
[[nodiscard]] constexpr auto is_digit(char c) -> bool {
  return c >= '0' && c <= '9';
}
[[nodiscard]] constexpr auto is_upper(char c) -> bool {
  return c >= 'A' && c <= 'Z';
}
[[nodiscard]] constexpr auto is_lower(char c) -> bool {
  return c >= 'a' && c <= 'z';
}
[[nodiscard]] constexpr auto is_letter(char c) -> bool {
  return is_lower(c) || is_upper(c);
}
[[nodiscard]] constexpr auto lower(char c) -> char {
  return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c;
}

[[nodiscard]] constexpr auto upper(char c) -> char {
  return is_lower(c) ? static_cast<char>(c - 'a' + 'A') : c;
}

[[nodiscard]] inline auto lower_case(std::string_view text) -> std::string {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), lower);
  return out;
}

[[nodiscard]] inline auto upper_case(std::string_view text) -> std::string {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), upper);
  return out;
}

[[nodiscard]] inline auto equal_but_for_case(std::string_view a, std::string_view b) -> bool {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return lower(x) == lower(y); });
}

}  // namespace previct
