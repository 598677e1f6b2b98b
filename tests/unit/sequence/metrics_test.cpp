#include "sequence/kube_scenario.h"
#include "sequence/modes.h"
#include "sequence/report.h"
#include "support/cluster.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace previct::sequence {
namespace {

using test::a_cluster;
using test::a_node;
using test::a_pod;
using test::TestCluster;

using Observed = std::vector<std::size_t>;

// d/p needs the eviction of two victims of 1 CPU each. The first delete call for d/v1 fails, which abandons both; the
// second attempt deletes both.
auto one_failed_call() -> std::pair<std::unique_ptr<TestCluster>, Settings> {
  auto cluster =
      a_cluster({a_node("n1", "2"), a_pod("d/v1").on("n1").priority(1).started("2026-03-02T10:00:00Z").yaml(),
                 a_pod("d/v2").on("n1").priority(1).started("2026-03-02T11:00:00Z").yaml(),
                 a_pod("d/p").priority(9).cpu("2").yaml()});
  Settings settings;
  settings.question.now = parse_instant("2026-03-02T12:00:00Z").value();
  settings.pods.push_back(cluster->snapshot->find_pod("d", "p"));
  settings.failures.push_back({Failure::Verb::remove, cluster->snapshot->find_pod("d", "v1"), 0, 0});
  return {std::move(cluster), std::move(settings)};
}

auto sequence_of(TestCluster& cluster, const Settings& settings) -> Sequence {
  auto sequence = kube_sequence(cluster.objects, settings);
  if (!sequence) FAIL(sequence.error().message);
  return *std::move(sequence);
}

auto metrics_of(const Sequence& sequence) -> Json {
  Json document;
  add_modes(sequence, document);
  return document.at("preemptionModes").at(0).at("metrics");
}

constexpr auto kSuccess = "scheduler_preemption_goroutines_execution_total{result=\"success\"}";
constexpr auto kError = "scheduler_preemption_goroutines_execution_total{result=\"error\"}";
constexpr auto kSeconds = "scheduler_preemption_goroutines_duration_seconds_sum";

// Ten nodes of 1 CPU, each with a victim of 1 CPU, and ten preemptors: ten preemptions of one victim each.
auto ten_of_each() -> std::pair<std::unique_ptr<TestCluster>, Settings> {
  std::vector<std::string> documents;
  for (int i = 0; i < 10; ++i) {
    const std::string node = fmt::format("n{}", i);
    documents.push_back(a_node(node, "1"));
    documents.push_back(a_pod(fmt::format("d/v{}", i)).on(node).started("2026-03-02T11:00:00Z").yaml());
    documents.push_back(a_pod(fmt::format("d/p{}", i)).priority(9).yaml());
  }
  auto cluster = a_cluster(documents);
  Settings settings;
  settings.question.now = parse_instant("2026-03-02T12:00:00Z").value();
  for (int i = 0; i < 10; ++i) settings.pods.push_back(cluster->snapshot->find_pod("d", fmt::format("p{}", i)));
  return {std::move(cluster), std::move(settings)};
}

}  // namespace

TEST_CASE("metrics: goroutines count by result since 1.37; before, each is a success without duration",
          "[sequence][metrics]") {
  auto [cluster, settings] = one_failed_call();
  for (const char* release : {"1.35", "1.36", "1.37"}) {
    INFO(release);
    settings.question.k8s_version = release;
    const Sequence sequence = sequence_of(*cluster, settings);
    const Metrics& metrics = sequence.play.metrics;
    CHECK(metrics.goroutines_failed == 1);
    CHECK(metrics.goroutines_succeeded == 1);
    // Both decisions have two victims, none of which is being deleted.
    CHECK(metrics.victims == Observed{2, 2});
    const Json said = metrics_of(sequence);
    const bool by_result = std::string_view(release) == "1.37";
    CHECK(said.at(kSuccess) == (by_result ? 1 : 2));
    CHECK(said.at(kError) == (by_result ? 1 : 0));
    CHECK((said.at(kSeconds) > 0) == by_result);
    CHECK(said.at("scheduler_preemption_victims_count") == 2);
    CHECK(said.at("scheduler_preemption_victims_sum") == 4);
    CHECK(said.at("scheduler_preemption_victims_bucket{le=\"1\"}") == 0);
    CHECK(said.at("scheduler_preemption_victims_bucket{le=\"2\"}") == 2);
    // Each attempt that finds no node asks the plugin, including those that wait for victims to terminate.
    CHECK(said.at("scheduler_preemption_attempts_total") == metrics.unschedulable);
  }
}

TEST_CASE("metrics: victims of synchronous preemption are observed once all are deleted, since 1.36 at once",
          "[sequence][metrics]") {
  auto [cluster, settings] = one_failed_call();
  settings.question.feature_gates = "SchedulerAsyncPreemption=false";
  for (const char* release : {"1.35", "1.36"}) {
    INFO(release);
    settings.question.k8s_version = release;
    const Sequence sequence = sequence_of(*cluster, settings);
    const Metrics& metrics = sequence.play.metrics;
    CHECK(metrics.preemptions == 2);
    CHECK(metrics.synchronous_failed == 1);
    CHECK(metrics.synchronous_succeeded == 1);
    CHECK(metrics.victims == (std::string_view(release) == "1.35" ? Observed{2} : Observed{2, 2}));
    CHECK_FALSE(metrics_of(sequence).contains(kSuccess));  // registered with the feature gate only
  }
}

TEST_CASE("metrics: the SLO of KEP-4832 is missed if 1 of 100 preemptions fails", "[sequence][metrics]") {
  CHECK_FALSE(FailureRate{0, 0}.misses_slo());
  CHECK_FALSE(FailureRate{0, 5}.misses_slo());
  CHECK_FALSE(FailureRate{1, 101}.misses_slo());  // 0.0099
  CHECK(FailureRate{1, 100}.misses_slo());        // 0.01 is not below 0.01
  CHECK(FailureRate{1, 2}.misses_slo());
  auto [cluster, settings] = one_failed_call();
  const Sequence sequence = sequence_of(*cluster, settings);
  CHECK(failure_rate(sequence).failed == 1);
  CHECK(failure_rate(sequence).of == 2);
  CHECK(slo_sentence(sequence) ==
        " 1 of 2 preemptions fail: the SLO of KEP-4832, a failure rate below 0.01, is missed.");
}

TEST_CASE("metrics: a failure rate is a percentage above 0 and up to 100", "[sequence][metrics]") {
  const auto cluster = a_cluster({a_node("n1", "2"), a_pod("d/v").on("n1").yaml()});
  const auto per_million = [&](const std::string& text) -> std::int64_t {
    const auto failure = read_failure(text, *cluster->snapshot);
    return failure ? std::int64_t{failure->per_million} : -1;
  };
  CHECK(per_million("delete:5%") == 50'000);
  CHECK(per_million("patch-status:0.25%") == 2'500);
  CHECK(per_million("nominate:100%") == 1'000'000);
  CHECK(per_million("api:0.001%") == 10);
  CHECK(per_million("delete:d/v") == 0);
  for (const char* wrong :
       {"delete:0%", "delete:101%", "delete:-5%", "delete:%", "delete:1e1%", "delete:5 %", "bind:5%"}) {
    INFO(wrong);
    CHECK(per_million(wrong) == -1);
  }
}

TEST_CASE("metrics: a seed always selects the same calls to fail, about as many as requested", "[sequence][metrics]") {
  auto [cluster, settings] = ten_of_each();
  settings.failures.push_back({.verb = Failure::Verb::remove, .per_million = 250'000});
  const Sequence sequence = sequence_of(*cluster, settings);
  REQUIRE(sequence.seeds.size() == 20);
  CHECK(sequence.seeds.front().seed == 1);
  CHECK(sequence.seeds.back().seed == 20);
  CHECK(sequence.seeds.front().failed == sequence.play.metrics.failed());
  // Each preemption has one victim and so one such call, which fails once in four; each pod is tried until it succeeds.
  // That is 200 successes, and about 67 failures among 267 calls: four standard deviations are 0.11.
  const FailureRate all = failure_rate(sequence);
  CHECK(all.of - all.failed == 200);
  CHECK(all.rate() > 0.14);
  CHECK(all.rate() < 0.36);
  CHECK(all.misses_slo());
  for (const SeedResult& each : sequence.seeds) {
    CHECK(each.evicted == 10);
    CHECK(each.bound == 10);
  }
  // The third seed alone gives the same as among the twenty.
  settings.seed = 3;
  const auto third = simulate_kube(cluster->objects, settings, {});
  REQUIRE(third);
  CHECK(third->metrics.failed() == sequence.seeds[2].failed);
  CHECK(third->length == sequence.seeds[2].length);
  const auto is_other = [&](const SeedResult& each) { return each.failed != sequence.seeds.front().failed; };
  CHECK(std::any_of(sequence.seeds.begin(), sequence.seeds.end(), is_other));
}

TEST_CASE("metrics: at a rate of 100 %, all calls of one kind fail, and no others", "[sequence][metrics]") {
  auto [cluster, settings] = ten_of_each();
  settings.failures.push_back({.verb = Failure::Verb::remove, .per_million = 1'000'000});
  settings.most_steps = 500;
  const auto play = simulate_kube(cluster->objects, settings, {});
  REQUIRE(play);
  CHECK(play->metrics.goroutines_succeeded == 0);
  CHECK(play->metrics.goroutines_failed > 0);
  const auto is = [](EventKind what) { return [what](const Step& step) { return step.what == what; }; };
  CHECK(std::none_of(play->steps.begin(), play->steps.end(), is(EventKind::deleting)));
  CHECK(std::any_of(play->steps.begin(), play->steps.end(), is(EventKind::marked)));
  CHECK(std::any_of(play->steps.begin(), play->steps.end(), is(EventKind::nominated)));
}

TEST_CASE("metrics: a gate whose calls are not simulated is named, but not for a single decision",
          "[sequence][metrics]") {
  auto [cluster, settings] = ten_of_each();
  settings.question.k8s_version = "1.35";
  const auto names_it = [&] {
    const auto play = simulate_kube(cluster->objects, settings, {});
    REQUIRE(play);
    const auto gaps = gaps_of_play(*cluster->snapshot, settings, *play, true);
    return std::any_of(gaps.begin(), gaps.end(), [](const Gap& gap) { return gap.rule == GapRule::calls_in_cycle; });
  };
  CHECK_FALSE(names_it());
  settings.question.feature_gates = "SchedulerAsyncAPICalls=true";
  CHECK(names_it());
  CHECK(kind_of(GapRule::calls_in_cycle) == GapKind::unmodelled);
}

}  // namespace previct::sequence
