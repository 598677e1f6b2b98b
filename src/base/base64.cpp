#include "base/base64.h"

#include <cstdint>

namespace previct {

auto decode_base64(std::string_view text, std::string& out) -> bool {
  constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::uint32_t bits = 0;
  std::size_t digits = 0;
  std::size_t padding = 0;
  out.clear();
  for (const char c : text) {
    if (c == '\n' || c == '\r') continue;
    const std::size_t value = kAlphabet.find(c);
    if (c == '=') {
      ++padding;
    } else if (value == std::string_view::npos || padding > 0) {
      return false;
    }
    bits = bits << 6U | static_cast<std::uint32_t>(c == '=' ? 0 : value);
    if (++digits % 4 != 0) continue;
    for (const std::uint32_t shift : {16U, 8U, 0U}) out += static_cast<char>(bits >> shift & 0xffU);
  }
  if (digits % 4 != 0 || padding > 2) return false;
  for (; padding > 0; --padding) out.pop_back();
  return true;
}

}  // namespace previct
