#include "base/duration.h"

#include "base/ascii.h"

#include <array>
#include <span>

namespace previct::go {
namespace {

constexpr std::int64_t kNanosPerHour = 3'600 * kNanosPerSecond;

}  // namespace

auto parse_duration(std::string_view text, Units units) -> std::optional<std::int64_t> {
  struct Unit {
    std::string_view name;
    std::int64_t nanos;
  };
  constexpr std::array<Unit, 10> kUnits = {{{"ns", 1},
                                            {"us", 1'000},
                                            {"\xc2\xb5s", 1'000},
                                            {"\xce\xbcs", 1'000},
                                            {"ms", 1'000'000},
                                            {"s", kNanosPerSecond},
                                            {"m", 60 * kNanosPerSecond},
                                            {"h", kNanosPerHour},
                                            {"d", 24 * kNanosPerHour},
                                            {"w", kNanosPerHour * 24 * 7}}};
  const std::size_t known = units == Units::weeks ? kUnits.size() : kUnits.size() - 2;
  bool negative = false;
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
    negative = text.front() == '-';
    text.remove_prefix(1);
  }
  if (text == "0") return 0;
  if (text.empty()) return {};
  constexpr __int128 kLimit = __int128{1} << 63;
  __int128 total = 0;
  while (!text.empty()) {
    __int128 whole = 0;
    std::size_t digits = 0;
    while (digits < text.size() && is_digit(text[digits])) {
      whole = whole * 10 + (text[digits] - '0');
      if (whole > kLimit) return {};
      ++digits;
    }
    std::size_t used = digits;
    double fraction = 0;
    double scale = 1;
    std::size_t fraction_digits = 0;
    if (used < text.size() && text[used] == '.') {
      ++used;
      while (used < text.size() && is_digit(text[used])) {
        scale /= 10;
        fraction += (text[used] - '0') * scale;
        ++fraction_digits;
        ++used;
      }
    }
    if (digits == 0 && fraction_digits == 0) return {};
    text.remove_prefix(used);
    std::size_t unit_length = 0;
    while (unit_length < text.size() && text[unit_length] != '.' && !is_digit(text[unit_length])) {
      ++unit_length;
    }
    const Unit* unit = nullptr;
    for (const Unit& candidate : std::span(kUnits).first(known)) {
      if (candidate.name == text.substr(0, unit_length)) unit = &candidate;
    }
    if (unit == nullptr) return {};
    text.remove_prefix(unit_length);
    total += whole * unit->nanos + static_cast<std::int64_t>(fraction * static_cast<double>(unit->nanos) + 1e-6);
    if (total > kLimit) return {};
  }
  if (negative) return static_cast<std::int64_t>(-total);
  if (total == kLimit) return {};
  return static_cast<std::int64_t>(total);
}

}  // namespace previct::go
