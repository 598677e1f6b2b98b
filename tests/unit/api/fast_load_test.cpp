#include "api/fast_load.h"

#include "support/differential.h"
#include "support/input.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

using namespace previct;

TEST_CASE("both ways of reading agree on made-up and broken dumps") {
  test::DumpMaker maker(20261120);
  std::size_t fast = 0;
  std::size_t read = 0;
  for (int i = 0; i < 3000; ++i) {
    const std::string text = i % 2 == 0 ? maker.yaml() : maker.json();
    INFO(text);
    const auto result = test::compared(text, i % 3 == 0 ? 512 : 65536);
    REQUIRE(result.difference.empty());
    fast += result.fast ? 1 : 0;
    read += result.read ? 1 : 0;
  }
  CHECK(fast > 1000);
  CHECK(read >= fast);
}

TEST_CASE("no part of a dump is taken for the whole by the fast path") {
  const std::string text = test::fixture(GENERATE(as<std::string>(), "input/cluster.yaml", "input/cluster.json", "input/raw-pods.json"));
  REQUIRE(test::compared(text).read);
  // Without the last line end JSON is still whole.
  for (std::size_t size = 0; size + 1 < text.size(); ++size) {
    const auto result = test::compared(std::string_view(text).substr(0, size), 1024);
    INFO(size);
    REQUIRE(result.difference.empty());
    REQUIRE_FALSE(result.fast);
  }
}

TEST_CASE("an item that ends its line with U+2028 is not taken for one that stands alone") {
  const auto dump = [](std::string_view blank) {
    return fmt::format(
        "apiVersion: v1\nitems:\n- apiVersion: v1\n  kind: Node\n  metadata:\n    name: a\n {}key: b\n"
        "- apiVersion: v1\n  kind: Node\n  metadata:\n    name: b\nkind: List\nmetadata:\n  resourceVersion: \"\"\n",
        blank);
  };
  CHECK(test::compared(dump(" ")).fast);
  CHECK_FALSE(test::compared(dump("\xe2\x80\xa8")).read);
  CHECK_FALSE(test::compared(dump("\xe2\x80\xa8")).fast);
}
