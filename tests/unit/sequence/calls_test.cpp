// Calls to the API server that fail, step by step.
#include "base/split_mix64.h"
#include "sequence/kube_simulation.h"
#include "support/traced.h"

#include <catch2/catch.hpp>

#include <algorithm>

namespace previct::sequence {
namespace {

using test::a_cluster;
using test::a_node;
using test::a_pod;

// d/p needs the place of d/v.
auto one_victim() -> std::unique_ptr<test::TestCluster> {
  return a_cluster({a_node("n1", "1"), a_pod("d/v").on("n1").priority(1).started("2026-03-02T10:00:00Z").yaml(),
                    a_pod("d/p").priority(9).yaml()});
}

auto at(int milliseconds) -> Time {
  return milliseconds * kMillisecond;
}

auto any_between(int from, int until) -> std::vector<Failure> {
  return {{.verb = Failure::Verb::any, .from = at(from), .until = at(until)}};
}

const Trace kEnd = {"30000 gone d/v", "30002 takes d/p", "30007 bound d/p"};

auto then_end(Trace trace) -> Trace {
  trace.insert(trace.end(), kEnd.begin(), kEnd.end());
  return trace;
}

}  // namespace

// The calls of 2 ms are answered at 7 ms. Those that the server refuses leave again 10 ms after the answer, and then
// 50 ms after the next one. Delete calls are not retried: the preemption fails, d/p is activated, and its next attempt
// repeats it without the patch.
// Source: client-go util/retry/util.go DefaultBackoff; pkg/scheduler/util/utils.go PatchPodStatus, DeletePod; v1.35.
TEST_CASE("calls: an API server that is unavailable for a while", "[sequence]") {
  struct Case {
    int from;
    int until;
    Trace trace;
  };
  const Trace undisturbed = {"2 preempts d/p", "7 nominated d/p", "7 marked d/v", "12 deleting d/v"};
  for (const Case& each : {
           Case{0, 7, undisturbed},
           Case{20'000, 21'000, undisturbed},
           Case{7, 22, {"2 preempts d/p", "22 nominated d/p", "22 marked d/v", "27 deleting d/v"}},
           Case{7, 23, {"2 preempts d/p", "77 nominated d/p", "77 marked d/v", "82 deleting d/v"}},
           Case{12,
                13,
                {"2 preempts d/p", "7 nominated d/p", "7 marked d/v", "12 call failed d/v", "14 preempts d/p",
                 "19 deleting d/v"}},
       }) {
    INFO(each.from << " to " << each.until);
    const auto cluster = one_victim();
    const SimulationResult play = traced(*cluster, "1.35", "", false, {}, any_between(each.from, each.until));
    CHECK(trace_of(play, *cluster) == then_end(each.trace));
    const auto failed = std::find_if(play.steps.begin(), play.steps.end(),
                                     [](const Step& step) { return step.what == EventKind::call_failed; });
    if (failed == play.steps.end()) continue;
    CHECK(failed->why == "the delete call fails: the API server is unavailable");
    CHECK(failed->by == cluster->snapshot->find_pod("d", "p"));
  }
}

// The nomination is only in the memory of the scheduler, which suffices.
TEST_CASE("calls: a status that is not written nominates no node", "[sequence]") {
  const auto cluster = one_victim();
  const std::vector<Failure> fails = {{.verb = Failure::Verb::nominate, .pod = cluster->snapshot->find_pod("d", "p")}};
  CHECK(trace_of(traced(*cluster, "1.35", "", false, {}, fails), *cluster) ==
        then_end({"2 preempts d/p", "7 call failed d/p", "7 marked d/v", "12 deleting d/v"}));
}

// A draw decides whether a call fails: from the seed, the place of the failure among all, the verb, the pod, and how
// many such calls of this pod came before. The call fails if the draw is below the rate.
TEST_CASE("calls: a call fails if its draw is below the rate", "[sequence]") {
  const auto cluster = one_victim();
  const PodId victim = cluster->snapshot->find_pod("d", "v");
  std::uint64_t drawn = 1;
  for (const std::uint64_t part : {std::uint64_t{0}, static_cast<std::uint64_t>(Call::Verb::remove),
                                   std::uint64_t{victim.index}, std::uint64_t{0}}) {
    drawn = SplitMix64(drawn ^ part).next();
  }
  drawn %= 1'000'000;
  for (const std::uint32_t more : {0U, 1U}) {
    const std::vector<Failure> fails = {
        {.verb = Failure::Verb::remove, .per_million = static_cast<std::uint32_t>(drawn) + more}};
    const Trace trace = trace_of(traced(*cluster, "1.35", "", false, {}, fails), *cluster);
    CHECK(std::count(trace.begin(), trace.end(), "12 call failed d/v") == static_cast<int>(more));
  }
}

// d/first waits for d/v2 on n1 when d/second preempts d/v1 there. The failure to clear the nomination is only logged;
// but the preemption counts as failed, so that its preemptor is activated.
// Source: framework/preemption/executor.go prepareCandidateAsync, v1.35.
TEST_CASE("calls: a nomination that cannot be cleared stays, and the victims are evicted", "[sequence]") {
  const auto cluster =
      a_cluster({a_node("n1", "2"), a_pod("d/v1").on("n1").priority(1).started("2026-03-02T10:00:00Z").yaml(),
                 a_pod("d/v2").on("n1").priority(1).started("2026-03-02T11:00:00Z").yaml(),
                 a_pod("d/first").priority(5).yaml(), a_pod("d/second").priority(9).cpu("2").yaml()});
  // The pod was patched neither as a victim nor to clear its nomination before.
  const std::vector<Failure> fails = {{.verb = Failure::Verb::mark, .pod = cluster->snapshot->find_pod("d", "first")}};
  for (const bool fail : {false, true}) {
    const SimulationResult play =
        traced(*cluster, "1.37", "", false, {{"second", kSecond}}, fail ? fails : std::vector<Failure>());
    const Trace trace = trace_of(play, *cluster);
    const auto has = [&](const char* step) { return std::find(trace.begin(), trace.end(), step) != trace.end(); };
    CHECK(has("1007 call failed d/first") == fail);
    CHECK(has("1007 cleared d/first") == !fail);
    CHECK(has("1012 marked d/v1"));
    CHECK(has("1017 deleting d/v1"));
    CHECK(play.metrics.goroutines_failed == (fail ? 1 : 0));
    CHECK(std::any_of(play.steps.begin(), play.steps.end(),
                      [](const Step& step) { return step.what == EventKind::requeued; }) == fail);
  }
}

// d/p1 preempts d/v1 and d/v2 on n1, whose pods have the lowest priority, and d/p2 then d/v3 and d/v4 on n2. At 12 ms,
// the deletion of d/v1 fails, while the patch of d/v3 is on its way: only the preemption on n1 is repeated.
TEST_CASE("calls: a preemption that fails leaves the calls of another one alone", "[sequence]") {
  const auto cluster = a_cluster(
      {a_node("n1", "2"), a_node("n2", "2"), a_pod("d/v1").on("n1").priority(1).started("2026-03-02T10:00:00Z").yaml(),
       a_pod("d/v2").on("n1").priority(1).started("2026-03-02T11:00:00Z").yaml(),
       a_pod("d/v3").on("n2").priority(2).started("2026-03-02T10:00:00Z").yaml(),
       a_pod("d/v4").on("n2").priority(2).started("2026-03-02T11:00:00Z").yaml(),
       a_pod("d/p1").priority(9).cpu("2").yaml(), a_pod("d/p2").priority(8).cpu("2").yaml()});
  const std::vector<Failure> fails = {{.verb = Failure::Verb::remove, .pod = cluster->snapshot->find_pod("d", "v1")}};
  const SimulationResult play = traced(*cluster, "1.35", "", false, {}, fails);
  Trace trace = trace_of(play, *cluster);
  std::erase_if(trace, [](const std::string& step) { return step.starts_with("3000"); });
  CHECK(trace == Trace{"2 preempts d/p1", "7 nominated d/p1", "7 marked d/v1", "9 preempts d/p2", "12 call failed d/v1",
                       "14 nominated d/p2", "14 marked d/v3", "16 preempts d/p1", "19 deleting d/v3",
                       "21 deleting d/v1", "24 marked d/v4", "26 marked d/v2", "29 deleting d/v4", "31 deleting d/v2"});
  for (const End& end : play.ends) CHECK(end.kind == End::Kind::bound);
}

// d/p1 preempts d/v2, which started later; d/p2, for which d/p1 counts on the node, needs both places. Each of the two
// preemptions patches d/v2, the second one without an effect.
TEST_CASE("calls: a victim of two preemptions is patched and deleted once", "[sequence]") {
  const auto cluster =
      a_cluster({a_node("n1", "2"), a_pod("d/v1").on("n1").priority(1).started("2026-03-02T10:00:00Z").yaml(),
                 a_pod("d/v2").on("n1").priority(1).started("2026-03-02T11:00:00Z").yaml(),
                 a_pod("d/p1").priority(9).yaml(), a_pod("d/p2").priority(9).yaml()});
  const Trace trace = trace_of(traced(*cluster, "1.35"), *cluster);
  for (const char* victim : {" marked d/v1", " marked d/v2", " deleting d/v1", " deleting d/v2"}) {
    CHECK(std::count_if(trace.begin(), trace.end(), [&](const std::string& step) { return step.ends_with(victim); }) ==
          1);
  }
}

}  // namespace previct::sequence
