#include "base/instant.h"

#include <catch2/catch.hpp>

using namespace previct;

TEST_CASE("instants: adding any number of seconds works on either side of 1970", "[instant]") {
  const Instant before{-5, 1};
  CHECK(before.plus_seconds(10) == Instant{5, 1});
  CHECK(before.plus_seconds(-10) == Instant{-15, 1});
  CHECK(before.plus_seconds(INT64_MAX - 10) == Instant{INT64_MAX - 15, 1});
  CHECK(Instant{5, 0}.plus_seconds(INT64_MAX).is_never());
  CHECK(Instant{-1, 0}.plus_seconds(INT64_MIN) == Instant{INT64_MIN, 0});
  CHECK(Instant{1, 0}.plus_seconds(INT64_MAX - 1).is_never());
  CHECK(Instant::never().plus_seconds(-1).is_never());

  // 1.5 s before 1970, plus half a second.
  CHECK(Instant{-2, 500'000'000}.plus_nanos(500'000'000) == Instant{-1, 0});
  CHECK(Instant{-1, 0}.plus_nanos(-1) == Instant{-2, 999'999'999});
  CHECK(Instant{INT64_MAX - 1, 999'999'999}.plus_nanos(1).is_never());
}

TEST_CASE("instants: their distance is limited to 64 bits", "[instant]") {
  CHECK(seconds_between({-5, 0}, {5, 0}) == 10);
  CHECK(seconds_between({0, 0}, {1, 1}) == 2);
  CHECK(seconds_between({INT64_MIN, 0}, {10, 0}) == INT64_MAX);
  CHECK(seconds_between({10, 0}, {INT64_MIN, 0}) == INT64_MIN);
  CHECK(seconds_between({0, 0}, {INT64_MAX, 1}) == INT64_MAX);
}

TEST_CASE("instants: printed with time and distance, without fractions of a second", "[instant]") {
  const Instant now = parse_instant("2026-05-01T10:00:00Z").value();
  CHECK(format_moment(parse_instant("2026-05-01T10:02:25.000000001Z").value(), now) == "10:02:25 (in 2m25s)");
  CHECK(format_moment(parse_instant("2026-05-02T09:59:00Z").value(), now) == "2026-05-02 09:59:00 (in 23h59m)");
  CHECK(format_moment(now, now) == "10:00:00 (now)");
  CHECK(format_moment(Instant::never(), now) == "never");
}
