#include "api/quantity.h"

#include "base/ascii.h"

namespace previct {
namespace {

constexpr __int128 kCap = static_cast<__int128>(INT64_MAX) * 1'000'000'000;

struct Suffix {
  int base;  // 2 or 10
  int exponent;
};

auto suffix_of(std::string_view text) -> std::optional<Suffix> {
  if (text.empty()) return Suffix{10, 0};
  constexpr std::string_view kDecimal = "num kMGTPE";  // the blank stands for no suffix
  constexpr std::string_view kBinary = "KMGTPE";
  if (text.size() == 1 && text[0] != ' ') {
    const std::size_t at = kDecimal.find(text[0]);
    if (at == std::string_view::npos) return {};
    return Suffix{10, 3 * (static_cast<int>(at) - 3)};
  }
  if (text.size() == 2 && text[1] == 'i') {
    const std::size_t at = kBinary.find(text[0]);
    if (at == std::string_view::npos) return {};
    return Suffix{2, 10 * (static_cast<int>(at) + 1)};
  }
  if (text[0] != 'e' && text[0] != 'E') return {};
  text.remove_prefix(1);
  bool negative = false;
  if (text[0] == '+' || text[0] == '-') {
    negative = text[0] == '-';
    text.remove_prefix(1);
  }
  if (text.empty()) return {};
  int exponent = 0;
  for (const char c : text) {
    if (!is_digit(c)) return {};
    exponent = exponent > 100'000 ? exponent : exponent * 10 + (c - '0');
  }
  return Suffix{10, negative ? -exponent : exponent};
}

/// The number of nano-units of a common suffix; 0: another suffix.
auto nanos_of(std::string_view suffix) -> std::int64_t {
  if (suffix.empty()) return 1'000'000'000;
  if (suffix == "m") return 1'000'000;
  if (suffix == "Ki") return 1'000'000'000LL << 10U;
  if (suffix == "Mi") return 1'000'000'000LL << 20U;
  if (suffix == "Gi") return 1'000'000'000LL << 30U;
  return 0;
}

}  // namespace

// NOLINTNEXTLINE(readability-function-cognitive-complexity): characters, each in its place
auto Quantity::parse(std::string_view text) -> std::optional<Quantity> {
  // Fast path: a few digits and a common suffix, which covers nearly all quantities.
  constexpr std::size_t kFew = 10;
  std::int64_t few = 0;
  std::size_t size = 0;
  for (; size < text.size() && is_digit(text[size]); ++size) few = size < kFew ? few * 10 + (text[size] - '0') : few;
  if (size > 0 && size <= kFew) {
    const __int128 nanos = static_cast<__int128>(few) * nanos_of(text.substr(size));
    if (nanos != 0 && nanos <= kCap) return Quantity(nanos);
  }
  bool negative = false;
  if (!text.empty() && (text.front() == '+' || text.front() == '-')) {
    negative = text.front() == '-';
    text.remove_prefix(1);
  }
  std::size_t end = 0;
  std::size_t digits = 0;
  std::size_t point = std::string_view::npos;
  for (; end < text.size(); ++end) {
    if (text[end] == '.' && point == std::string_view::npos) {
      point = end;
    } else if (is_digit(text[end])) {
      ++digits;
    } else {
      break;
    }
  }
  if (digits == 0) return {};
  const std::optional<Suffix> suffix = suffix_of(text.substr(end));
  if (!suffix) return {};

  // The value is number × base^exponent × 10^(9 − decimals) nano-units. Digits beyond what can matter are cut off, and
  // the value is marked as inexact or too large.
  constexpr __int128 kHuge = static_cast<__int128>(1) << 100;
  __int128 number = 0;
  int decimals = 0;
  int dropped = 0;  // number of integer digits that do not fit
  bool inexact = false;
  for (std::size_t i = 0; i < end; ++i) {
    if (text[i] == '.') continue;
    const bool fraction = point != std::string_view::npos && i > point;
    if (number > kHuge / 10) {
      inexact = inexact || text[i] != '0';
      if (!fraction) ++dropped;
      continue;
    }
    number = number * 10 + (text[i] - '0');
    if (fraction) ++decimals;
  }
  int ten = 9 - decimals + dropped + (suffix->base == 10 ? suffix->exponent : 0);
  for (int two = suffix->base == 2 ? suffix->exponent : 0; two > 0; --two) {
    if (number > kCap * 2) {
      // Only negative powers of ten can reduce the value again; apply them first, which loses nothing that counts.
      if (ten >= 0) break;
      inexact = inexact || number % 10 != 0;
      number /= 10;
      ++ten;
    }
    number *= 2;
  }
  for (; ten > 0 && number != 0 && number <= kCap; --ten) number *= 10;
  for (; ten < 0 && number != 0; ++ten) {
    inexact = inexact || number % 10 != 0;
    number /= 10;
  }
  if (inexact) ++number;
  if (number > kCap) number = kCap;
  return Quantity(negative ? -number : number);
}

auto Quantity::scaled(__int128 unit) const -> std::int64_t {
  __int128 whole = nanos_ / unit;
  if (nanos_ > 0 && nanos_ % unit != 0) ++whole;
  return static_cast<std::int64_t>(static_cast<unsigned __int128>(whole));
}

}  // namespace previct
