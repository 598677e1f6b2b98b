#include "base/base64.h"

#include <cstdint>

namespace previct {
namespace {

constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

auto encode_base64(std::string_view bytes) -> std::string {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::string_view group = bytes.substr(at, 3);
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      bits = bits << 8U | (i < group.size() ? static_cast<unsigned char>(group[i]) : 0U);
    }
    for (std::size_t i = 0; i < 4; ++i) out += i <= group.size() ? kAlphabet[bits >> (18U - 6U * i) & 0x3fU] : '=';
  }
  return out;
}

auto decode_base64(std::string_view text, std::string& out) -> bool {
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
