#include "lint/paths.h"

#include <catch2/catch.hpp>

namespace previct::lint {

TEST_CASE("lint paths: a folder holds itself and what is in it", "[lint]") {
  CHECK(is_below("a/b", "a"));
  CHECK(is_below("a/b/c", "a/b"));
  CHECK(is_below("a", "a"));
  CHECK(is_below("a", ""));
  CHECK_FALSE(is_below("ab/c", "a"));
  CHECK_FALSE(is_below("a", "a/b"));
  CHECK_FALSE(is_below("b/a", "a"));
}

TEST_CASE("lint paths: relative paths are followed from their folder", "[lint]") {
  CHECK(resolved("a/b", "../c") == "a/c");
  CHECK(resolved("a", "./b/") == "a/b");
  CHECK(resolved("a", "..").empty());
  CHECK(resolved("", "../x") == "../x");
  CHECK(resolved("/a", "../..") == "/");
  CHECK(folder_of("a/b.yaml") == "a");
  CHECK(folder_of("b.yaml").empty());
  CHECK(base_name("a/b.yaml") == "b.yaml");
  CHECK(base_name("x.tar!y.yaml") == "y.yaml");
  CHECK(base_name("y") == "y");
}

}  // namespace previct::lint
