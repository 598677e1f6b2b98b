#include "base/symbols.h"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

using namespace previct;

TEST_CASE("symbols: adopted ones keep their order, and new ones follow") {
  Symbols whole;
  const Symbol a = whole.intern("a");
  const Symbol b = whole.intern("b");
  Symbols part;
  for (const char* text : {"c", "b", "", "a long name that a small buffer does not hold"})
    static_cast<void>(part.intern(text));
  const std::vector<Symbol> taken = whole.take(std::move(part));
  REQUIRE(taken.size() == 4);
  CHECK(taken[0] == Symbol{2});
  CHECK(taken[1] == b);
  CHECK(taken[2] == Symbol{3});
  CHECK(whole.size() == 5);
  CHECK(whole.text(taken[3]) == "a long name that a small buffer does not hold");
  CHECK(whole.intern("c") == taken[0]);
  CHECK(whole.find("a") == a);

  // Adopts into an empty table, more than the first table size; later symbols do not disturb them.
  Symbols many;
  for (int i = 0; i < 5000; ++i) static_cast<void>(many.intern("pod-" + std::to_string(i)));
  Symbols empty;
  const std::vector<Symbol> all = empty.take(std::move(many));
  for (int i = 0; i < 5000; ++i) static_cast<void>(empty.intern("node-" + std::to_string(i)));
  for (std::uint32_t i = 0; i < 5000; ++i) {
    REQUIRE(all[i] == Symbol{i});
    REQUIRE(empty.text(all[i]) == "pod-" + std::to_string(i));
    REQUIRE(empty.find("node-" + std::to_string(i)) == Symbol{5000 + i});
  }
}
