#include "api/quantity.h"

#include <catch2/catch.hpp>

using previct::Quantity;

TEST_CASE("quantities: read as apimachinery reads them") {
  struct Row {
    const char* text;
    std::int64_t value;  // whole units, rounded up
    std::int64_t milli;  // thousandths, rounded up
  };
  // Derived by hand from the grammar: a number times its suffix.
  const Row rows[] = {{"1", 1, 1000},
                      {"100m", 1, 100},
                      {"0.1m", 1, 1},
                      {"1500m", 2, 1500},
                      {"2Gi", 2147483648, 2147483648000},
                      {"1.5Gi", 1610612736, 1610612736000},
                      {"1e3", 1000, 1000000},
                      {"1E3", 1000, 1000000},
                      {"12E", 9223372036854775807, -1000},  // capped; the thousandths of the cap overflow
                      {".5", 1, 500},
                      {"5.", 5, 5000},
                      {"+1k", 1000, 1000000},
                      {"0", 0, 0},
                      {"0Ki", 0, 0},
                      {"1n", 1, 1}};
  for (const Row& row : rows) {
    INFO(row.text);
    const auto quantity = Quantity::parse(row.text);
    REQUIRE(quantity);
    CHECK(quantity->value() == row.value);
    CHECK(quantity->milli() == row.milli);
  }
}

TEST_CASE("quantities: invalid ones are refused") {
  for (const char* text : {"", "2 cores", "1.2.3", "m", "1ki", "1K", "--1", "1e", "1e+", "0x10", "1 "}) {
    INFO(text);
    CHECK_FALSE(Quantity::parse(text));
  }
}
