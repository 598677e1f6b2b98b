#include "sequence/simulation_result.h"

#include "support/cluster.h"

#include <catch2/catch.hpp>

#include <set>
#include <string>

namespace previct::sequence::results {
namespace {

using test::a_cluster;
using test::a_pod;

auto step(EventKind what, PodId pod, PodId by = {}) -> Step {
  Step result;
  result.what = what;
  result.pod = pod;
  result.by = by;
  return result;
}

}  // namespace

TEST_CASE("simulation result: times are nanoseconds since its start, at most a hundred years", "[sequence][results]") {
  Instant start = *parse_instant("2026-03-02T12:00:00Z");
  start.nanos = 700'000'000;
  CHECK(since(start, start) == 0);
  CHECK(since(start, start.plus_seconds(90)) == 90 * kSecond);
  CHECK(since(start, start.plus_seconds(-90)) == -90 * kSecond);
  CHECK(since(start, *parse_instant("2026-03-02T12:00:01Z")) == 300 * kMillisecond);
  CHECK(since(start, *parse_instant("2026-03-02T12:00:00Z")) == -700 * kMillisecond);
  constexpr Time kHundredYears = Time{100} * 365 * 86400 * kSecond;
  CHECK(since(start, *parse_instant("9999-12-31T00:00:00Z")) == kHundredYears);
  CHECK(since(start, *parse_instant("0001-01-01T00:00:00Z")) == -kHundredYears);
}

TEST_CASE("simulation result: a choice among equals is one of nodes or of victims", "[sequence][results]") {
  SimulationResult result;
  CHECK_FALSE(chose_among_equals(result));
  result.steps.push_back(step(EventKind::preempts, PodId{0}));
  CHECK_FALSE(chose_among_equals(result));
  result.node_choices = 1;
  CHECK(chose_among_equals(result));
  result.node_choices = 0;
  result.steps.back().open.taken.emplace_back();
  CHECK(chose_among_equals(result));
}

TEST_CASE("simulation result: evicted pods of the input are those that are deleted for another one, and drained ones",
          "[sequence][results]") {
  SimulationResult result;
  result.pods_before = 5;
  result.steps = {step(EventKind::deleting, PodId{3}, PodId{0}), step(EventKind::deleting, PodId{1}),
                  step(EventKind::gone, PodId{2}, PodId{0}), step(EventKind::deleting, PodId{5}, PodId{0}),
                  step(EventKind::deleting, PodId{3}, PodId{1})};
  CHECK(result.evicted_of_input() == std::set<PodId>{PodId{3}});
  result.drained = {PodId{4}};
  CHECK(result.evicted_of_input() == std::set<PodId>{PodId{3}, PodId{4}});
}

TEST_CASE("simulation result: new pods follow those of the input, and descend from one of them",
          "[sequence][results]") {
  const auto cluster = a_cluster({a_pod("ml/a").yaml(), a_pod("ml/b").yaml()});
  SimulationResult result;
  result.pods_before = 2;
  NewPod created;
  created.pod = cluster->objects.pods[PodId{0}];
  created.pod.meta.name = cluster->objects.symbols.intern("a-new");
  created.like = PodId{1};
  result.created.push_back(created);
  CHECK(result.key(PodId{1}, *cluster->snapshot) == "ml/b");
  CHECK(result.key(PodId{2}, *cluster->snapshot) == "ml/a-new");
  CHECK(&result.root(PodId{0}, *cluster->snapshot) == &cluster->snapshot->pod(PodId{0}));
  CHECK(&result.root(PodId{2}, *cluster->snapshot) == &cluster->snapshot->pod(PodId{1}));
}

}  // namespace previct::sequence::results
