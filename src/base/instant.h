#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace previct {

// A dump holds several instants for each pod, nearly all of them optional: 16 bytes each instead of 24.
#pragma pack(push, 4)
/// A point in time, UTC. Its range extends past the year 2262, where an int64 of nanoseconds ends, because a valid
/// `toleration-seconds` does.
struct Instant {
  std::int64_t seconds = 0;  ///< since 1970-01-01T00:00:00Z
  std::int32_t nanos = 0;    ///< 0 … 999,999,999

  friend constexpr auto operator<=>(Instant, Instant) = default;

  /// A value later than any instant that can be written.
  [[nodiscard]] static constexpr auto never() -> Instant { return {INT64_MAX, 0}; }
  [[nodiscard]] constexpr auto is_never() const -> bool { return *this == never(); }

  /// This instant, moved. never() stays never(). A result beyond the range becomes never(), or the earliest instant.
  [[nodiscard]] auto plus_nanos(std::int64_t ns) const -> Instant;
  [[nodiscard]] auto plus_seconds(std::int64_t s) const -> Instant;

  /// The first whole second that is not before this instant.
  [[nodiscard]] auto rounded_up() const -> Instant;
};
#pragma pack(pop)

/// Returns `later - earlier` in whole seconds, rounded up, clamped to the range of int64.
[[nodiscard]] auto seconds_between(Instant earlier, Instant later) -> std::int64_t;

/// Parses RFC 3339 as Go's time.Parse(RFC3339) does (`2026-01-02T03:04:05.678Z`, any offset). Month, day and hour must
/// exist. None if the text does not parse.
[[nodiscard]] auto parse_instant(std::string_view text) -> std::optional<Instant>;

/// Formats as RFC 3339 in UTC, with fractions of a second only if they are not 0.
[[nodiscard]] auto format_instant(Instant at) -> std::string;

/// Parses a duration as Go's time.ParseDuration does (`1h2m3.5s`), in nanoseconds. None if it does not parse.
[[nodiscard]] auto parse_go_duration(std::string_view text) -> std::optional<std::int64_t>;

/// Formats a duration as kubectl prints ages, in at most two units: `17m23s`, `4h12m`, `3d4h`.
[[nodiscard]] auto format_age(std::int64_t seconds) -> std::string;

/// The time of day, with the date if it is not the day of `now`: `22:58:30`, `2026-11-21 00:10:05`.
[[nodiscard]] auto format_clock(Instant at, Instant now) -> std::string;

/// The distance of `at` from `now`: `in 17m23s`, `4m12s ago`, `now`.
[[nodiscard]] auto format_distance(Instant at, Instant now) -> std::string;

/// The clock and the distance: `22:58:30 (in 17m23s)`; `never`.
[[nodiscard]] auto format_moment(Instant at, Instant now) -> std::string;

/// The instant for which a question is asked. An engine can only compare with it. Every comparison that has another
/// result at a later time lowers `horizon()`: the answer is valid in [now, horizon).
class Moment {
 public:
  explicit Moment(Instant now) : now_(now) {}

  /// Returns true if `at` is reached (at <= now).
  [[nodiscard]] auto reached(Instant at) -> bool {
    if (at <= now_) return true;
    if (at < horizon_) horizon_ = at;
    return false;
  }
  [[nodiscard]] auto horizon() const -> Instant { return horizon_; }
  [[nodiscard]] auto now() const -> Instant { return now_; }

  /// A moment with the same `now` for a part of the work (a thread, a node). Call `absorb` with it when that part is
  /// done.
  [[nodiscard]] auto fork() const -> Moment { return Moment(now_); }
  void absorb(const Moment& part) {
    if (part.horizon_ < horizon_) horizon_ = part.horizon_;
  }

 private:
  Instant now_;
  Instant horizon_ = Instant::never();
};

}  // namespace previct
