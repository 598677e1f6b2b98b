#pragma once

#include <string>
#include <string_view>

namespace previct {

/// The text if it has at most `begin + end` bytes; otherwise its first `begin` and its last `end` bytes. No UTF-8
/// character is cut in two.
[[nodiscard]] inline auto shortened(std::string_view text, std::size_t begin = 100, std::size_t end = 300)
    -> std::string {
  if (text.size() <= begin + end) return std::string(text);
  const auto is_inside = [&](std::size_t at) { return (static_cast<unsigned char>(text[at]) & 0xc0U) == 0x80; };
  std::size_t from = text.size() - end;
  for (int i = 0; i < 3 && begin > 0 && is_inside(begin); ++i) --begin;
  for (int i = 0; i < 3 && from < text.size() && is_inside(from); ++i) ++from;
  return std::string(text.substr(0, begin)) + " ... " + std::string(text.substr(from));
}

}  // namespace previct
