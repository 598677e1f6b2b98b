// What KAI's answers say about groups whose evictions are not modeled.
// Source: kai-scheduler/KAI-Scheduler: pkg/scheduler/plugins/predicates, api/node_info (d5bc503a).
#include "support/kai.h"
#include "support/kai_cycle.h"

using namespace previct;
using namespace previct::test::cycles;

TEST_CASE("kai semi-preemptible: what it evicts, or evicts for it, is not known", "[kai]") {
  // e runs 2 pods on the only 2 GPUs, above the quota 0 of its queue. p of queue want, which has a quota of 1, reclaims
  // from it. KAI 0.18 evicts at most the pod above the minimum of e; older releases have no such value.
  const auto asked = [](const std::string& preemptibility, const std::string& version) {
    test::AskedGroup question(std::string(kTrain) + queue("want", 1) + queue("have", 0) + node("a", 2) +
                                  group("e", "have", ", minMember: 1" + preemptibility) +
                                  pod({.name = "e0", .group = "e", .node = "a", .request = kGpuEach}) +
                                  pod({.name = "e1", .group = "e", .node = "a", .request = kGpuEach}) +
                                  alone({.name = "p", .request = kGpuEach}),
                              "p");
    question.question.kai_version = version;
    return question.explain();
  };
  CHECK(asked(", preemptibility: preemptible", "").outcome == Outcome::preempts);
  const Answer answer = asked(", preemptibility: semi-preemptible", "");
  CHECK(answer.outcome == Outcome::unknown);
  CHECK(answer.sentence.starts_with(
      "cannot tell, because evictions by KAI 0.18 with semi-preemptible groups (ml/e) are not modeled"));
  CHECK(asked(", preemptibility: semi-preemptible", "0.18").outcome == Outcome::unknown);
  CHECK(asked(", preemptibility: semi-preemptible", "0.17").outcome == Outcome::preempts);
}

TEST_CASE("kai semi-preemptible: a preemptible group that fits is placed nevertheless", "[kai]") {
  const Answer answer = test::AskedGroup(std::string(kTrain) + queue("want", 1) + queue("have", 0) + node("a", 2) +
                                             group("e", "have", ", minMember: 1, preemptibility: semi-preemptible") +
                                             pod({.name = "e0", .group = "e", .node = "a", .request = kGpuEach}) +
                                             alone({.name = "p", .request = kGpuEach}),
                                         "p")
                            .explain();
  CHECK(answer.outcome == Outcome::fits);
  CHECK(std::any_of(answer.gaps.begin(), answer.gaps.end(),
                    [](const Gap& gap) { return gap.rule == GapRule::kai_release_evicts && may_change_answer(gap); }));
}
