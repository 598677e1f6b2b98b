#include "support/kueue.h"

#include <catch2/catch.hpp>

#include <algorithm>

// Heads of equal borrowing level, priority and time are processed in an order that is not defined. Source:
// kubernetes-sigs/kueue v0.19.0 pkg/scheduler/scheduler.go makeClassicalIterator; expected values are derived by hand.

namespace previct {
namespace {

using test::flavor;
using test::kueue_object;
using test::KueueAsked;
using test::workload;

// Returns ClusterQueue NAME of cohort `all`, with this quota of the flavors f and g, and its LocalQueue.
auto queue_of_two(const std::string& name, int f, int g, const std::string& more = "") -> std::string {
  const auto quota = [](const char* flavor, int cpu) {
    return fmt::format("{{name: {}, resources: [{{name: cpu, nominalQuota: {}}}]}}", flavor, cpu);
  };
  return kueue_object("ClusterQueue", name,
                      fmt::format("namespaceSelector: {{}}, cohortName: all, {}resourceGroups: [{{coveredResources: "
                                  "[cpu], flavors: [{}, {}]}}]",
                                  more, quota("f", f), quota("g", g))) +
         kueue_object("LocalQueue", name, "clusterQueue: " + name, "ns");
}

// Workload w of queue a and workload other of queue b request 4 CPUs each, which they borrow from queue c.
auto answer_about_w(int f, int g) -> Answer {
  KueueAsked both(test::kNoCohorts + flavor("f") + flavor("g") + queue_of_two("a", 0, 0) + queue_of_two("b", 0, 0) +
                  queue_of_two("c", f, g) + workload({.name = "w", .queue = "a", .cpu = "4"}) +
                  workload({.name = "other", .queue = "b", .cpu = "4"}));
  return both.explain("w");
}

auto possible(const Answer& answer) -> std::vector<Outcome> {
  std::vector<Outcome> outcomes;
  for (const Assumption& each : answer.assumed) outcomes.push_back(each.outcome);
  return outcomes;
}

const std::string kChecks = "admissionChecksStrategy: {admissionChecks: [{name: c}]}, ";
const std::string kCheck =
    "---\n{apiVersion: kueue.x-k8s.io/v1beta2, kind: AdmissionCheck, metadata: {name: c}, spec: {controllerName: x}, "
    "status: {conditions: [{type: Active, status: \"True\"}]}}\n";

}  // namespace

TEST_CASE("kueue chance: unknown which of two equal heads gets the last quota", "[kueue]") {
  const Answer answer = answer_about_w(4, 0);
  CHECK(answer.outcome == Outcome::unknown);
  CHECK(possible(answer) == std::vector<Outcome>{Outcome::fits, Outcome::pending});
}

// There are 4 CPUs for three heads that request 4 each: the first one gets them, and each may be it. Of 24 times, the
// real scheduler of 0.19.0 admitted each of the three at least once, and left each pending at least once.
TEST_CASE("kueue chance: each of three equal heads may be the first", "[kueue]") {
  for (const std::string more : {"", "fairSharing: {weight: 1}, "}) {
    KueueAsked three(
        test::kNoCohorts + flavor("f") + flavor("g") + queue_of_two("a", 0, 0, more) + queue_of_two("b", 0, 0, more) +
        queue_of_two("c", 0, 0, more) + queue_of_two("d", 4, 0) + workload({.name = "w", .queue = "a", .cpu = "4"}) +
        workload({.name = "middle", .queue = "b", .cpu = "4"}) + workload({.name = "other", .queue = "c", .cpu = "4"}));
    if (!more.empty()) three.config(test::kFairSharing);
    const std::vector<Outcome> either = {Outcome::fits, Outcome::pending};
    for (const std::string name : {"w", "middle", "other"}) {
      const Answer answer = three.explain(name);
      CHECK(answer.outcome == Outcome::unknown);
      CHECK_THAT(possible(answer), Catch::Matchers::UnorderedEquals(either));
    }
    const auto told = queues(kueue_engine, *three.cluster, three.question);
    REQUIRE((told && told->asks && told->asks->size() == 3));
    for (const QueueAsk& ask : *told->asks) CHECK(ask.outcome == Outcome::unknown);
    const auto simulated = kueue_engine.simulate(*three.cluster, three.question);
    REQUIRE(simulated);
    for (const SimulatedCycles::End& end : simulated->ends) CHECK(end.result == SimulatedCycles::Result::unknown);
  }
}

// There are 4 CPUs for three equal heads that request 2, 3 and 2, and then for w, which requests 1. If the one that
// requests 3 is the first, w gets the rest; in the other four of the six orders, the other two use all. Of 40 times,
// the real scheduler of 0.19.0 admitted w at least once, and left it pending at least once, whatever the place of its
// queue among the others.
TEST_CASE("kueue chance: any order of three equal heads may leave quota for a later one", "[kueue]") {
  for (const std::string last : {"z", "0a"}) {
    KueueAsked three(
        test::kNoCohorts + flavor("f") + flavor("g") + queue_of_two("a", 0, 0) + queue_of_two("b", 0, 0) +
        queue_of_two("c", 0, 0) + queue_of_two("d", 4, 0) + queue_of_two(last, 0, 0) +
        workload({.name = "first", .queue = "a", .cpu = "2"}) + workload({.name = "large", .queue = "b", .cpu = "3"}) +
        workload({.name = "third", .queue = "c", .cpu = "2"}) + workload({.name = "w", .queue = last, .minute = 1}));
    CHECK(three.explain("w").outcome == Outcome::unknown);
    const auto told = queues(kueue_engine, *three.cluster, three.question);
    REQUIRE((told && told->asks && told->asks->size() == 4));
    for (const QueueAsk& ask : *told->asks) CHECK(ask.outcome == Outcome::unknown);
    const auto simulated = kueue_engine.simulate(*three.cluster, three.question);
    REQUIRE(simulated);
    for (const SimulatedCycles::End& end : simulated->ends) CHECK(end.result == SimulatedCycles::Result::unknown);
  }
}

// Each cycle draws the order of equal heads again. Of 6 CPUs, a1 gets 3 or b1 gets 4. After a1, a3 and b2 are equal in
// cycle 3: a3 would use the rest, b2 leaves 1 for w. After b1, b2 gets the rest in cycle 2. w therefore gets quota only
// if queue a is the first in cycle 1, and queue b in cycle 3. Of 40 times, the real scheduler of 0.19.0 admitted w at
// least once, and left it pending at least once.
TEST_CASE("kueue chance: each cycle has an order of its own", "[kueue]") {
  KueueAsked both(test::kNoCohorts + flavor("f") + flavor("g") + queue_of_two("a", 0, 0) + queue_of_two("b", 0, 0) +
                  queue_of_two("c", 6, 0) + workload({.name = "a1", .queue = "a", .cpu = "3"}) +
                  workload({.name = "a2", .queue = "a", .cpu = "9", .minute = 1}) +
                  workload({.name = "a3", .queue = "a", .cpu = "3", .minute = 2}) +
                  workload({.name = "b1", .queue = "b", .cpu = "4"}) +
                  workload({.name = "b2", .queue = "b", .cpu = "2", .minute = 2}) +
                  workload({.name = "w", .queue = "b", .cpu = "1", .minute = 3}));
  CHECK(both.explain("w").outcome == Outcome::unknown);
  CHECK(possible(both.explain("w")) == std::vector<Outcome>{Outcome::pending, Outcome::fits});
  CHECK(both.explain("a2").outcome == Outcome::pending);
}

// The heads a and b request the 2 CPUs that are left of 4. If the one that may preempt while it borrows comes second,
// it preempts v in the next cycle. Of 40 times, the real scheduler of 0.19.0 evicted v at least once, and at least once
// it did not, whichever of the two may preempt.
TEST_CASE("kueue chance: another order of equal heads may preempt a running workload", "[kueue]") {
  for (const std::string preemptor : {"a", "b"}) {
    const auto borrowing = [&](const std::string& name) {
      const std::string policy = "reclaimWithinCohort: LowerPriority, borrowWithinCohort: {policy: LowerPriority}";
      return test::queue({.name = name, .cpu = "0", .cohort = "all", .preemption = name == preemptor ? policy : ""});
    };
    KueueAsked both(test::kNoCohorts + flavor() + borrowing("a") + borrowing("b") + borrowing("d") +
                    test::queue({.name = "e", .cpu = "4", .cohort = "all"}) +
                    workload({.name = "a", .queue = "a", .cpu = "2", .priority = 10}) +
                    workload({.name = "b", .queue = "b", .cpu = "2", .priority = 10}) +
                    workload({.name = "v", .queue = "d", .cpu = "2", .holds = true}));
    CHECK(both.explain("v").sentence ==
          fmt::format(
              "is already admitted by ClusterQueue d on flavor f; workload ns/{} may preempt it in cycle 2 from now",
              preemptor));
  }
}

// Eight equal heads have 40,320 orders, which are too many to try all: the answer says so. Two of them have two.
TEST_CASE("kueue chance: orders that were not tried are named", "[kueue]") {
  const auto names_chance = [](int heads) {
    std::string text = test::kNoCohorts + flavor("f") + flavor("g") + queue_of_two("z", 9, 0);
    for (int i = 0; i < heads; ++i) {
      const std::string name = fmt::format("q{}", i);
      text += queue_of_two(name, 0, 0) + workload({.name = name, .queue = name});
    }
    KueueAsked asked(text);
    const auto verdict = asked.decide("q0");
    REQUIRE(verdict);
    CHECK(verdict->outcome == Outcome::fits);
    return std::any_of(verdict->gaps.begin(), verdict->gaps.end(),
                       [](const Gap& gap) { return gap.rule == GapRule::kueue_chance && !gap.decides; });
  };
  CHECK(names_chance(8));
  CHECK_FALSE(names_chance(2));
}

TEST_CASE("kueue chance: the order of heads does not matter if both fit, or none", "[kueue]") {
  CHECK(answer_about_w(8, 0).outcome == Outcome::fits);
  CHECK(answer_about_w(3, 0).outcome == Outcome::pending);
}

TEST_CASE("kueue chance: unknown which flavor is left if that depends on two equal heads", "[kueue]") {
  // There are 4 CPUs of f. `first` of a requests 4, `other` of b 2, and w, which comes after `first` in a, 2.
  // If `first` is processed first, it gets f; `other` no longer fits. In cycle 2, w and `other` get g.
  // If `other` is first, it gets f; `first` no longer fits, and gets g in cycle 2. In cycle 3, w gets the rest of f.
  const auto answer = [](const std::string& more, int f) {
    KueueAsked three(flavor("f") + flavor("g") + queue_of_two("a", 0, 0, more) + queue_of_two("b", 0, 0, more) +
                     queue_of_two("c", f, 20) + kCheck + workload({.name = "first", .queue = "a", .cpu = "4"}) +
                     workload({.name = "other", .queue = "b", .cpu = "2"}) +
                     workload({.name = "w", .queue = "a", .cpu = "2", .minute = 1}));
    return three.explain("w");
  };
  // With the check, which is not ready, they only reserve quota.
  for (const std::string& more : {std::string(), kChecks}) {
    const Answer either = answer(more, 4);
    CHECK(either.outcome == Outcome::unknown);
    CHECK(possible(either) == std::vector<Outcome>{Outcome::fits, Outcome::fits});
    CHECK(answer(more, 20).outcome == Outcome::fits);
  }
}

// Lists ask briefly; fleet runs one cycle.
TEST_CASE("kueue chance: lists and fleet leave open which of two equal heads is first", "[kueue]") {
  KueueAsked both(test::kNoCohorts + flavor("f") + flavor("g") + queue_of_two("a", 0, 0) + queue_of_two("b", 0, 0) +
                  queue_of_two("c", 4, 0) + workload({.name = "w", .queue = "a", .cpu = "4"}) +
                  workload({.name = "other", .queue = "b", .cpu = "4"}));
  both.question.brief = true;
  CHECK(both.explain("w").outcome == Outcome::unknown);
  CHECK(both.explain("other").outcome == Outcome::unknown);
  const auto told = queues(kueue_engine, *both.cluster, both.question);
  REQUIRE((told && told->asks && told->asks->size() == 2));
  for (const QueueAsk& ask : *told->asks) CHECK(ask.outcome == Outcome::unknown);
}

// The queues a and c share the quota of cohort all, of which the heads w and other want all. The head of b, which is
// equal to both, is in another cohort, and processed between them in the order of the queues.
TEST_CASE("kueue chance: equal heads of one cohort are found among those of others", "[kueue]") {
  const auto asked = [](int minute_of_other, int quota) {
    const auto in = [](std::string text, const std::string& cohort) {
      text.replace(text.find("cohortName: all"), 15, "cohortName: " + cohort);
      return text;
    };
    auto three = std::make_unique<KueueAsked>(
        test::kNoCohorts + flavor("f") + flavor("g") + queue_of_two("a", 0, 0) + in(queue_of_two("b", 0, 0), "third") +
        queue_of_two("c", 0, 0) + queue_of_two("d", quota, 0) + in(queue_of_two("e", 4, 0), "third") +
        workload({.name = "w", .queue = "a", .cpu = "4"}) + workload({.name = "apart", .queue = "b", .cpu = "4"}) +
        workload({.name = "other", .queue = "c", .cpu = "4", .minute = minute_of_other}));
    REQUIRE(three->decide("w"));
    return three;
  };
  const auto results = [](KueueAsked& of) {
    const auto simulated = kueue_engine.simulate(*of.cluster, of.question);
    REQUIRE(simulated);
    std::map<std::string, SimulatedCycles::Result> found;
    for (const SimulatedCycles::End& end : simulated->ends) found.emplace(end.name, end.result);
    return found;
  };
  using Result = SimulatedCycles::Result;
  using Results = std::map<std::string, Result>;
  const auto either = asked(0, 4);
  CHECK(results(*either) == Results{{"workload/ns/apart", Result::admitted},
                                    {"workload/ns/other", Result::unknown},
                                    {"workload/ns/w", Result::unknown}});
  const auto told = queues(kueue_engine, *either->cluster, either->question);
  REQUIRE((told && told->asks && told->asks->size() == 3));
  for (const QueueAsk& ask : *told->asks)
    CHECK(ask.outcome == (ask.who == "ns/apart" ? Outcome::fits : Outcome::unknown));
  // One comes first, or there is enough for both.
  CHECK(results(*asked(1, 4)) == Results{{"workload/ns/apart", Result::admitted},
                                         {"workload/ns/other", Result::pending},
                                         {"workload/ns/w", Result::admitted}});
  CHECK(results(*asked(0, 8)) == Results{{"workload/ns/apart", Result::admitted},
                                         {"workload/ns/other", Result::admitted},
                                         {"workload/ns/w", Result::admitted}});
}

// w requests 1 CPU, or 3 with what its request of `a` is transformed to; the queue has 2.
// Source: pkg/workload/workload.go applyResourceTransformations.
TEST_CASE("kueue chance: unknown how much a workload requests if a transformation adds to it", "[kueue]") {
  const auto asked = [](const std::string& name, const std::string& release, const std::string& output = "cpu") {
    KueueAsked both(test::kNoCohorts + flavor() + test::queue({.cpu = "2"}) +
                    workload({.name = "w", .pod = "overhead: {a: \"1\"}, "}) + workload({.name = "next", .minute = 1}));
    both.config(
        fmt::format("resources: {{transformations: [{{input: a, strategy: Replace, outputs: {{{}: 2}}}}]}}\n", output));
    both.question.kueue_version = release;
    return both.explain(name);
  };
  const Answer answer = asked("w", "0.19.0");
  CHECK(answer.outcome == Outcome::unknown);
  CHECK(answer.sentence.starts_with(
      "cannot tell, because the order of a Go map decides how much cpu it requests (resources.transformations)"));
  CHECK(asked("next", "0.19.0").outcome == Outcome::unknown);  // what is left for it depends on w
  // The queue has no quota of `b`, whatever the sum.
  CHECK(asked("w", "0.19.0", "b").outcome == Outcome::pending);
  // Since 0.19.1 it is 3.
  CHECK(asked("w", "0.19.1").outcome == Outcome::pending);
  CHECK(asked("next", "0.19.1").outcome == Outcome::fits);
}

}  // namespace previct
