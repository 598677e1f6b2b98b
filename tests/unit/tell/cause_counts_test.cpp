#include "tell/cause_counts.h"

#include <catch2/catch.hpp>

using namespace previct;

TEST_CASE("causes: one cause stands alone, several with the number of their pods, the most frequent first") {
  CauseCounts causes;
  CHECK(causes.words().empty());
  causes.add("nodes lack cpu", "nodes lack cpu");
  causes.add("nodes lack cpu", "nodes lack cpu");
  CHECK(causes.is_one());
  CHECK(causes.words() == "nodes lack cpu");
  for (int i = 0; i < 3; ++i) causes.add("nodes are cordoned", "nodes are cordoned");
  CHECK_FALSE(causes.is_one());
  CHECK(causes.words() == "3: nodes are cordoned; 2: nodes lack cpu");
}

TEST_CASE("causes: three are named, the others and pods without words are counted together") {
  CauseCounts causes;
  causes.add("a", "a");
  causes.add("", "");
  CHECK_FALSE(causes.is_one());
  CHECK(causes.words() == "1: a; 1: other causes");
  for (const char* words : {"b", "c", "d"}) causes.add(words, words);
  CHECK(causes.words() == "1: a; 1: b; 1: c; 2: other causes");
}

TEST_CASE("causes: what pods lack of one kind is one cause") {
  CauseCounts causes;
  const auto lacks = [](const std::string& claim) {
    return Gap{GapRule::missing_volume, {"PersistentVolumeClaim", "", claim}};
  };
  causes.add(lacks("a"));
  causes.add(lacks("a"));
  CHECK(causes.words() == "the pod uses the claim a, but the input has no PersistentVolumeClaim");
  causes.add(lacks("b"));
  causes.add(lacks("a"));
  CHECK(causes.is_one());
  CHECK(causes.words() == "PersistentVolumeClaim is not in the input");
  causes.add(Gap{GapRule::missing_nodes, {"Node", ""}});
  CHECK(causes.words() == "4: PersistentVolumeClaim is not in the input; 1: the input has no nodes");
}
