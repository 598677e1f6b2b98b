#include "base/duration.h"

#include <catch2/catch.hpp>

using namespace previct::go;

TEST_CASE("durations: days and weeks are units like any other, where they are allowed") {
  constexpr std::int64_t kHour = 3'600'000'000'000;
  CHECK(parse_duration("1.5d", Units::weeks) == 36 * kHour);
  CHECK(parse_duration("1w1d1h", Units::weeks) == (7 * 24 + 24 + 1) * kHour);
  CHECK(parse_duration("-2d", Units::weeks) == -48 * kHour);
  CHECK(parse_duration("0.0000001d", Units::weeks) == 8'640'000);  // 86400 s / 10^7
  CHECK_FALSE(parse_duration("1d"));
  CHECK(parse_duration("1h") == kHour);
  // 2^63 ns are 106751.99 days: the last whole number that fits, and one more.
  CHECK(parse_duration("106751d", Units::weeks) == std::int64_t{106'751} * 24 * kHour);
  CHECK_FALSE(parse_duration("106752d", Units::weeks));
  for (const char* text : {"", "d", "1", "1 d", "1D", ".d"}) CHECK_FALSE(parse_duration(text, Units::weeks));
}
