#include "engine/yunikorn/resources.h"

#include "engine/yunikorn/fraction.h"
#include "unit/engine/yunikorn/type_ids.h"

#include <catch2/catch.hpp>

using namespace previct::yunikorn;

namespace {

constexpr TypeId kGpu = 2;

/// Amounts that differ in every way that the laws distinguish: absent, zero, negative, larger, another type.
const std::vector<Resources> kSamples = {{},
                                         {{kCpu, 0}},
                                         {{kCpu, 1}},
                                         {{kCpu, -1}},
                                         {{kPods, 1}},
                                         {{kCpu, 2}, {kPods, 1}},
                                         {{kCpu, 2}, {kPods, 0}},
                                         {{kCpu, -2}, {kGpu, 3}},
                                         {{kCpu, 1}, {kPods, 1}, {kGpu, 1}}};

}  // namespace

TEST_CASE("saturating_add, saturating_subtract: stop at the ends of the int64 range") {
  CHECK(saturating_add(INT64_MAX, 1) == INT64_MAX);
  CHECK(saturating_add(INT64_MIN, -1) == INT64_MIN);
  CHECK(saturating_subtract(INT64_MIN, 1) == INT64_MIN);
  CHECK(saturating_subtract(0, INT64_MIN) == INT64_MAX);
  CHECK(saturating_add(40, 2) == 42);
}

TEST_CASE("Resources: adding and subtracting again restores every amount") {
  for (const Resources& a : kSamples) {
    for (const Resources& b : kSamples) CHECK(equal(a + b - b, a));
  }
}

TEST_CASE("Resources: an absent type is zero in free resources, and no limit in a maximum") {
  const Resources need{{kGpu, 1}};
  CHECK_FALSE(fits({}, need));
  CHECK(fits_where_limited({}, need));
  CHECK(fits({}, {{kGpu, 0}}));
  CHECK_FALSE(fits_where_limited({{kGpu, 0}}, need));
}

TEST_CASE("Resources: negative free amounts fit a need of zero, unless the exact amount counts") {
  const Resources room{{kCpu, -1}};
  CHECK(fits(room, {{kCpu, 0}}));
  CHECK(fits_where_limited(room, {{kCpu, 0}}));
  CHECK_FALSE(fits_exactly_where_limited(room, {{kCpu, 0}}));
}

TEST_CASE("at_least: true both ways only for equal amounts, and negative amounts of one side count") {
  for (const Resources& a : kSamples) {
    CHECK(at_least(a, a));
    for (const Resources& b : kSamples) CHECK((at_least(a, b) && at_least(b, a)) == equal(a, b));
  }
  CHECK_FALSE(at_least({{kCpu, 5}, {kGpu, -1}}, {{kCpu, 5}}));
  CHECK(at_least({}, {{kCpu, -1}}));
}

TEST_CASE("positive: something above zero and nothing below") {
  CHECK_FALSE(positive({}));
  CHECK_FALSE(positive({{kCpu, 0}}));
  CHECK(positive({{kCpu, 0}, {kGpu, 1}}));
  CHECK_FALSE(positive({{kCpu, 5}, {kGpu, -1}}));
}

TEST_CASE("share_a_type: a common type is enough, whatever the amounts") {
  CHECK(share_a_type({{kCpu, 0}}, {{kCpu, 7}}));
  CHECK_FALSE(share_a_type({{kCpu, 1}}, {{kGpu, 1}}));
  for (const Resources& a : kSamples) {
    for (const Resources& b : kSamples) CHECK(share_a_type(a, b) == share_a_type(b, a));
  }
}

TEST_CASE("greater_in_common: compares only the shared types") {
  CHECK(greater_in_common({{kCpu, 2}}, {{kCpu, 1}, {kGpu, 9}}));
  CHECK_FALSE(greater_in_common({{kCpu, 2}}, {{kCpu, 2}, {kGpu, 9}}));
  CHECK(at_least_in_common({{kCpu, 2}}, {{kCpu, 2}, {kGpu, 9}}));
  // One type larger, one equal: greater. One smaller: not.
  CHECK(greater_in_common({{kCpu, 2}, {kPods, 1}}, {{kCpu, 1}, {kPods, 1}}));
  CHECK_FALSE(greater_in_common({{kCpu, 2}, {kPods, 1}}, {{kCpu, 1}, {kPods, 2}}));
}

TEST_CASE("greater_in_common: results without a shared type") {
  CHECK(greater_in_common({{kCpu, 1}}, {{kGpu, 9}}));  // both have something
  CHECK_FALSE(greater_in_common({}, {{kGpu, 9}}));     // one side is empty
  CHECK(greater_in_common({{kCpu, 1}}, {}));           // against an empty side, all must be above zero
  CHECK_FALSE(greater_in_common({{kCpu, 0}}, {}));
  CHECK_FALSE(greater_in_common({}, {}));
}

TEST_CASE("less_in_common: keeps the types of the base, and unset stays unset") {
  CHECK_FALSE(less_in_common(std::nullopt, {{kCpu, 1}}));
  CHECK(*less_in_common(Resources{{kCpu, 3}}, {{kCpu, 5}, {kGpu, 1}}) == Resources{{kCpu, -2}});
}

TEST_CASE("smaller_of_each: over all types, and an unset side gives the other one") {
  const Resources a{{kCpu, 3}, {kPods, 1}};
  const Resources b{{kCpu, 2}, {kGpu, 4}};
  CHECK(*smaller_of_each(a, b) == Resources{{kCpu, 2}, {kPods, 1}, {kGpu, 4}});
  CHECK(*smaller_of_each(std::nullopt, b) == b);
  CHECK(*smaller_of_each(a, std::nullopt) == a);
  CHECK_FALSE(smaller_of_each(std::nullopt, std::nullopt));
  for (const Resources& x : kSamples) {
    for (const Resources& y : kSamples) CHECK(*smaller_of_each(x, y) == *smaller_of_each(y, x));
  }
}

TEST_CASE("smaller_in_common: only over the types of the first side") {
  const Resources a{{kCpu, 3}, {kPods, 1}};
  CHECK(*smaller_in_common(a, Resources{{kCpu, 2}, {kGpu, 4}}) == Resources{{kCpu, 2}, {kPods, 1}});
  CHECK(*smaller_in_common(a, std::nullopt) == a);
  CHECK_FALSE(smaller_in_common(std::nullopt, a));
}

TEST_CASE("merged: adds only types that are absent") {
  CHECK(merged({{kCpu, -1}}, {{kCpu, 9}, {kGpu, 2}}) == Resources{{kCpu, -1}, {kGpu, 2}});
}

TEST_CASE("less_down_to_zero: clips only the types of the second side") {
  // cpu: 1 - 3 is clipped; the negative gpu is not touched; pods appear clipped.
  CHECK(less_down_to_zero({{kCpu, 1}, {kGpu, -5}}, {{kCpu, 3}, {kPods, 2}}) ==
        Resources{{kCpu, 0}, {kGpu, -5}, {kPods, 0}});
}

TEST_CASE("equal: equal amounts are equal even if one side names more types") {
  CHECK(equal({{kCpu, 0}}, {}));
  CHECK_FALSE(equal({{kCpu, 1}}, {}));
  CHECK_FALSE(Resources{{kCpu, 0}} == Resources{});
}

TEST_CASE("Fraction: compares and adds exactly") {
  Fraction sum(1, 3);
  sum += Fraction(1, 6);
  CHECK(compare(sum, Fraction(1, 2)) == 0);
  CHECK(compare(Fraction(1, 3), Fraction(333'333'333, 1'000'000'000)) > 0);
  CHECK(compare(Fraction(INT64_MAX, 1), Fraction(INT64_MAX, 2)) > 0);
}
