#include "cli/fail_on.h"

#include "support/cluster.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace previct::cli::of_fail_on {
namespace {

auto options_with(const std::string& word) -> Options {
  Options options;
  options.command = "explain";
  options.fail_on = {word};
  return options;
}

// The error, or an empty text.
auto refused(const std::string& word, ResultKind kind) -> std::string {
  const auto read = fail_on_of(options_with(word), kind);
  return read ? "" : read.error().message;
}

auto read(const std::string& word, ResultKind kind = ResultKind::decisions) -> FailOn {
  const auto read = fail_on_of(options_with(word), kind);
  REQUIRE(read);
  return *read;
}

/// Two pods of priorities 5 and 10 on nodes a and b.
struct OfTwo {
  OfTwo()
      : cluster(test::a_cluster({test::a_node("a", "4"), test::a_node("b", "4"),
                                 test::a_pod("ns/low").on("a").priority(5).yaml(),
                                 test::a_pod("ns/high").on("b").priority(10).yaml()})) {}

  [[nodiscard]] auto pod(std::string_view name) const -> PodId {
    const Snapshot& of = *cluster->snapshot;
    for (const PodId id : of.pods().ids()) {
      if (of.key(id) == name) return id;
    }
    return {};
  }
  [[nodiscard]] auto victim(std::string_view name, bool certain = true) const -> Victim {
    return {.pod = pod(name), .certain = certain};
  }
  [[nodiscard]] auto status(const FailOn& on, const Answer& answer, bool strict = false) const -> ExitCode {
    const ReportContext context{.cluster = *cluster->snapshot,
                                .now = *parse_instant("2026-03-02T12:00:00Z"),
                                .now_source = "flag",
                                .input_gaps = {}};
    return status_of(on, strict, Provenance(context, answer), {answer}, context);
  }
  [[nodiscard]] auto fails(const std::string& word, const Answer& answer, bool possible = false) const -> bool {
    FailOn on = read(word);
    on.possible = possible;
    return status(on, answer) == kFindings;
  }

  std::unique_ptr<test::TestCluster> cluster;
};

}  // namespace

TEST_CASE("fail-on: each kind of result has its conditions", "[cli]") {
  using enum ResultKind;
  const std::vector<std::pair<std::string, std::vector<ResultKind>>> known = {
      {"incomplete", {decisions, brief_decisions, plays, backtests, others}},
      {"preempts", {decisions, brief_decisions}},
      {"victim-priority>=5", {decisions, brief_decisions}},
      {"changes-within=30m", {decisions, brief_decisions}},
      {"pdb-violation", {decisions}},
      {"thrashing", {plays}},
      {"slo", {plays}},
      {"more-evictions", {backtests}},
      {"more-evictions=3", {backtests}}};
  for (const auto& [word, kinds] : known) {
    for (const ResultKind kind : {decisions, brief_decisions, plays, backtests, others}) {
      CAPTURE(word, static_cast<int>(kind));
      const bool accepted = std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
      CHECK(refused(word, kind).empty() == accepted);
      // A variable is meant for all commands.
      Options options = options_with(word);
      options.from_environment = {"fail-on"};
      CHECK(fail_on_of(options, kind));
    }
  }
  const std::string single = "previct explain does not decide about a single pod; it accepts only incomplete";
  CHECK(refused("preempts", others) == "--fail-on preempts: " + single);
  CHECK(refused("preempts", plays) == "--fail-on preempts: " + single + ", thrashing and slo");
  CHECK(refused("preempts", backtests) ==
        "--fail-on preempts: previct backtest accepts only incomplete and more-evictions");
  CHECK(refused("thrashing", decisions) ==
        "--fail-on thrashing: only previct sequence and previct sweep detect repeated evictions");
  CHECK(refused("slo", brief_decisions) ==
        "--fail-on slo: only previct sequence and previct sweep count failed preemptions");
  CHECK(refused("more-evictions=3", decisions) ==
        "--fail-on more-evictions=3: only previct backtest counts evictions over time");
  CHECK(refused("pdb-violation", brief_decisions) ==
        "--fail-on pdb-violation: PodDisruptionBudgets are evaluated for one pod at one time");
}

TEST_CASE("fail-on: the values of conditions", "[cli]") {
  CHECK(read("victim-priority>=-5").victim_priority == -5);
  CHECK(read("changes-within=0s").changes_within == 0);
  CHECK(read("changes-within=1m").changes_within == 60'000'000'000);
  CHECK(read("more-evictions", ResultKind::backtests).more_evictions == 0);
  CHECK(read("more-evictions=0", ResultKind::backtests).more_evictions == 0);
  CHECK(read("more-evictions=7", ResultKind::backtests).more_evictions == 7);
  CHECK(read("preempts").outcomes == std::vector<std::string>{"preempts"});
  CHECK(refused("victim-priority>=high", ResultKind::decisions) ==
        "--fail-on \"victim-priority>=high\": expected an integer after >=");
  for (const char* wrong : {"changes-within=-1s", "changes-within=30", "changes-within="}) {
    CHECK(refused(wrong, ResultKind::decisions) ==
          fmt::format("--fail-on \"{}\": expected a duration such as 30m", wrong));
  }
  for (const char* wrong : {"more-evictions=-1", "more-evictions=", "more-evictions7", "more-evictions=x"}) {
    CHECK(refused(wrong, ResultKind::backtests) ==
          fmt::format("--fail-on \"{}\": expected a number, such as more-evictions=10", wrong));
  }
  // A variable is read as well, although the condition does not count here.
  Options options = options_with("victim-priority>=high");
  options.from_environment = {"fail-on"};
  CHECK_FALSE(fail_on_of(options, ResultKind::others));
  options.fail_on = {"thrashing"};
  CHECK_FALSE(fail_on_of(options, ResultKind::decisions)->thrashing);
}

TEST_CASE("fail-on: slo holds for kube-scheduler only", "[cli]") {
  Options options = options_with("slo");
  const FailOn slo = read("slo", ResultKind::plays);
  const auto checked = check_slo(slo, options, "kai");
  REQUIRE_FALSE(checked);
  CHECK(checked.error().message ==
        "--fail-on slo: calls to the API server are simulated only for kube-scheduler, and these pods use kai");
  CHECK(check_slo(read("thrashing", ResultKind::plays), options, "kai"));
  options.from_environment = {"fail-on"};
  CHECK(check_slo(slo, options, "kai"));
}

TEST_CASE("fail-on: more evictions than before, by more than the number", "[cli]") {
  const auto status = [](const std::string& word, std::size_t before, std::size_t after, bool strict = false,
                         bool complete = true) {
    return status_of(read(word, ResultKind::backtests), strict, complete, before, after);
  };
  CHECK(status("more-evictions", 3, 3) == kAnswered);
  CHECK(status("more-evictions", 3, 4) == kFindings);
  CHECK(status("more-evictions", 4, 3) == kAnswered);
  CHECK(status("more-evictions=2", 3, 5) == kAnswered);
  CHECK(status("more-evictions=2", 3, 6) == kFindings);
  CHECK(status("incomplete", 3, 9) == kAnswered);
  CHECK(status("incomplete", 3, 3, false, false) == kFindings);
  CHECK(status("more-evictions", 3, 3, false, false) == kAnswered);
  CHECK(status("more-evictions", 3, 4, true, false) == kIncomplete);
}

TEST_CASE("fail-on: outcomes, gaps and errors of an answer", "[cli]") {
  const OfTwo of;
  Answer answer;
  answer.outcome = Outcome::pending;
  answer.next_change = *parse_instant("2026-03-02T12:30:00Z");
  CHECK(of.fails("pending", answer));
  CHECK_FALSE(of.fails("preempts", answer));
  CHECK(of.fails("changes-within=30m", answer));
  CHECK_FALSE(of.fails("changes-within=1799s", answer));
  CHECK_FALSE(of.fails("incomplete", answer));
  CHECK(of.status(read("preempts"), answer, true) == kAnswered);
  answer.gaps = {{.rule = GapRule::no_running_pods, .could_change_answer = true}};
  CHECK(of.fails("incomplete", answer));
  CHECK_FALSE(of.fails("preempts", answer));
  CHECK(of.status(read("pending"), answer, true) == kIncomplete);
  answer.internal_error = "it broke";
  CHECK(of.status(read("pending"), answer, true) == kBug);
}

// A condition on victims must hold whatever happens; with --possible, it suffices that it may.
TEST_CASE("fail-on: conditions on victims, by what is certain and what is possible", "[cli]") {
  const OfTwo of;
  const auto both = [&](const std::string& word, const Answer& answer) {
    return std::pair(of.fails(word, answer), of.fails(word, answer, true));
  };
  const std::pair always(true, true);
  const std::pair maybe(false, true);
  const std::pair never(false, false);
  Answer plain;
  plain.victims = {of.victim("ns/low")};
  CHECK(both("victim-priority>=5", plain) == always);
  CHECK(both("victim-priority>=6", plain) == never);
  CHECK(both("pdb-violation", plain) == never);
  plain.pdb_violations = 1;
  CHECK(both("pdb-violation", plain) == always);
  plain.victims = {of.victim("ns/low", false)};
  CHECK(both("victim-priority>=5", plain) == maybe);
  // One of several equal pods is evicted for certain.
  plain.victims[0].one_of = std::make_shared<const std::vector<PodId>>(std::vector{of.pod("ns/low")});
  CHECK(both("victim-priority>=5", plain) == always);

  Answer random;
  PossibleNode a;
  a.victims = {of.victim("ns/low")};
  PossibleNode b;
  b.victims = {of.victim("ns/high")};
  b.pdb_violations = 1;
  random.odds = Odds{.nodes = {a, b}, .candidates = 2, .sample = 2};
  CHECK(both("victim-priority>=5", random) == always);
  CHECK(both("victim-priority>=10", random) == maybe);
  CHECK(both("victim-priority>=11", random) == never);
  CHECK(both("pdb-violation", random) == maybe);
  random.odds->nodes[0].pdb_violations = 1;
  CHECK(both("pdb-violation", random) == always);

  Answer ordered;
  ordered.victims = {of.victim("ns/low")};
  ordered.orders = Orders{{{.node = "a", .most_pdb_violations = 1, .ever = {of.pod("ns/low")}},
                           {.node = "b", .ever = {of.pod("ns/high")}}}};
  CHECK(both("victim-priority>=5", ordered) == always);
  CHECK(both("victim-priority>=10", ordered) == maybe);
  CHECK(both("pdb-violation", ordered) == maybe);
  ordered.orders->nodes[0].fewest_pdb_violations = 1;
  CHECK(both("pdb-violation", ordered) == maybe);
  ordered.orders->nodes[1].fewest_pdb_violations = 1;
  ordered.orders->nodes[1].most_pdb_violations = 1;
  CHECK(both("pdb-violation", ordered) == always);
}

}  // namespace previct::cli::of_fail_on
