#include "api/amount_text.h"

#include <catch2/catch.hpp>

using namespace previct;

namespace {

constexpr std::int64_t kKi = 1024;
constexpr std::int64_t kMi = 1024 * kKi;

}  // namespace

TEST_CASE("amounts: readable ones have three digits, and never an exponent") {
  CHECK(readable_amount("memory", 65608864 * kKi) == "62.6Gi");
  CHECK(readable_amount("memory", 512 * kMi) == "512Mi");
  CHECK(readable_amount("memory", 1020 * kMi + 7) == "1020Mi");
  CHECK(readable_amount("memory", 0) == "0");
  CHECK(readable_amount("memory", -3000000000) == "-2.79Gi");
  CHECK(readable_amount("cpu", 3500) == "3.5");
  CHECK(readable_amount("nvidia.com/gpu", 1234567) == "1234567");
}

TEST_CASE("amounts: compared ones are exact if they would look equal otherwise") {
  using Texts = std::vector<std::string>;
  CHECK(readable_amounts("memory", {6 * kKi * kMi, 3671036 * kKi, 3875836 * kKi}) == Texts{"6Gi", "3.5Gi", "3.7Gi"});
  // Whole mebibytes are kept as written.
  CHECK(readable_amounts("memory", {45824 * kMi, 40000 * kMi}) == Texts{"45824Mi", "40000Mi"});
  CHECK(readable_amounts("memory", {65608864 * kKi, 65608860 * kKi}) == Texts{"65608864Ki", "65608860Ki"});
  CHECK(readable_amounts("cpu", {3500, 64000}) == Texts{"3500m", "64"});
}
