#include "engine/gap.h"

#include <catch2/catch.hpp>

using namespace previct;

TEST_CASE("a gap weakens an answer if it decides it, or could change it and is no assumption") {
  const GapRule missing = GapRule::kai_chance;
  REQUIRE(kind_of(missing) != GapKind::assumption);
  CHECK(weakens({.rule = missing, .decides = true, .could_change_answer = false}));
  CHECK(weakens({.rule = missing, .could_change_answer = true}));
  CHECK_FALSE(weakens({.rule = missing, .could_change_answer = false}));
}
