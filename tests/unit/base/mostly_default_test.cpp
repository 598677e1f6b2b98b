#include "base/mostly_default.h"

#include <catch2/catch.hpp>

#include <string>

using namespace previct;

TEST_CASE("mostly default: reads as the default until it is set, and copies are independent") {
  MostlyDefault<std::string> value;
  CHECK(value->empty());
  MostlyDefault<std::string> copy = value;
  value = std::string("set");
  CHECK(*value == "set");
  CHECK(copy->empty());
  copy = value;
  value = std::string("other");
  CHECK(*copy == "set");
  const MostlyDefault<std::string> moved = std::move(copy);
  CHECK(*moved == "set");
}
