#include "analysis/diff.h"

#include "support/cluster.h"

#include <catch2/catch.hpp>

namespace previct::test {

// New pods replace those of the earlier template, which is not simulated.
TEST_CASE("diff: what a rollout changes is not known", "[diff]") {
  const auto cluster = a_cluster({a_node("n1", "4"), a_pod("x/w-0").on("n1").yaml()});
  const Stores before = static_cast<const Stores&>(cluster->objects);
  Question question;
  question.now = parse_instant("2026-03-02T12:00:00Z").value();
  const auto sentence = [&](std::vector<Gap> gaps) {
    const auto compared = diff({.objects = cluster->objects,
                                .before = before,
                                .sides = {{"before", question}, {"after", question}},
                                .subjects = {},
                                .remarks = {},
                                .now_source = "flag",
                                .input_gaps = std::move(gaps),
                                .arrivals = {}});
    REQUIRE(compared);
    return std::get<Line>(compared->report.blocks.front()).spans.front().text;
  };
  const Gap rollout{GapRule::rollout_of_change, {"the rollout of StatefulSet x/w", "its pod is not replaced"}};
  CHECK(sentence({}).starts_with("nothing differs"));
  CHECK(sentence({rollout}).starts_with(
      "cannot tell, because the rollout of StatefulSet x/w is not modeled. Without it: nothing differs"));
  CHECK(sentence({rollout, rollout}).starts_with("cannot tell, because 2 rollouts are not modeled (below)."));
}

}  // namespace previct::test
