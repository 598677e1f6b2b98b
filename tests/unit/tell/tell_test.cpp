#include "tell/tell.h"

#include "support/cluster.h"

#include <catch2/catch.hpp>

using namespace previct;

namespace {

/// Explains verdicts only.
class VerdictTeller final : public Teller {
 public:
  [[nodiscard]] auto name() const -> std::string_view override { return "other"; }
  [[nodiscard]] auto scheduler() const -> std::string_view override { return "Other"; }
  [[nodiscard]] auto sentence(const Snapshot& /*cluster*/, const Question& /*question*/,
                              const EngineTrace& /*account*/) const -> std::string override {
    return {};
  }
  [[nodiscard]] auto cause(const Snapshot& /*cluster*/, const Question& /*question*/,
                           const EngineTrace& /*account*/) const -> Cause override {
    return {};
  }
  void tell(const Snapshot& /*cluster*/, const Question& /*question*/, const EngineTrace& /*account*/,
            Answer& /*answer*/) const override {}
};

}  // namespace

TEST_CASE("tell: an unknown verdict without an account says which gap decides", "[tell]") {
  const auto cluster = test::a_cluster({test::a_node("a", "1")});
  Verdict verdict;
  verdict.engine = "kube";
  verdict.outcome = Outcome::unknown;
  CHECK(tell(*cluster->snapshot, Question{}, verdict).sentence == "unknown");
  verdict.gaps = {{GapRule::missing, {"Queue", "there are no queues"}, true}};
  CHECK(tell(*cluster->snapshot, Question{}, verdict).sentence == "cannot tell, because Queue is not in the input");
}

TEST_CASE("tell: an engine that lists no protections or queues says so", "[tell]") {
  const auto cluster = test::a_cluster({test::a_node("a", "1")});
  const auto protections = VerdictTeller().protections(*cluster->snapshot, Question{});
  REQUIRE_FALSE(protections);
  CHECK(protections.error().message == "the other engine does not list tolerations");
  const auto preemptors = VerdictTeller().possible_preemptors(*cluster->snapshot, Question{});
  REQUIRE_FALSE(preemptors);
  CHECK(preemptors.error().message == "the other engine does not list which pods could preempt a pod");
  const auto of_queues = queues(*find_engine("kube"), *cluster->snapshot, Question{});
  REQUIRE_FALSE(of_queues);
  CHECK(of_queues.error().message == "the kube engine does not list queues");
}
