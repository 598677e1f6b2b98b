#include "tell/cause_counts.h"

#include <catch2/catch.hpp>

using namespace previct;

TEST_CASE("causes: one cause stands alone, several with the number of their pods, the most frequent first") {
  CauseCounts causes;
  CHECK(causes.words().empty());
  causes.add("nodes lack cpu");
  causes.add("nodes lack cpu");
  CHECK(causes.is_one());
  CHECK(causes.words() == "nodes lack cpu");
  for (int i = 0; i < 3; ++i) causes.add("nodes are cordoned");
  CHECK_FALSE(causes.is_one());
  CHECK(causes.words() == "3: nodes are cordoned; 2: nodes lack cpu");
}

TEST_CASE("causes: three are named, the others and pods without words are counted together") {
  CauseCounts causes;
  causes.add("a");
  causes.add("");
  CHECK_FALSE(causes.is_one());
  CHECK(causes.words() == "1: a; 1: other causes");
  for (const char* words : {"b", "c", "d"}) causes.add(words);
  CHECK(causes.words() == "1: a; 1: b; 1: c; 2: other causes");
}
