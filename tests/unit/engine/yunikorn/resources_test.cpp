#include "engine/yunikorn/resources.h"

#include "engine/yunikorn/fraction.h"
#include "unit/engine/yunikorn/type_ids.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

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

TEST_CASE("saturating_add, saturating_subtract: stop at the ends of the int64 range", "[yunikorn]") {
  CHECK(saturating_add(INT64_MAX, 1) == INT64_MAX);
  CHECK(saturating_add(INT64_MIN, -1) == INT64_MIN);
  CHECK(saturating_subtract(INT64_MIN, 1) == INT64_MIN);
  CHECK(saturating_subtract(0, INT64_MIN) == INT64_MAX);
  CHECK(saturating_add(40, 2) == 42);
}

TEST_CASE("Resources: adding and subtracting again restores every amount", "[yunikorn]") {
  for (const Resources& a : kSamples) {
    for (const Resources& b : kSamples) CHECK(equal(a + b - b, a));
  }
}

TEST_CASE("Resources: an absent type is zero in free resources, and no limit in a maximum", "[yunikorn]") {
  const Resources need{{kGpu, 1}};
  CHECK_FALSE(fits({}, need));
  CHECK(fits_where_limited({}, need));
  CHECK(fits({}, {{kGpu, 0}}));
  CHECK_FALSE(fits_where_limited({{kGpu, 0}}, need));
}

TEST_CASE("Resources: negative free amounts fit a need of zero, unless the exact amount counts", "[yunikorn]") {
  const Resources room{{kCpu, -1}};
  CHECK(fits(room, {{kCpu, 0}}));
  CHECK(fits_where_limited(room, {{kCpu, 0}}));
  CHECK_FALSE(fits_exactly_where_limited(room, {{kCpu, 0}}));
}

TEST_CASE("at_least: true both ways only for equal amounts, and negative amounts of one side count", "[yunikorn]") {
  for (const Resources& a : kSamples) {
    CHECK(at_least(a, a));
    for (const Resources& b : kSamples) CHECK((at_least(a, b) && at_least(b, a)) == equal(a, b));
  }
  CHECK_FALSE(at_least({{kCpu, 5}, {kGpu, -1}}, {{kCpu, 5}}));
  CHECK(at_least({}, {{kCpu, -1}}));
}

TEST_CASE("positive: something above zero and nothing below", "[yunikorn]") {
  CHECK_FALSE(positive({}));
  CHECK_FALSE(positive({{kCpu, 0}}));
  CHECK(positive({{kCpu, 0}, {kGpu, 1}}));
  CHECK_FALSE(positive({{kCpu, 5}, {kGpu, -1}}));
}

TEST_CASE("share_a_type: a common type is enough, whatever the amounts", "[yunikorn]") {
  CHECK(share_a_type({{kCpu, 0}}, {{kCpu, 7}}));
  CHECK_FALSE(share_a_type({{kCpu, 1}}, {{kGpu, 1}}));
  for (const Resources& a : kSamples) {
    for (const Resources& b : kSamples) CHECK(share_a_type(a, b) == share_a_type(b, a));
  }
}

TEST_CASE("greater_in_common: compares only the shared types", "[yunikorn]") {
  CHECK(greater_in_common({{kCpu, 2}}, {{kCpu, 1}, {kGpu, 9}}));
  CHECK_FALSE(greater_in_common({{kCpu, 2}}, {{kCpu, 2}, {kGpu, 9}}));
  CHECK(at_least_in_common({{kCpu, 2}}, {{kCpu, 2}, {kGpu, 9}}));
  // One type larger, one equal: greater. One smaller: not.
  CHECK(greater_in_common({{kCpu, 2}, {kPods, 1}}, {{kCpu, 1}, {kPods, 1}}));
  CHECK_FALSE(greater_in_common({{kCpu, 2}, {kPods, 1}}, {{kCpu, 1}, {kPods, 2}}));
}

TEST_CASE("greater_in_common: results without a shared type", "[yunikorn]") {
  CHECK(greater_in_common({{kCpu, 1}}, {{kGpu, 9}}));  // both have something
  CHECK_FALSE(greater_in_common({}, {{kGpu, 9}}));     // one side is empty
  CHECK(greater_in_common({{kCpu, 1}}, {}));           // against an empty side, all must be above zero
  CHECK_FALSE(greater_in_common({{kCpu, 0}}, {}));
  CHECK_FALSE(greater_in_common({}, {}));
}

TEST_CASE("less_in_common: keeps the types of the base, and unset stays unset", "[yunikorn]") {
  CHECK_FALSE(less_in_common(std::nullopt, {{kCpu, 1}}));
  CHECK(*less_in_common(Resources{{kCpu, 3}}, {{kCpu, 5}, {kGpu, 1}}) == Resources{{kCpu, -2}});
}

TEST_CASE("smaller_of_each: over all types, and an unset side gives the other one", "[yunikorn]") {
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

TEST_CASE("smaller_in_common: only over the types of the first side", "[yunikorn]") {
  const Resources a{{kCpu, 3}, {kPods, 1}};
  CHECK(*smaller_in_common(a, Resources{{kCpu, 2}, {kGpu, 4}}) == Resources{{kCpu, 2}, {kPods, 1}});
  CHECK(*smaller_in_common(a, std::nullopt) == a);
  CHECK_FALSE(smaller_in_common(std::nullopt, a));
}

TEST_CASE("merged: adds only types that are absent", "[yunikorn]") {
  CHECK(merged({{kCpu, -1}}, {{kCpu, 9}, {kGpu, 2}}) == Resources{{kCpu, -1}, {kGpu, 2}});
}

TEST_CASE("less_down_to_zero: clips only the types of the second side", "[yunikorn]") {
  // cpu: 1 - 3 is clipped; the negative gpu is not touched; pods appear clipped.
  CHECK(less_down_to_zero({{kCpu, 1}, {kGpu, -5}}, {{kCpu, 3}, {kPods, 2}}) ==
        Resources{{kCpu, 0}, {kGpu, -5}, {kPods, 0}});
}

TEST_CASE("equal: equal amounts are equal even if one side names more types", "[yunikorn]") {
  CHECK(equal({{kCpu, 0}}, {}));
  CHECK_FALSE(equal({{kCpu, 1}}, {}));
  CHECK_FALSE(Resources{{kCpu, 0}} == Resources{});
}

TEST_CASE("Fraction: compares and adds exactly", "[yunikorn]") {
  Fraction sum(1, 3);
  sum += Fraction(1, 6);
  CHECK(compare(sum, Fraction(1, 2)) == 0);
  CHECK(compare(Fraction(1, 3), Fraction(333'333'333, 1'000'000'000)) > 0);
  CHECK(compare(Fraction(INT64_MAX, 1), Fraction(INT64_MAX, 2)) > 0);
}

namespace {

// All amounts of three types from absent, -1, 0, 1 and 2.
auto every_amount() -> std::vector<Resources> {
  const std::vector<std::optional<std::int64_t>> amounts = {std::nullopt, -1, 0, 1, 2};
  std::vector<Resources> all;
  for (const auto& cpu : amounts) {
    for (const auto& pods : amounts) {
      for (const auto& gpu : {amounts[0], amounts[1], amounts[3]}) {
        Resources one;
        if (cpu) one.set(kCpu, *cpu);
        if (pods) one.set(kPods, *pods);
        if (gpu) one.set(kGpu, *gpu);
        all.push_back(one);
      }
    }
  }
  return all;
}

// The result of `of_type` for each type, which may be absent.
template <class Of>
auto by_type(Of of_type) -> Resources {
  Resources result;
  for (const TypeId type : {kCpu, kPods, kGpu}) {
    if (const std::optional<std::int64_t> amount = of_type(type)) result.set(type, *amount);
  }
  return result;
}

template <class Holds>
auto all_types(Holds holds) -> bool {
  return holds(kCpu) && holds(kPods) && holds(kGpu);
}
template <class Holds>
auto any_type(Holds holds) -> bool {
  return holds(kCpu) || holds(kPods) || holds(kGpu);
}

}  // namespace

TEST_CASE("Resources: each function is what its definition says of each type", "[yunikorn][resources]") {
  const std::vector<Resources> all = every_amount();
  std::size_t wrong = 0;
  const auto check = [&](const char* what, bool right, const Resources& a, const Resources& b) {
    if (right || ++wrong > 3) return;
    std::string text = what;
    for (const Resources* each : {&a, &b}) {
      text += " {";
      for (const auto& [type, amount] : *each) text += std::to_string(type) + ": " + std::to_string(amount) + " ";
      text += "}";
    }
    FAIL_CHECK(text);
  };
  using Amount = std::optional<std::int64_t>;
  for (const Resources& a : all) {
    const auto in_a = [&](TypeId type) { return a.has(type); };
    check("positive", positive(a) == (!any_type([&](TypeId t) { return a.amount(t) < 0; }) && any_type([&](TypeId t) {
                        return a.amount(t) > 0;
                      })),
          a, {});
    check("without_zeros",
          without_zeros(a) == by_type([&](TypeId t) { return a.amount(t) != 0 ? a.get(t) : Amount(); }), a, {});
    for (const Resources& b : all) {
      const auto in_both = [&](TypeId t) { return a.has(t) && b.has(t); };
      const auto in_any = [&](TypeId t) { return a.has(t) || b.has(t); };
      const auto sum = [&](TypeId t) { return in_any(t) ? Amount(a.amount(t) + b.amount(t)) : Amount(); };
      const auto difference = [&](TypeId t) { return in_any(t) ? Amount(a.amount(t) - b.amount(t)) : Amount(); };
      check("+", a + b == by_type(sum), a, b);
      check("-", a - b == by_type(difference), a, b);
      check("fits", fits(a, b) == all_types([&](TypeId t) {
                      return !b.has(t) || b.amount(t) <= std::max<std::int64_t>(0, a.amount(t));
                    }),
            a, b);
      check("fits_where_limited", fits_where_limited(a, b) == all_types([&](TypeId t) {
                                    return !in_both(t) || b.amount(t) <= std::max<std::int64_t>(0, a.amount(t));
                                  }),
            a, b);
      check("fits_exactly_where_limited", fits_exactly_where_limited(a, b) == all_types([&](TypeId t) {
                                            return !in_both(t) || b.amount(t) <= a.amount(t);
                                          }),
            a, b);
      check("at_least", at_least(a, b) == all_types([&](TypeId t) { return a.amount(t) >= b.amount(t); }), a, b);
      check("equal", equal(a, b) == all_types([&](TypeId t) { return a.amount(t) == b.amount(t); }), a, b);
      check("share_a_type", share_a_type(a, b) == any_type(in_both), a, b);
      const bool less = any_type([&](TypeId t) { return in_both(t) && a.amount(t) < b.amount(t); });
      const bool more = any_type([&](TypeId t) { return in_both(t) && a.amount(t) > b.amount(t); });
      const bool above_zero = all_types([&](TypeId t) { return !a.has(t) || a.amount(t) > 0; });
      const bool not_empty = !a.empty() && !b.empty();
      const bool without_b = b.empty() && !a.empty();
      check("greater_in_common",
            greater_in_common(a, b) == (without_b           ? above_zero
                                        : any_type(in_both) ? !less && more
                                                            : not_empty),
            a, b);
      check("at_least_in_common",
            at_least_in_common(a, b) == (without_b           ? above_zero
                                         : any_type(in_both) ? !less
                                                             : not_empty),
            a, b);
      check("less_in_common",
            less_in_common(a, b) == by_type([&](TypeId t) { return in_a(t) ? difference(t) : Amount(); }), a, b);
      const auto smaller = [&](TypeId t) { return Amount(std::min(a.amount(t), b.amount(t))); };
      check("smaller_of_each", smaller_of_each(a, b) == by_type([&](TypeId t) {
                                 return in_both(t) ? smaller(t) : in_a(t) ? a.get(t) : b.get(t);
                               }),
            a, b);
      check("smaller_or_zero",
            smaller_or_zero(a, b) == by_type([&](TypeId t) { return in_any(t) ? smaller(t) : Amount(); }), a, b);
      check("smaller_in_common",
            smaller_in_common(a, b) == by_type([&](TypeId t) { return in_both(t) ? smaller(t) : a.get(t); }), a, b);
      check("merged", merged(a, b) == by_type([&](TypeId t) { return in_a(t) ? a.get(t) : b.get(t); }), a, b);
      check("less_down_to_zero", less_down_to_zero(a, b) == by_type([&](TypeId t) {
                                   return b.has(t) ? Amount(std::max<std::int64_t>(0, a.amount(t) - b.amount(t)))
                                                   : a.get(t);
                                 }),
            a, b);
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("Resources: an amount is added to its type", "[yunikorn][resources]") {
  Resources amounts{{kPods, 1}};
  amounts.add(kPods, 2);
  amounts.add(kGpu, -1);
  amounts.add(kCpu, INT64_MAX);
  amounts.add(kCpu, 1);
  CHECK(amounts == Resources{{kCpu, INT64_MAX}, {kPods, 3}, {kGpu, -1}});
}
