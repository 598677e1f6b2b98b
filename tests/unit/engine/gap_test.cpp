#include "engine/gap.h"

#include <catch2/catch.hpp>

using namespace previct;

TEST_CASE("gap: weakens an answer that it decides, or that it could change if it is not an assumption") {
  const GapRule missing = GapRule::kai_chance;
  REQUIRE(kind_of(missing) != GapKind::assumption);
  CHECK(may_change_answer({.rule = missing, .decides = true, .could_change_answer = false}));
  CHECK(may_change_answer({.rule = missing, .could_change_answer = true}));
  CHECK_FALSE(may_change_answer({.rule = missing, .could_change_answer = false}));
}
