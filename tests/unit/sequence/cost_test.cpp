#include "sequence/cost.h"

#include "support/cluster.h"

#include <catch2/catch.hpp>

// What runs of pods cost, worked out by hand from lists of runs.

namespace previct::sequence::costs {
namespace {

using test::a_cluster;
using test::a_node;
using test::a_pod;
using How = Run::Ending;
using Names = std::vector<std::string>;

constexpr Time kMinute = 60 * kSecond;
constexpr Time kHour = 60 * kMinute;

// Pods ml/a, ml/b and ml/c, each of 2 CPUs and a workload of its own, and runs of them.
struct Simulated {
  Simulated()
      : cluster(a_cluster({a_node("n1", "8"), a_pod("ml/a").cpu("2").yaml(), a_pod("ml/b").cpu("2").yaml(),
                           a_pod("ml/c").cpu("2").yaml()})) {
    result.pods_before = 3;
    settings.horizon = 24 * kHour;
  }
  auto id(const std::string& name) const -> PodId { return cluster->snapshot->find_pod("ml", name); }
  auto run(const std::string& name, std::optional<Time> from, Time until, How ending = How::evicted) -> Simulated& {
    Run run;
    run.ending = ending;
    run.pod = id(name);
    run.from = from;
    run.until = until;
    result.runs.push_back(run);
    return *this;
  }
  auto epoch(const std::string& pods, Time length) -> Simulated& {
    settings.epochs.push_back({pods, length});
    return *this;
  }
  // From `from` on, a loop of one hour; `before` of the runs ended before it, `before_last` before its last round.
  auto loop(Time from, std::size_t before, std::size_t before_last) -> Simulated& {
    SimulationLoop loop;
    loop.from = from;
    loop.period = kHour;
    loop.runs_before = before;
    loop.runs_before_last = before_last;
    result.circle = loop;
    return *this;
  }
  [[nodiscard]] auto costs() const -> SimulationCosts { return {result, settings, *cluster->snapshot}; }
  // The costs of a pod's workload.
  [[nodiscard]] auto of(const std::string& name) const -> WorkloadCost {
    const SimulationCosts all = costs();
    for (const WorkloadCost& each : all.all()) {
      if (each.workload.ends_with("ml/" + name)) return each;
    }
    FAIL("no costs of " << name);
    return {};
  }
  [[nodiscard]] auto names() const -> Names {
    Names found;
    const SimulationCosts all = costs();
    for (const WorkloadCost& each : all.all()) found.push_back(each.workload.substr(each.workload.rfind('/') + 1));
    return found;
  }

  std::unique_ptr<test::TestCluster> cluster;
  SimulationResult result;
  Settings settings;
};

}  // namespace

TEST_CASE("costs: workloads with more evictions come first, others in the order of their ends", "[sequence][costs]") {
  Simulated simulated;
  simulated.run("c", 0, 5, How::finished).run("a", 0, 10).run("b", 0, 20).run("b", 30, 40);
  CHECK(simulated.names() == Names{"b", "a", "c"});
  CHECK(simulated.costs().evictions() == 3);
  CHECK(simulated.of("b").evictions == 2);
  CHECK(simulated.of("c").evictions == 0);
  CHECK_FALSE(simulated.costs().thrashes());  // no loop
  CHECK(simulated.costs().evictions_before() == 0);
  Simulated equal;
  CHECK(equal.run("b", 0, 10).run("a", 0, 20).names() == Names{"b", "a"});
}

TEST_CASE("costs: a run that has not ended has no costs yet", "[sequence][costs]") {
  Simulated simulated;
  simulated.run("a", 0, 10, How::goes_on);
  CHECK(simulated.names().empty());
  CHECK_FALSE(simulated.costs().table());
  simulated.run("b", 0, 10, How::removed);
  CHECK(simulated.names() == Names{"b"});
  CHECK_FALSE(simulated.costs().table());
  simulated.run("c", 0, 10);
  CHECK(simulated.costs().table());
}

TEST_CASE("costs: the longest run is one that began in the simulation, if there are any", "[sequence][costs]") {
  Simulated simulated;
  simulated.run("a", -100, 5);
  CHECK(simulated.of("a").longest_run == 105);
  simulated.run("a", 20, 50);
  CHECK(simulated.of("a").longest_run == 30);
  simulated.run("a", 60, 80);
  CHECK(simulated.of("a").longest_run == 30);
  simulated.run("a", 0, 31, How::finished);
  CHECK(simulated.of("a").longest_run == 31);
  // Of several that began before, the longest; of one whose start is not known, neither length nor loss.
  Simulated before;
  before.run("a", -100, 5).run("a", -200, 5).run("b", std::nullopt, 5);
  CHECK(before.of("a").longest_run == 205);
  CHECK_FALSE(before.of("b").longest_run);
  CHECK_FALSE(before.of("b").lost);
  before.run("b", -9, 5);
  CHECK_FALSE(before.of("b").longest_run);
  CHECK_FALSE(before.of("b").lost);
  before.run("b", 6, 10);
  CHECK(before.of("b").longest_run == 4);
  CHECK_FALSE(before.of("b").lost);
}

TEST_CASE("costs: evicted runs lose their time since the last epoch, times their requests", "[sequence][costs]") {
  Simulated simulated;
  simulated.run("a", 0, 90 * kMinute).run("b", 0, 90 * kMinute, How::finished);
  REQUIRE(simulated.of("a").lost);
  CHECK(simulated.of("a").lost->cpu_hours == Approx(3));  // 1.5 h of 2 CPUs
  CHECK(simulated.of("b").lost->cpu_hours == 0);
  simulated.run("a", 2 * kHour, 3 * kHour);
  CHECK(simulated.of("a").lost->cpu_hours == Approx(5));
  simulated.epoch("ml/a", kHour);
  CHECK(simulated.of("a").lost->cpu_hours == Approx(1));  // half an hour and nothing
}

TEST_CASE("costs: epochs count by how their runs end", "[sequence][costs]") {
  // Of 10 minutes: 25 until an eviction, 10 until an eviction, 5 until an eviction, 25 until its end, 15 that have not
  // ended.
  Simulated simulated;
  simulated.epoch("ml/a", 10 * kMinute)
      .run("a", 0, 25 * kMinute)
      .run("a", 30 * kMinute, 40 * kMinute)
      .run("a", 50 * kMinute, 55 * kMinute)
      .run("a", 60 * kMinute, 85 * kMinute, How::finished)
      .run("b", 0, 7 * kMinute)
      .run("a", 90 * kMinute, 105 * kMinute, How::goes_on);
  const std::optional<Epochs> epochs = simulated.of("a").epochs;
  REQUIRE(epochs);
  CHECK(epochs->runs == 5);
  CHECK(epochs->evicted_before_first == 1);
  CHECK(epochs->finished == 2 + 1 + 0 + 2 + 1);
  CHECK(epochs->lost == 2);
  CHECK(epochs->useful == (20 + 10 + 0 + 25 + 10) * kMinute);
  CHECK(epochs->wasted == (5 + 0 + 5) * kMinute);
  CHECK(epochs->useful_share().value() == Approx(65.0 / 75));
  CHECK_FALSE(simulated.of("b").epochs);
  CHECK(simulated.costs().epochs_table());
  CHECK_FALSE(Epochs{}.useful_share());
  // A run of unknown length makes all of them unknown.
  simulated.run("a", std::nullopt, kHour);
  CHECK_FALSE(simulated.of("a").epochs);
  CHECK_FALSE(simulated.costs().epochs_table());
}

TEST_CASE("costs: a workload reaches its epoch if one of its runs does", "[sequence][costs]") {
  const auto reaches = [](Time length, Time epoch = 10) {
    Simulated simulated;
    return simulated.epoch("ml/*", epoch).run("a", 0, length).of("a");
  };
  CHECK(reaches(9).reaches_epoch == false);
  CHECK(reaches(10).reaches_epoch == true);
  CHECK(reaches(11).reaches_epoch == true);
  CHECK(reaches(11).epoch == 10);
  CHECK(reaches(9).longest_run == 9);
  // A run that has not ended reaches it when it has lasted that long.
  const auto with = [](std::optional<Time> from, Time until, How ending = How::goes_on) {
    Simulated simulated;
    return simulated.epoch("ml/*", 10).run("a", 0, 5).run("a", from, until, ending).of("a");
  };
  CHECK(with(20, 29).reaches_epoch == false);
  CHECK(with(20, 30).reaches_epoch == true);
  CHECK(with(20, 30).longest_run == 10);
  CHECK(with(20, 50).longest_run == 10);  // at least
  // One that began before the simulation says nothing, because others began in it.
  CHECK(with(-20, 5).reaches_epoch == false);
  CHECK(with(std::nullopt, 5).reaches_epoch == false);
  // Alone, it does; with an unknown start, it may.
  Simulated before;
  before.epoch("ml/*", 10).run("a", -20, 5).run("b", std::nullopt, 5);
  CHECK(before.of("a").reaches_epoch == true);
  CHECK_FALSE(before.of("b").reaches_epoch);
  // Without an epoch, nothing is judged; and of a workload without a run that ended, nothing is said.
  Simulated none;
  none.run("a", 0, 5);
  CHECK(none.of("a").epoch == 0);
  CHECK(none.of("a").reaches_epoch == true);
  none.epoch("ml/b", 10).run("b", 0, 5, How::goes_on);
  CHECK(none.names() == Names{"a"});
}

TEST_CASE("costs: in a loop, only its last round counts", "[sequence][costs]") {
  // Before the loop, a is evicted twice and c once; b is evicted twice in the first round and twice in the last one.
  Simulated simulated;
  simulated.run("a", 0, 10)
      .run("a", 10, 30)
      .run("c", 0, 35)
      .run("b", 40, 50)
      .run("b", 50, 65)
      .run("b", 70, 80)
      .run("b", 80, 92)
      .loop(35, 3, 5);
  CHECK(simulated.names() == Names{"b", "a", "c"});
  CHECK(simulated.of("b").evictions == 2);
  CHECK(simulated.of("b").longest_run == 12);
  CHECK_FALSE(simulated.of("b").before_circle);
  CHECK(simulated.of("a").before_circle);
  CHECK(simulated.of("a").evictions == 2);
  CHECK(simulated.costs().evictions() == 2);
  CHECK(simulated.costs().evictions_before() == 3);
  CHECK(simulated.costs().evictions_per_hour() == Approx(2));
  CHECK(simulated.costs().thrashes());
  simulated.result.circle->period = 30 * kMinute;
  CHECK(simulated.costs().evictions_per_hour() == Approx(4));
  // Those of the loop come first even if others have more evictions.
  simulated.result.runs[3].pod = simulated.id("a");
  CHECK(simulated.names() == Names{"b", "a", "c"});
  CHECK(simulated.of("a").evictions == 3);
}

TEST_CASE("costs: a loop in which no pod is evicted does not thrash", "[sequence][costs]") {
  Simulated simulated;
  simulated.run("a", 0, 10).run("b", 20, 30, How::finished).run("b", 40, 50, How::finished).loop(10 * kSecond, 1, 2);
  CHECK_FALSE(simulated.costs().thrashes());
  CHECK(simulated.costs().evictions_before() == 1);
  CHECK(simulated.costs().sentences() ==
        " From +10s on, the same happens every 1h0m0s, forever, and no pod is evicted.");
}

TEST_CASE("costs: in a loop, a run that lasts from its start reaches every epoch", "[sequence][costs]") {
  // a is evicted before the loop, which begins at 100; its next run still goes on when the loop closes.
  const auto reaches = [](std::optional<Time> from) {
    Simulated simulated;
    simulated.epoch("ml/*", kHour).run("a", 0, 10).run("b", 110, 120).run("b", 130, 140).loop(100, 1, 2);
    return simulated.run("a", from, 150, How::goes_on).of("a").reaches_epoch;
  };
  CHECK(reaches(100) == true);
  CHECK(reaches(20) == true);
  CHECK(reaches(101) == false);
  // The epochs of such a run belong to the next round.
  Simulated epochs;
  epochs.epoch("ml/*", 10).run("b", 10, 30).run("b", 40, 65).run("b", 70, 99, How::goes_on).loop(5, 0, 1);
  REQUIRE(epochs.of("b").epochs);
  CHECK(epochs.of("b").epochs->runs == 1);
  CHECK(epochs.of("b").epochs->finished == 2);
}

TEST_CASE("costs: sentences name the loop, its end, and epochs that are never reached", "[sequence][costs]") {
  Simulated simulated;
  simulated.epoch("ml/*", kHour).run("a", 0, 5 * kMinute);
  simulated.result.length = 2 * kHour;
  CHECK(simulated.costs().sentences() ==
        " No run of Pod ml/a lasts longer than 5m0s: work of 1h0m0s never finishes within 2h0m0s.");
  simulated.loop(0, 0, 0);
  CHECK(simulated.costs().sentences() ==
        " From +0s on, the same happens every 1h0m0s, forever: 1 pod is evicted per hour. No run of Pod ml/a lasts "
        "longer than 5m0s: work of 1h0m0s never finishes.");
  KnownChange change;
  change.at = 3 * kHour;
  change.pod = simulated.id("b");
  simulated.result.circle->until = change;
  const auto until = [&](KnownChange::What what) {
    simulated.result.circle->until->what = what;
    const std::string text = simulated.costs().sentences();
    CHECK(text.ends_with("never finishes in this loop."));
    const std::size_t from = text.find("until");
    return text.substr(from, text.find(':') - from);
  };
  CHECK(until(KnownChange::What::pod_ends) == "until +3h0m0s at least, when ml/b ends");
  CHECK(until(KnownChange::What::protection_ends) ==
        "until +3h0m0s at least, when ml/b loses its protection from preemption");
  simulated.result.circle->until->ns = simulated.cluster->snapshot->symbol("ml");
  simulated.result.circle->until->job = simulated.cluster->snapshot->symbol("c");
  CHECK(until(KnownChange::What::deadline_ends) == "until +3h0m0s at least, when the deadline of Job ml/c ends");
  // Rounded: 1.5 evictions per hour are 2.
  simulated.result.circle->period = 40 * kMinute;
  CHECK(simulated.costs().sentences().find(": 2 pods are evicted per hour.") != std::string::npos);
}

TEST_CASE("waits: only pods that the scheduler tries, until they are bound", "[sequence][costs]") {
  Simulated simulated;
  simulated.settings.pods = {simulated.id("a"), simulated.id("b"), simulated.id("c")};
  simulated.settings.arrivals.push_back({simulated.id("c"), 10});
  const auto step = [&](Time at, EventKind what, const std::string& pod) {
    Step added;
    added.at = at;
    added.what = what;
    added.pod = simulated.id(pod);
    simulated.result.steps.push_back(added);
  };
  step(5, EventKind::bound, "a");
  step(10, EventKind::arrives, "c");
  step(17, EventKind::takes, "b");
  step(22, EventKind::bound, "c");
  step(30, EventKind::bound, "c");  // it has been bound already
  const Waits waits = waits_of(simulated.result, simulated.settings);
  CHECK(waits.bound == std::vector<Time>{5, 12});
  CHECK(waits.longest == 12);
  CHECK(waits.still == 0);
  CHECK(waits.forever == 1);  // b
  const auto with_end = [&](End::Kind kind) {
    End end;
    end.pod = simulated.id("b");
    end.kind = kind;
    simulated.result.ends = {end};
    return waits_of(simulated.result, simulated.settings).forever;
  };
  for (const End::Kind kind : {End::Kind::gated, End::Kind::deleting, End::Kind::not_simulated, End::Kind::removed})
    CHECK(with_end(kind) == 0);
  for (const End::Kind kind : {End::Kind::waits, End::Kind::stuck, End::Kind::unschedulable, End::Kind::pending})
    CHECK(with_end(kind) == 1);
}

TEST_CASE("waits: a simulation that is cut, and a loop, do not show whether a pod is ever bound", "[sequence][costs]") {
  Simulated simulated;
  simulated.settings.pods = {simulated.id("a")};
  simulated.settings.horizon = kHour;
  Step arrives;
  arrives.at = 10 * kMinute;
  arrives.pod = simulated.id("b");
  simulated.result.steps.push_back(arrives);
  const auto waits = [&] { return waits_of(simulated.result, simulated.settings); };
  CHECK(waits().forever == 2);
  CHECK(waits().words() == "2 never");
  simulated.result.cut = true;
  CHECK(waits().forever == 0);
  CHECK(waits().still == kHour);
  CHECK(waits().words() == "over 1h0m0s");
  simulated.result.too_much = true;
  simulated.result.length = 20 * kMinute;
  CHECK(waits().still == 20 * kMinute);
  // In an endless loop, those that waited when it began stay pending; others are bound in the next round.
  simulated.result.cut = simulated.result.too_much = false;
  simulated.loop(5 * kMinute, 0, 0);
  CHECK(waits().forever == 1);
  simulated.result.circle->from = 10 * kMinute;
  CHECK(waits().forever == 2);
  // Of one that may end, nothing is known after the horizon.
  simulated.result.circle->until = KnownChange{};
  CHECK(waits().forever == 0);
  CHECK(waits().still == kHour);
}

TEST_CASE("waits: words name the longest wait, and how many pods wait forever", "[sequence][costs]") {
  const auto words = [](Time longest, Time still, std::size_t forever) {
    Waits waits;
    waits.longest = longest;
    waits.still = still;
    waits.forever = forever;
    return waits.words();
  };
  CHECK(words(0, 0, 0) == "-");
  CHECK(words(kMinute, 0, 0) == "1m0s");
  CHECK(words(kMinute, kMinute, 0) == "1m0s");
  CHECK(words(kMinute, 2 * kMinute, 0) == "over 2m0s");
  CHECK(words(kMinute, 0, 3) == "1m0s, 3 never");
  CHECK(words(0, 0, 1) == "1 never");
}

}  // namespace previct::sequence::costs
