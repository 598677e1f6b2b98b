#pragma once

#include <cstdint>

namespace previct::yunikorn {

/// An exact fraction, for shares of an ask. If a denominator of a sum does not fit into 128 bits, the nearest fraction
/// that fits is used.
class Fraction {
 public:
  Fraction() = default;
  Fraction(std::int64_t numerator, std::int64_t denominator) : top_(numerator), bottom_(denominator) { reduce(); }

  auto operator+=(const Fraction& other) -> Fraction& {
    __int128 left = 0;
    __int128 right = 0;
    __int128 bottom = 0;
    __int128 top = 0;
    const __int128 common = divisor(bottom_, other.bottom_);
    const bool overflow = __builtin_mul_overflow(top_, other.bottom_ / common, &left) ||
                          __builtin_mul_overflow(other.top_, bottom_ / common, &right) ||
                          __builtin_mul_overflow(bottom_ / common, other.bottom_, &bottom) ||
                          __builtin_add_overflow(left, right, &top);
    if (overflow) {
      constexpr __int128 kScale = static_cast<__int128>(1) << 60;
      const long double sum = value() + other.value();
      top = static_cast<__int128>(sum * static_cast<long double>(kScale));
      bottom = kScale;
    }
    top_ = top;
    bottom_ = bottom;
    reduce();
    return *this;
  }

  /// In percent, for printing.
  [[nodiscard]] auto percent() const -> double { return static_cast<double>(100 * value()); }

  /// Returns a negative number, 0 or a positive number, like a - b.
  [[nodiscard]] friend auto compare(const Fraction& a, const Fraction& b) -> int {
    __int128 left = 0;
    __int128 right = 0;
    if (__builtin_mul_overflow(a.top_, b.bottom_, &left) || __builtin_mul_overflow(b.top_, a.bottom_, &right)) {
      return a.value() < b.value() ? -1 : a.value() > b.value() ? 1 : 0;
    }
    return left < right ? -1 : left > right ? 1 : 0;
  }

 private:
  static auto divisor(__int128 a, __int128 b) -> __int128 {
    if (a < 0) a = -a;
    while (b != 0) {
      const __int128 rest = a % b;
      a = b;
      b = rest;
    }
    return a == 0 ? 1 : a;
  }
  void reduce() {
    const __int128 common = divisor(top_, bottom_);
    top_ /= common;
    bottom_ /= common;
  }
  [[nodiscard]] auto value() const -> long double {
    return static_cast<long double>(top_) / static_cast<long double>(bottom_);
  }

  __int128 top_ = 0;
  __int128 bottom_ = 1;  // above 0
};

}  // namespace previct::yunikorn
