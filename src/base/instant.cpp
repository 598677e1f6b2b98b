#include "base/instant.h"

#include "base/ascii.h"
#include "base/duration.h"

#include <fmt/format.h>

#include <array>

namespace previct {
namespace {

using go::kNanosPerSecond;
constexpr std::int64_t kSecondsPerDay = 86'400;

// Converts between civil dates and days since 1970-01-01 (proleptic Gregorian calendar).
auto days_from_civil(std::int64_t year, int month, int day) -> std::int64_t {
  year -= month <= 2 ? 1 : 0;
  const std::int64_t era = (year >= 0 ? year : year - 399) / 400;
  const std::int64_t year_of_era = year - era * 400;
  const std::int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  return era * 146'097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719'468;
}

struct Civil {
  std::int64_t year;
  int month;
  int day;
};

auto civil_from_days(std::int64_t days) -> Civil {
  days += 719'468;
  const std::int64_t era = (days >= 0 ? days : days - 146'096) / 146'097;
  const std::int64_t day_of_era = days - era * 146'097;
  const std::int64_t year_of_era = (day_of_era - day_of_era / 1'460 + day_of_era / 36'524 - day_of_era / 146'096) / 365;
  const std::int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const std::int64_t shifted = (5 * day_of_year + 2) / 153;
  const int month = static_cast<int>(shifted < 10 ? shifted + 3 : shifted - 9);
  return {year_of_era + era * 400 + (month <= 2 ? 1 : 0), month,
          static_cast<int>(day_of_year - (153 * shifted + 2) / 5 + 1)};
}

auto days_in_month(std::int64_t year, int month) -> int {
  constexpr std::array<int, 12> kDays = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  return month == 2 && leap ? 29 : kDays[static_cast<std::size_t>(month - 1)];
}

// A reader of fixed-width decimal fields.
struct Scanner {
  std::string_view rest;
  bool ok = true;

  auto digits(std::size_t width) -> int {
    if (rest.size() < width) return fail();
    int value = 0;
    for (const char c : rest.substr(0, width)) {
      if (c < '0' || c > '9') return fail();
      value = value * 10 + (c - '0');
    }
    rest.remove_prefix(width);
    return value;
  }
  void literal(char c) {
    if (rest.empty() || rest.front() != c) {
      fail();
      return;
    }
    rest.remove_prefix(1);
  }
  auto fail() -> int {
    ok = false;
    return 0;
  }
};

}  // namespace

auto Instant::plus_nanos(std::int64_t ns) const -> Instant {
  if (is_never()) return *this;
  std::int64_t whole = ns / kNanosPerSecond;
  std::int64_t part = nanos + ns % kNanosPerSecond;
  if (part < 0) {
    part += kNanosPerSecond;
    --whole;
  } else if (part >= kNanosPerSecond) {
    part -= kNanosPerSecond;
    ++whole;
  }
  const Instant moved = plus_seconds(whole);
  return moved.is_never() ? moved : Instant{moved.seconds, static_cast<std::int32_t>(part)};
}

auto Instant::plus_seconds(std::int64_t s) const -> Instant {
  if (is_never()) return never();
  std::int64_t sum = 0;
  if (__builtin_add_overflow(seconds, s, &sum)) return s > 0 ? never() : Instant{INT64_MIN, 0};
  return sum == INT64_MAX ? never() : Instant{sum, nanos};
}

auto Instant::rounded_up() const -> Instant {
  return is_never() || nanos == 0 ? *this : Instant{seconds + 1, 0};
}

auto seconds_between(Instant earlier, Instant later) -> std::int64_t {
  std::int64_t whole = 0;
  if (__builtin_sub_overflow(later.seconds, earlier.seconds, &whole)) return later < earlier ? INT64_MIN : INT64_MAX;
  const bool part = later.nanos > earlier.nanos;
  return whole == INT64_MAX || !part ? whole : whole + 1;
}

auto parse_instant(std::string_view text) -> std::optional<Instant> {
  Scanner in{text};
  const int year = in.digits(4);
  in.literal('-');
  const int month = in.digits(2);
  in.literal('-');
  const int day = in.digits(2);
  in.literal('T');
  // Go accepts an hour of one digit; every other field has a fixed width.
  const bool short_hour = in.rest.size() > 1 && in.rest[1] == ':';
  const int hour = in.digits(short_hour ? 1 : 2);
  in.literal(':');
  const int minute = in.digits(2);
  in.literal(':');
  const int second = in.digits(2);
  if (!in.ok || month < 1 || month > 12 || day < 1 || day > days_in_month(year, month)) return {};
  if (hour > 23 || minute > 59 || second > 59) return {};

  std::int64_t nanos = 0;
  if (in.rest.size() > 1 && (in.rest[0] == '.' || in.rest[0] == ',') && is_digit(in.rest[1])) {
    in.rest.remove_prefix(1);
    std::int64_t unit = kNanosPerSecond / 10;
    while (!in.rest.empty() && is_digit(in.rest.front())) {
      nanos += (in.rest.front() - '0') * unit;
      unit /= 10;
      in.rest.remove_prefix(1);
    }
  }

  std::int64_t offset = 0;
  if (in.rest == "Z") {
    in.rest = {};
  } else if (!in.rest.empty() && (in.rest.front() == '+' || in.rest.front() == '-')) {
    const std::int64_t sign = in.rest.front() == '-' ? -1 : 1;
    in.rest.remove_prefix(1);
    const int hours = in.digits(2);
    in.literal(':');
    const int minutes = in.digits(2);
    if (hours > 24 || minutes > 60) return {};
    offset = sign * (hours * 3'600 + minutes * 60);
  } else {
    return {};
  }
  if (!in.ok || !in.rest.empty()) return {};
  const std::int64_t days = days_from_civil(year, month, day);
  return Instant{days * kSecondsPerDay + std::int64_t{hour} * 3'600 + std::int64_t{minute} * 60 + second - offset,
                 static_cast<std::int32_t>(nanos)};
}

auto format_instant(Instant at) -> std::string {
  if (at.is_never()) return "never";
  std::int64_t days = at.seconds / kSecondsPerDay;
  std::int64_t rest = at.seconds % kSecondsPerDay;
  if (rest < 0) {
    rest += kSecondsPerDay;
    --days;
  }
  const Civil date = civil_from_days(days);
  std::string text = fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}", date.year, date.month, date.day, rest / 3'600,
                                 rest / 60 % 60, rest % 60);
  if (at.nanos != 0) {
    std::string part = fmt::format(".{:09}", at.nanos);
    part.erase(part.find_last_not_of('0') + 1);
    text += part;
  }
  return text + "Z";
}

auto parse_go_duration(std::string_view text) -> std::optional<std::int64_t> {
  return go::parse_duration(text);
}

auto format_age(std::int64_t seconds) -> std::string {
  const std::string sign = seconds < 0 ? "-" : "";
  const std::int64_t s = seconds < 0 ? -seconds : seconds;
  const auto two = [&](std::int64_t big, char big_unit, std::int64_t small, char small_unit) {
    return small == 0 ? fmt::format("{}{}{}", sign, big, big_unit)
                      : fmt::format("{}{}{}{}{}", sign, big, big_unit, small, small_unit);
  };
  if (s < 60) return fmt::format("{}{}s", sign, s);
  if (s < 3'600) return two(s / 60, 'm', s % 60, 's');
  if (s < kSecondsPerDay) return two(s / 3'600, 'h', s / 60 % 60, 'm');
  if (s < 365 * kSecondsPerDay) return two(s / kSecondsPerDay, 'd', s / 3'600 % 24, 'h');
  return two(s / (365 * kSecondsPerDay), 'y', s / kSecondsPerDay % 365, 'd');
}

auto format_clock(Instant at, Instant now) -> std::string {
  if (at.is_never()) return "never";
  const std::string text = format_instant({at.seconds, 0});
  const std::size_t t = text.find('T');
  const std::string time = text.substr(t + 1, text.size() - t - 2);
  const bool same_day = format_instant({now.seconds, 0}).compare(0, t + 1, text, 0, t + 1) == 0;
  return same_day ? time : text.substr(0, t) + " " + time;
}

auto format_distance(Instant at, Instant now) -> std::string {
  if (at.is_never()) return "never";
  const std::int64_t seconds = at > now ? seconds_between(now, at) : -seconds_between(at, now);
  if (seconds == 0) return "now";
  return seconds > 0 ? "in " + format_age(seconds) : format_age(-seconds) + " ago";
}

auto format_moment(Instant at, Instant now) -> std::string {
  if (at.is_never()) return "never";
  // The clock shows no fractions of a second, so the distance is counted without them; a future instant is not shown as
  // now.
  Instant shown{at.seconds, 0};
  if (at > now && shown <= now) shown = shown.plus_seconds(1);
  return fmt::format("{} ({})", format_clock(shown, now), format_distance(shown, now));
}

}  // namespace previct
