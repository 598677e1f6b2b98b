// Times and durations: a written value reads back as the same value.

#include "base/duration.h"
#include "base/instant.h"
#include "fuzz/fuzz.h"

namespace previct::fuzz {

void time(std::string_view input) {
  for (const go::Units units : {go::Units::hours, go::Units::weeks})
    static_cast<void>(go::parse_duration(input, units));
  if (const auto nanos = parse_go_duration(input)) static_cast<void>(format_age(*nanos / 1'000'000'000));
  const auto at = parse_instant(input);
  if (!at) return;
  insist(at->nanos >= 0 && at->nanos < 1'000'000'000, "nanoseconds beyond a second");
  const std::string text = format_instant(*at);
  const auto again = parse_instant(text);
  insist(!again || *again == *at, "a time is written as another one");
  const bool four_digits = text.size() >= 20 && text[4] == '-';
  insist(again || !four_digits, "a time is written as none");
  static_cast<void>(format_moment(*at, {1'700'000'000, 0}));
  static_cast<void>(at->plus_nanos(INT64_MAX).rounded_up());
}

}  // namespace previct::fuzz
