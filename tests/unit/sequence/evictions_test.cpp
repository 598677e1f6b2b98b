// The evictions of a preemption: which calls are made, when, and what the reports say about them.
#include "support/traced.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace previct::sequence {
namespace {

using test::a_cluster;
using test::a_node;
using test::a_pod;
using Reasons = std::vector<std::string>;

auto victim(const std::string& name, const std::string& node, const std::string& started, int priority = 1)
    -> test::PodBuilder {
  test::PodBuilder pod = a_pod("d/" + name);
  pod.on(node).priority(priority).started(fmt::format("2026-03-02T{}:00Z", started));
  return pod;
}

auto reasons_of(const SimulationResult& play) -> Reasons {
  Reasons reasons;
  for (const Step& step : play.steps) {
    if (step.what == EventKind::preempts) reasons.push_back(step.why);
  }
  return reasons;
}

// How many pods get the condition DisruptionTarget, by time in milliseconds.
auto marks_of(std::size_t victims, const std::string& gates) -> std::map<Time, std::size_t> {
  std::vector<std::string> documents = {a_node("n1", std::to_string(victims), 400)};
  for (std::size_t i = 0; i < victims; ++i)
    documents.push_back(victim(fmt::format("v{}", i), "n1", fmt::format("{:02}:{:02}", i / 60, i % 60)).yaml());
  documents.push_back(a_pod("d/p").priority(9).cpu(std::to_string(victims)).yaml());
  const auto cluster = a_cluster(documents);
  Settings settings;
  settings.question.now = parse_instant("2026-03-02T12:00:00Z").value();
  settings.question.k8s_version = "1.35";
  settings.question.feature_gates = gates;
  settings.pods = {cluster->snapshot->find_pod("d", "p")};
  settings.pace.qps = -1;  // no limit
  settings.horizon = kSecond;
  const auto play = simulate_kube(cluster->objects, settings, {});
  REQUIRE(play);
  std::map<Time, std::size_t> marks;
  for (const Step& step : play->steps) {
    if (step.what == EventKind::marked) ++marks[step.at / kMillisecond];
  }
  return marks;
}

}  // namespace

// For n victims, a chunk has the square root of n, but at most n / 16 + 1 of them; 16 workers take the chunks in order.
// Each victim takes two calls of 5 ms. If asynchronous, the last victim is evicted alone, 10 ms after the others.
// Source: pkg/scheduler/framework/parallelize/parallelism.go chunkSizeFor; client-go util/workqueue ParallelizeUntil.
TEST_CASE("evictions: workers take chunks of the victims", "[sequence]") {
  const char* const in_cycle = "SchedulerAsyncPreemption=false";
  // 9 victims and the last one: 9 chunks of 1.
  CHECK(marks_of(10, "") == std::map<Time, std::size_t>{{7, 9}, {17, 1}});
  // 39 victims: the root is 6, but 39 / 16 + 1 = 3: 13 chunks of 3.
  CHECK(marks_of(40, "") == std::map<Time, std::size_t>{{7, 13}, {17, 13}, {27, 13}, {37, 1}});
  // 40 victims in the cycle: 13 chunks of 3, and one of 1.
  CHECK(marks_of(40, in_cycle) == std::map<Time, std::size_t>{{7, 14}, {17, 13}, {27, 13}});
  // 299 victims: the root is 17, and 299 / 16 + 1 = 19: 17 chunks of 17, and one of 10. The workers that are the first
  // to finish their chunk take the last two.
  std::map<Time, std::size_t> marks;
  for (Time i = 0; i < 17; ++i) marks[7 + 10 * i] = 16;
  for (Time i = 0; i < 17; ++i) marks[177 + 10 * i] = i < 10 ? 2 : 1;
  CHECK(marks_of(299, in_cycle) == marks);
}

// A victim that has the condition with this reason already is deleted at once.
// Source: framework/preemption/executor.go PreemptPod, which patches the status only if it changes; v1.35.
TEST_CASE("evictions: a victim is patched unless its condition is the same", "[sequence]") {
  struct Case {
    const char* status;
    const char* reason;
    bool patched;
  };
  for (const Case& each : {Case{"True", "PreemptionByScheduler", false}, Case{"True", "EvictionByEvictionAPI", true},
                           Case{"False", "PreemptionByScheduler", true}}) {
    INFO(each.status << " " << each.reason);
    const auto cluster =
        a_cluster({a_node("n1", "1"),
                   victim("v", "n1", "10:00").yaml() +
                       fmt::format("  conditions: [{{type: DisruptionTarget, status: \"{}\", reason: {}}}]\n",
                                   each.status, each.reason),
                   a_pod("d/p").priority(9).yaml()});
    const Trace trace = trace_of(traced(*cluster, "1.35"), *cluster);
    REQUIRE(trace.size() > 3);
    if (each.patched) {
      CHECK(trace[2] == "7 marked d/v");
      CHECK(trace[3] == "12 deleting d/v");
    } else {
      CHECK(trace[2] == "7 deleting d/v");
    }
  }
}

TEST_CASE("evictions: what is said of a preemption", "[sequence]") {
  const auto terminating = [](const std::string& name) {
    return victim(name, "n1", "11:00").deleting("2026-03-02T12:00:20Z").yaml();
  };
  struct Case {
    std::vector<std::string> documents;
    Reasons reasons;
  };
  const std::string one_cpu = a_pod("d/p").priority(9).yaml();
  const std::string two_cpus = a_pod("d/p").priority(9).cpu("2").yaml();
  const std::vector<Case> cases = {
      {{a_node("n1", "1"), victim("v", "n1", "10:00").yaml(), one_cpu}, {""}},
      // The nodes are equal in all respects.
      {{a_node("n1", "1"), a_node("n2", "1"), victim("v", "n1", "10:00").yaml(), victim("w", "n2", "10:00").yaml(),
        one_cpu},
       {"equal to 1 other node"}},
      {{a_node("n1", "2"), terminating("v"), victim("w", "n1", "10:00").yaml(), two_cpus}, {"1 already terminating"}},
      {{a_node("n1", "2"), terminating("v"), terminating("w"), two_cpus},
       {"all victims are already terminating: no call is made"}},
      // For d/q, the nominated d/p counts on n1, so that all pods must leave; 2 of them do so for d/p.
      {{a_node("n1", "3"), victim("v1", "n1", "09:00").yaml(), victim("v2", "n1", "10:00").yaml(),
        victim("v3", "n1", "11:00").yaml(), two_cpus, a_pod("d/q").priority(9).yaml()},
       {"", "2 of them are victims of another preemption"}},
      {{a_node("n1", "2"), victim("v1", "n1", "09:00").yaml(), victim("v2", "n1", "10:00").yaml(), one_cpu,
        a_pod("d/q").priority(9).yaml()},
       {"", "1 of them is a victim of another preemption"}},
      // The other preemption, on n1, has other victims.
      {{a_node("n1", "1"), a_node("n2", "1"), victim("v", "n1", "10:00").yaml(), victim("w", "n2", "10:00", 2).yaml(),
        one_cpu, a_pod("d/q").priority(8).yaml()},
       {"", ""}},
  };
  for (const Case& each : cases) {
    const auto cluster = a_cluster(each.documents);
    CHECK(reasons_of(traced(*cluster, "1.35")) == each.reasons);
  }
}

// The failure to delete d/v1 cancels the call that would delete d/v2 at the same time; nothing of the first preemption
// is still in progress at the second one.
TEST_CASE("evictions: a preemption within its cycle that has failed is over", "[sequence]") {
  const auto cluster = a_cluster({a_node("n1", "2"), victim("v1", "n1", "10:00").yaml(),
                                  victim("v2", "n1", "11:00").yaml(), a_pod("d/p").priority(9).cpu("2").yaml()});
  const SimulationResult play =
      traced(*cluster, "1.35", "SchedulerAsyncPreemption=false", false, {},
             {{.verb = Failure::Verb::remove, .pod = cluster->snapshot->find_pod("d", "v1")}});
  CHECK(play.metrics.synchronous_failed == 1);
  CHECK(play.metrics.synchronous_succeeded == 1);
  CHECK(reasons_of(play) == Reasons{"", ""});
  CHECK(play.ends.front().kind == End::Kind::bound);
}

// d/a waits for a place on n2, d/b on n1, where d/p preempts: only the nomination of d/b is cleared.
TEST_CASE("evictions: nominations on other nodes stay", "[sequence]") {
  const auto cluster = a_cluster({a_node("n1", "2"), a_node("n2", "1"), victim("v", "n1", "10:00").yaml(),
                                  victim("w", "n1", "11:00").deleting("2026-03-02T12:00:20Z").yaml(),
                                  victim("x", "n2", "10:00", 20).deleting("2026-03-02T12:00:20Z").yaml(),
                                  a_pod("d/a").priority(2).nominated("n2").never_preempts().yaml(),
                                  a_pod("d/b").priority(3).nominated("n1").never_preempts().yaml(),
                                  a_pod("d/p").priority(9).cpu("2").yaml()});
  const Trace trace = trace_of(traced(*cluster, "1.35"), *cluster);
  const auto cleared = [&](const char* pod) {
    return std::any_of(trace.begin(), trace.end(),
                       [&](const std::string& step) { return step.ends_with(fmt::format("cleared {}", pod)); });
  };
  CHECK(cleared("d/b"));
  CHECK_FALSE(cleared("d/a"));
}

// PreEnqueue holds the preemptor while its preemption runs, until the last victim is being deleted: both are reported
// once. d/x ends at 20 s. At the end of d/w, 4 ms after the decision, d/p is held.
// Source: framework/preemption/preemption.go IsPodRunningPreemption; v1.35.
TEST_CASE("evictions: that a preemptor is held, and released, is said once", "[sequence]") {
  const auto cluster =
      a_cluster({a_node("n1", "2"), victim("v1", "n1", "10:00").yaml(), victim("v2", "n1", "11:00").yaml(),
                 victim("w", "n1", "11:00").cpu("0").deleting("2026-03-02T12:00:01Z").yaml(),
                 victim("x", "n1", "11:00").cpu("0").deleting("2026-03-02T12:00:20Z").yaml(),
                 a_pod("d/p").priority(9).cpu("2").yaml()});
  const SimulationResult play = traced(*cluster, "1.35", "", false, {{"p", 996 * kMillisecond}});
  std::vector<std::pair<Time, EventKind>> steps;
  for (const Step& step : play.steps) {
    if (step.what == EventKind::held || step.what == EventKind::released)
      steps.emplace_back(step.at / kMillisecond, step.what);
  }
  // 998: decision; 1003, 1008: d/v1 is marked and deleted; 1013, 1018: d/v2.
  CHECK(steps == std::vector<std::pair<Time, EventKind>>{{1000, EventKind::held}, {1018, EventKind::released}});
}

}  // namespace previct::sequence
