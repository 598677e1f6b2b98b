#include "backtest/backtest.h"

#include <catch2/catch.hpp>

#include <functional>
#include <set>

using namespace previct;
using namespace previct::backtest;

namespace {

auto minute(std::int64_t minutes) -> Instant {
  return parse_instant("2026-11-20T10:00:00Z")->plus_seconds(minutes * 60);
}

auto preempts(const std::string& victim, std::int32_t budgets = 0) -> Choice {
  return {.outcome = "preempts", .node = "n", .victims = {victim}, .pdb_violations = budgets};
}

auto waiting(const std::string& pod, std::int64_t since, const Choice& before, const Choice& after) -> Pending {
  return {.pod = pod,
          .id = pod + "-uid",
          .workload = "Job " + pod,
          .since = minute(since),
          .at = minute(since),
          .choices = {before, after}};
}

// A pod that has run on these CPUs since `start` minutes after 10:00.
auto victim(const std::string& pod, std::int64_t start, double cpus) -> std::pair<const std::string, VictimFacts> {
  return {
      pod,
      {.id = pod + "-uid", .workload = "Job " + pod, .priority_class = "low", .start = minute(start), .cpus = cpus}};
}

const Choice kStays{.outcome = "pending"};
const Choice kFits{.outcome = "fits", .node = "n"};

// State number `index` of three, five minutes after the one before.
auto state(std::size_t index) -> StateRecord {
  return {.index = index, .of = 3, .at = minute(static_cast<std::int64_t>(index) * 5), .change = {"policy.yaml"}};
}

// Pod a waits from 09:58 on. By the rules as they were, it evicts v at 10:00, after 40 minutes on 6 CPUs: 4 CPU hours;
// with the change, it stays pending until v's toleration has ended, and evicts v at 10:05, when v has run for 45
// minutes: 4.5 CPU hours. At 10:05, b arrives: it evicts w on both sides, and v, too, before the change, where v is
// already evicted.
auto three_states() -> std::vector<StateRecord> {
  std::vector<StateRecord> states = {state(0), state(1), state(2)};
  states[0].pending = {waiting("a", -2, preempts("v", 1), kStays)};
  states[0].victims = {victim("v", -40, 6)};
  states[1].pending = {waiting("a", -2, preempts("v", 1), preempts("v")),
                       waiting("b", 5, preempts("w"), preempts("w"))};
  states[1].pending[1].choices[0].victims = {"w", "v"};
  states[1].victims = {victim("v", -40, 6), victim("w", 0, 12)};
  states[1].fates = {{"a", "pending"}};
  states[2].pending = {waiting("b", 5, kFits, kStays)};
  states[2].fates = {{"a", "bound"}, {"b", "pending"}};
  states[2].preempted = {{"v", "v-uid", "a"}, {"x", "x-uid", ""}};
  for (StateRecord& each : states) {
    for (Pending& pod : each.pending) pod.at = each.at;
  }
  return states;
}

}  // namespace

TEST_CASE("backtest: a pod is evicted once, when the rules first decide it", "[backtest]") {
  const auto result = join(three_states());
  REQUIRE(result);
  CHECK(result->evictions(Side::before) == 2);  // v for a at 10:00, w for b at 10:05
  CHECK(result->evictions(Side::after) == 2);   // v for a and w for b, both at 10:05
  REQUIRE(result->tolls.size() == 2);
  CHECK(result->tolls[0].workload == "Job v");
  CHECK(result->tolls[0].cpu_hours == BySide<double>{4, 4.5});
  CHECK(result->tolls[1].cpu_hours == BySide<double>{1, 1});
  CHECK(result->budgets == BySide<std::size_t>{1, 0});
  CHECK(result->moments[0].evictions == BySide<std::size_t>{1, 0});
  CHECK(result->moments[1].evictions == BySide<std::size_t>{1, 2});
}

TEST_CASE("backtest: decisions to evict one of several sets of victims are counted", "[backtest]") {
  std::vector<StateRecord> states = three_states();
  CHECK(join(states)->open == 0);
  // Another pod may be evicted in place of v; b stays pending with the change, so that its victims do not count.
  for (Choice& choice : states[0].pending[0].choices) choice.possible = {states[0].names->intern("u")};
  CHECK(join(states)->open == 1);
}

TEST_CASE("backtest: a pod waits until the first state in which the rules let it in", "[backtest]") {
  const auto result = join(three_states());
  REQUIRE(result);
  REQUIRE(result->waits.size() == 2);
  const Wait& a = result->waits[0];
  CHECK(a.seconds(Side::before) == 120);  // 09:58 to 10:00
  CHECK(a.seconds(Side::after) == 420);   // 09:58 to 10:05
  CHECK(a.evicts[0] == std::vector<std::string>{"v"});
  const Wait& b = result->waits[1];
  CHECK(b.seconds(Side::before) == 0);
  CHECK(b.last == minute(10));
}

TEST_CASE("backtest: decisions are compared with the next state, preemptions with the victims", "[backtest]") {
  const auto result = join(three_states());
  REQUIRE(result);
  // At 10:00, a preempts, but still pends at 10:05. At 10:05, a preempts and is bound at 10:10; b preempts and pends.
  CHECK(result->agree == 1);
  REQUIRE(result->differ.size() == 2);
  CHECK(result->differ[0].at == minute(0));
  CHECK(result->differ[0].rules == "preempts v on n");
  CHECK(result->differ[0].happened == "pending");
  CHECK(result->differ[1].pod == "b");
  CHECK(*result->agreement() == Approx(1.0 / 3));
  CHECK(result->happened == 2);  // v and x
  CHECK(result->expected == 1);  // v
}

// By the rules, a preempts v on n. Upstream, a preemptor is nominated to the node of its victims, so that any other
// node, or a victim that runs on, contradicts the decision.
TEST_CASE("backtest: a decision to evict fits only with its node and its victims", "[backtest]") {
  const auto happened = [](const Fate& fate, const std::set<std::string>& left,
                           const std::function<void(Choice&, StateRecord&)>& change = {}) -> std::string {
    std::vector<StateRecord> states = three_states();
    states[0].pending.resize(1);
    states[1].pending.clear();
    states[1].fates = {fate};
    states[1].left = left;
    states[2].fates.clear();
    if (change) change(states[0].pending[0].choices[0], states[0]);
    const auto result = join(states);
    REQUIRE(result);
    REQUIRE(result->agree + result->differ.size() == 1);
    return result->differ.empty() ? "as decided" : result->differ[0].happened;
  };
  CHECK(happened({"a", "bound", "n"}, {"v"}) == "as decided");
  CHECK(happened({"a", "nominated", "n"}, {"v", "x"}) == "as decided");
  CHECK(happened({"a", "bound", "m"}, {"u"}) == "bound on m");
  CHECK(happened({"a", "bound", "m"}, {"v"}) == "bound on m");
  CHECK(happened({"a", "bound", "n"}, {"u"}) == "bound on n, and v still runs");
  // The scheduler chooses among nodes, or among pods.
  const auto nodes = [](Choice& choice, StateRecord& state) {
    choice.tied = {"n", "m"};
    choice.possible = {state.names->intern("u")};
  };
  CHECK(happened({"a", "bound", "m"}, {"u"}, nodes) == "as decided");
  CHECK(happened({"a", "bound", "m"}, {}, nodes) == "bound on m, and v still runs");
  CHECK(happened({"a", "bound", "o"}, {"u"}, nodes) == "bound on o");
  // Which node a pod gets without an eviction depends on pods that come in between.
  CHECK(happened({"a", "bound", "m"}, {}, [](Choice& choice, StateRecord&) { choice = kFits; }) == "as decided");
}

TEST_CASE("backtest: a state that cannot be read is left out, and nothing is compared with it", "[backtest]") {
  std::vector<StateRecord> states = three_states();
  states[1] = state(1);
  states[1].damage = "s/2.yaml: cut short";
  const auto result = join(states);
  REQUIRE(result);
  CHECK(result->left_out == std::vector<std::string>{"s/2.yaml: cut short"});
  CHECK_FALSE(result->complete);
  CHECK(result->moments.size() == 2);
  CHECK(result->agree + result->differ.size() == 0);
  CHECK(result->happened == 0);  // of before the last state, of which nothing was decided right before
  CHECK(read_record(json_of(states[1]).dump(), states[1].names)->damage == "s/2.yaml: cut short");
  for (StateRecord& each : states) each.damage = "none";
  CHECK(join(states).error().message == "none");
}

TEST_CASE("backtest: a pod that is gone, or whose decision is not known, is not compared", "[backtest]") {
  std::vector<StateRecord> states = three_states();
  states[1].fates = {{"a", "gone"}};
  states[1].pending[1].choices[0] = {.outcome = "unknown"};
  const auto result = join(states);
  REQUIRE(result);
  CHECK(result->agree == 1);  // a at 10:05
  CHECK(result->differ.empty());
  CHECK(result->undecided == 1);
}

// Pod c arrives at 10:06 and evicts x at 10:07: no state shows it pending. With the change, it would not.
TEST_CASE("backtest: a pod that arrives and preempts between two states", "[backtest]") {
  std::vector<StateRecord> states = three_states();
  states[2].past = {waiting("c", 6, preempts("x"), kStays)};
  states[2].past[0].at = minute(7);
  states[2].victims = {victim("x", 0, 2)};
  const auto result = join(states);
  REQUIRE(result);
  CHECK(result->evictions(Side::before) == 3);
  CHECK(result->evictions(Side::after) == 2);
  CHECK(result->agree == 2);
  CHECK(result->expected == 2);  // v and x
  REQUIRE(result->waits.size() == 3);
  CHECK(result->waits[2].seconds(Side::before) == 60);

  states[2].past[0].choices[0] = {};
  CHECK(join(states)->unseen == 1);
  states[2].past[0].choices[0] = kStays;
  REQUIRE(join(states)->differ.size() == 3);
  CHECK(join(states)->differ[2].happened == "preempted others");
}

TEST_CASE("backtest: preemptions that the first state shows are from before the series", "[backtest]") {
  std::vector<StateRecord> states = three_states();
  states[0].preempted = {{"x", "x-uid", ""}};
  CHECK(join(states)->happened == 1);
}

TEST_CASE("backtest: states far apart are counted", "[backtest]") {
  std::vector<StateRecord> states = three_states();
  states.push_back(state(3));
  states.push_back(state(4));
  for (StateRecord& each : states) each.of = 5;
  states[4].at = minute(15 + 16);
  const auto result = join(states);
  REQUIRE(result);
  CHECK(result->usual_seconds == 300);
  CHECK(result->long_distances == 1);  // 16 minutes; three times the usual distance are 15
  CHECK(result->longest_seconds == 960);
}

// v is evicted after 40 minutes before the change, and after 45 minutes with it; w runs for 5 minutes.
TEST_CASE("backtest: of pods that save their work, the work since then is lost", "[backtest]") {
  std::vector<StateRecord> states = three_states();
  for (StateRecord& each : states) {
    for (auto& [name, facts] : each.victims) facts.epoch = 20 * 60;
  }
  const auto result = join(states);
  REQUIRE(result);
  const Toll& v = result->tolls[0];
  CHECK(v.workload == "Job v");
  CHECK(v.cpu_hours == BySide<double>{0, 0.5});  // 6 CPUs for 0 and for 5 minutes
  CHECK(v.epochs_finished == BySide<std::size_t>{2, 2});
  CHECK(v.epochs_lost == BySide<std::size_t>{0, 1});
  CHECK(v.before_first == BySide<std::size_t>{0, 0});
  const Toll& w = result->tolls[1];
  CHECK(w.epochs_finished == BySide<std::size_t>{0, 0});
  CHECK(w.before_first == BySide<std::size_t>{1, 1});

  states[1].epochs = {"20m"};
  CHECK(join(states).error().message == "the parts have different values of --epoch");
}

// v and w are of one workload. w starts at 10:00: before the change, v was evicted then; with it, both are evicted at
// 10:05.
TEST_CASE("backtest: a pod that starts after an eviction of its workload is evicted again", "[backtest]") {
  std::vector<StateRecord> states = three_states();
  for (StateRecord& each : states) {
    for (auto& [name, facts] : each.victims) facts.workload = "Job v";
  }
  states[0].pending[0].at.nanos = 500'000'000;  // the next pod starts within this second
  states[1].victims.at("w").start = minute(0);
  states[2].pending.push_back(waiting("c", 10, preempts("u"), preempts("u")));
  states[2].victims = {victim("u", 6, 1)};
  states[2].victims.at("u").workload = "Job v";
  const auto result = join(states);
  REQUIRE(result);
  REQUIRE(result->tolls.size() == 1);
  CHECK(result->tolls[0].evictions == BySide<std::size_t>{3, 3});
  CHECK(result->tolls[0].again == BySide<std::size_t>{2, 1});
  CHECK(result->tolls[0].in_a_row == BySide<std::size_t>{3, 2});
}

// At 10:00, a is let in by evicting v. It does not get its node, and preempts x at 10:03.
TEST_CASE("backtest: a pod that did preempt others again evicts again", "[backtest]") {
  std::vector<StateRecord> states = three_states();
  states[1].past = {waiting("a", -2, preempts("x"), kStays)};
  states[1].past[0].at = minute(3);
  states[1].victims.insert(victim("x", 0, 2));
  const auto result = join(states);
  REQUIRE(result);
  CHECK(result->evictions(Side::before) == 3);
  CHECK(result->waits[0].gets[0] == minute(0));
  CHECK(result->waits[0].evicts[0] == std::vector<std::string>{"v", "x"});
}

TEST_CASE("backtest: a run that succeeds counts, unless its pod was evicted before", "[backtest]") {
  std::vector<StateRecord> states = three_states();
  // At 10:05, v has succeeded: it was evicted at 10:00 before the change, and not yet with it.
  states[1].finished = {{.pod = "v", .id = "v-uid", .workload = "Job v", .priority_class = "low"},
                        {.pod = "z", .id = "z-uid", .workload = "Job z", .priority_class = {}}};
  const auto result = join(states);
  REQUIRE(result);
  CHECK(result->finished == 2);
  CHECK(result->runs_cut == BySide<std::size_t>{1, 0});
  CHECK(result->tolls[0].runs_finished == BySide<std::size_t>{0, 1});
}

TEST_CASE("backtest: a victim that was evicted before violates no budget again", "[backtest]") {
  std::vector<StateRecord> states = three_states();
  states[1].pending[1].choices[0].pdb_violations = 2;  // of w and v; v was evicted at 10:00
  CHECK(join(states)->budgets == BySide<std::size_t>{2, 0});
}

TEST_CASE("backtest: the report of all lines is that of the records", "[backtest]") {
  auto states = three_states();
  states[1].finished = {{.pod = "z", .id = "z-uid", .workload = "Job z", .priority_class = "low"}};
  states[0].victims.at("v").epoch = 600;
  for (StateRecord& each : states) each.epochs = {"v=10m"};
  Choice& choice = states[1].pending[1].choices[0];
  choice.possible = {states[1].names->intern("x"), states[1].names->intern("u")};
  CHECK(json_of(states[1])["pending"][1]["before"]["possible"] == Json{"x", "u"});
  std::vector<StateRecord> read;
  const auto names = std::make_shared<Symbols>();
  names->intern("u");  // as another record would
  for (const StateRecord& each : {states[2], states[0], states[1]}) {
    const auto again = read_record(json_of(each).dump(), names);
    REQUIRE(again);
    CHECK(json_of(*again) == json_of(each));
    read.push_back(*again);
  }
  const auto whole = join(states);
  const auto merged = join(read);
  REQUIRE(merged);
  CHECK(backtest_report(*merged, {}, true, false).data == backtest_report(*whole, {}, true, false).data);
}

TEST_CASE("backtest: parts of different runs, and missing parts, are errors", "[backtest]") {
  const auto message = [](std::vector<StateRecord> states) {
    const auto result = join(std::move(states));
    return result ? std::string("joined") : result.error().message;
  };
  const auto states = three_states();
  CHECK(message({}) == "no state to report on");
  CHECK(message({states[0], states[2]}) == "state 2 is in no part");
  CHECK(message({states[0], states[1]}) == "state 3 is in no part");
  CHECK(message({states[0], states[1], states[1], states[2]}) == "state 2 is in two parts");
  auto other = states;
  other[1].change = {"other.yaml"};
  CHECK(message(other) == "the parts are of different changes");
  other[1].of = 4;
  CHECK(message(other) == "the parts are of different series");
  for (const char* line : {"", "{}", "[1]", "{\"kind\":\"BacktestState\"}", "{\"kind\":\"BacktestState\",\"index\":-"})
    CHECK_FALSE(read_record(line, std::make_shared<Symbols>()));
}
