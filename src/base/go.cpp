#include "base/go.h"

namespace previct::go {

auto parse_int(std::string_view text, int bits) -> std::optional<std::int64_t> {
  bool negative = false;
  if (!text.empty() && (text.front() == '+' || text.front() == '-')) {
    negative = text.front() == '-';
    text.remove_prefix(1);
  }
  if (text.empty()) return {};
  const __int128 limit = __int128{1} << (bits - 1);
  __int128 value = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return {};
    value = value * 10 + (c - '0');
    if (value > limit) return {};
  }
  if (!negative && value == limit) return {};
  return static_cast<std::int64_t>(negative ? -value : value);
}

auto parse_bool(std::string_view text) -> std::optional<bool> {
  for (const std::string_view yes : {"1", "t", "T", "true", "TRUE", "True"}) {
    if (text == yes) return true;
  }
  for (const std::string_view no : {"0", "f", "F", "false", "FALSE", "False"}) {
    if (text == no) return false;
  }
  return {};
}

}  // namespace previct::go
