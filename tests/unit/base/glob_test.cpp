#include "base/glob.h"

#include <catch2/catch.hpp>

using previct::matches_glob;

TEST_CASE("glob: without * and ?, only the same text matches") {
  CHECK(matches_glob("abc", "abc"));
  CHECK(matches_glob("", ""));
  CHECK_FALSE(matches_glob("abc", "ab"));
  CHECK_FALSE(matches_glob("abc", "abcd"));
  CHECK_FALSE(matches_glob("abc", "abd"));
  CHECK_FALSE(matches_glob("", "a"));
  CHECK_FALSE(matches_glob("a", ""));
  CHECK_FALSE(matches_glob("[a]", "a"));
}

TEST_CASE("glob: * matches any characters, also none") {
  CHECK(matches_glob("*", ""));
  CHECK(matches_glob("*", "abc"));
  CHECK(matches_glob("a*", "a"));
  CHECK(matches_glob("a*", "abc"));
  CHECK(matches_glob("*c", "abc"));
  CHECK(matches_glob("a*c", "ac"));
  CHECK(matches_glob("a**c", "abbc"));
  CHECK_FALSE(matches_glob("a*", "ba"));
  CHECK_FALSE(matches_glob("*c", "abcd"));
  CHECK_FALSE(matches_glob("a*c", "ab"));
}

TEST_CASE("glob: ? matches a single character") {
  CHECK(matches_glob("a?c", "abc"));
  CHECK(matches_glob("??", "ab"));
  CHECK(matches_glob("?*", "a"));
  CHECK_FALSE(matches_glob("a?c", "ac"));
  CHECK_FALSE(matches_glob("?", ""));
  CHECK_FALSE(matches_glob("?", "ab"));
  CHECK_FALSE(matches_glob("?*", ""));
}

TEST_CASE("glob: a part after * is looked for again where it does not match at first") {
  CHECK(matches_glob("*ab", "aab"));
  CHECK(matches_glob("*ab", "abab"));
  CHECK(matches_glob("a*bc*e", "abbcbcde"));
  CHECK(matches_glob("*a?c", "aacabc"));
  CHECK_FALSE(matches_glob("*ab", "aba"));
  CHECK_FALSE(matches_glob("a*bc*e", "abbcbcd"));
}
