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

TEST_CASE("gap: of two gaps about the same thing, the one with the greater consequences stays") {
  const Gap for_the_record{.rule = GapRule::kai_chance, .could_change_answer = false};
  const Gap open{.rule = GapRule::kai_chance, .decides_node = true};
  const Gap decides{.rule = GapRule::kai_chance, .decides = true};
  const auto together = [](const Gap& a, const Gap& b) {
    std::vector<Gap> gaps{a};
    add_gaps({b}, gaps);
    REQUIRE(gaps.size() == 1);
    return gaps.front();
  };
  CHECK(together(open, decides).decides);
  CHECK(together(decides, open).decides);
  CHECK(together(open, decides).decides_node);
  CHECK(together(for_the_record, open).could_change_answer);
  CHECK(together(open, for_the_record).could_change_answer);
  CHECK_FALSE(together(for_the_record, for_the_record).could_change_answer);
  // Two rules that report the same missing kind: the words are those of the rule that decides.
  const Gap assumed{.rule = GapRule::missing, .operands = {"Node", "none is assumed"}};
  const Gap unknown{.rule = GapRule::missing_nodes, .operands = {"Node", ""}, .decides = true};
  CHECK(together(assumed, unknown).rule == GapRule::missing_nodes);
  CHECK(together(unknown, assumed).rule == GapRule::missing_nodes);
}
