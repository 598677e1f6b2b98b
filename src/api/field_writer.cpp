#include "api/field_writer.h"

#include <fmt/format.h>

#include <cstdint>

namespace previct {

void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  out += '"';
}

auto exact_quantity(Quantity quantity) -> std::string {
  constexpr __int128 kNano = 1'000'000'000;
  constexpr __int128 kNanosInMilli = kNano / 1000;
  const __int128 nanos = quantity.nanos();
  if (nanos % kNano == 0) return fmt::format("{}", nanos / kNano);
  if (nanos % kNanosInMilli == 0) return fmt::format("{}m", nanos / kNanosInMilli);
  return fmt::format("{}n", nanos);
}

}  // namespace previct
