#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace previct::go {

inline constexpr std::int64_t kNanosPerSecond = 1'000'000'000;

/// The longest unit that a duration may use.
enum class Units : std::uint8_t { hours, weeks };

/// Parses a duration such as `1h2m3.5s` into nanoseconds. None if it does not parse or does not fit.
/// Source: Go time.ParseDuration. With weeks and days (`1.5d`, `2w`), each a factor like any other unit:
/// xhit/go-str2duration v2, str2duration.go ParseDuration, which KAI Scheduler uses to read the arguments of its
/// plugins.
[[nodiscard]] auto parse_duration(std::string_view text, Units units = Units::hours) -> std::optional<std::int64_t>;

}  // namespace previct::go
