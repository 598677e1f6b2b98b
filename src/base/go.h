#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

/// Arithmetic and parsing exactly as in Go, for code where the result of upstream depends on it.
namespace previct::go {

/// int64 arithmetic with Go's wrap-around; signed overflow is undefined in C++.
[[nodiscard]] constexpr auto add(std::int64_t a, std::int64_t b) -> std::int64_t {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}
[[nodiscard]] constexpr auto subtract(std::int64_t a, std::int64_t b) -> std::int64_t {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}
[[nodiscard]] constexpr auto multiply(std::int64_t a, std::int64_t b) -> std::int64_t {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}

/// strconv.ParseInt(text, 10, bits): accepts an optional sign and decimal digits, in range.
[[nodiscard]] auto parse_int(std::string_view text, int bits) -> std::optional<std::int64_t>;

/// strconv.ParseBool: accepts `1`, `t`, `T`, `true`, `TRUE`, `True` and their counterparts for false.
[[nodiscard]] auto parse_bool(std::string_view text) -> std::optional<bool>;

}  // namespace previct::go
