#include "engine/kueue/play.h"

#include "api/load.h"
#include "engine/kueue/course.h"
#include "engine/kueue/known.h"
#include "support/kueue.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <set>

// What cycles report as values: which workloads count, limits, and gaps. Source: kubernetes-sigs/kueue v0.19.0
// pkg/scheduler/scheduler.go; expected values are derived by hand.

namespace previct::kueue {
namespace {

using test::flavor;
using test::KueueAsked;
using test::queue;
using test::workload;
using Names = std::vector<std::string>;

// An input with its inventory, which knows of the workloads by any name of one.
struct Simulated {
  Simulated(const std::string& manifests, const std::string& config = "") : asked(manifests) {
    if (!config.empty()) asked.config(config);
    asked.cluster = std::make_unique<Snapshot>(asked.objects);
    asked.question.now = *parse_instant("2026-05-01T12:00:00Z");
    const auto found = known(*asked.cluster, asked.question);
    REQUIRE(found);
    inventory = *found;
  }
  [[nodiscard]] auto play(std::size_t most = 50) const -> Play {
    return kueue::play(*inventory, asked.question.now, most);
  }
  [[nodiscard]] auto cycles() const -> SimulatedCycles { return simulated_cycles(*inventory, asked.question.now, 50); }
  [[nodiscard]] auto names(const std::vector<std::pair<WorkloadId, Phase>>& phases) const -> Names {
    Names result;
    for (const auto& [id, phase] : phases) result.push_back(inventory->workloads()[id].key);
    return result;
  }
  [[nodiscard]] auto doubts() const -> std::map<std::string, Gap> {
    const Play played = play();
    std::map<std::string, Gap> result;
    for (const auto& [id, gap] : doubts_in(*inventory, played.start, 50, played).workloads)
      result.emplace(inventory->workloads()[id].key, gap);
    return result;
  }
  [[nodiscard]] auto gaps() const -> std::vector<GapRule> {
    const Play played = play();
    std::vector<GapRule> result;
    for (const Gap& gap : gaps_of(*inventory, played, {})) result.push_back(gap.rule);
    return result;
  }

  KueueAsked asked;
  std::shared_ptr<const Inventory> inventory;
};

auto has(const std::vector<GapRule>& gaps, GapRule rule) -> bool {
  return std::find(gaps.begin(), gaps.end(), rule) != gaps.end();
}
auto names_of(const SimulatedCycles& found) -> Names {
  Names result;
  for (const SimulatedCycles::End& end : found.ends) result.push_back(end.name);
  return result;
}
auto end_of(const SimulatedCycles& found, const std::string& name) -> SimulatedCycles::End {
  const auto end = std::find_if(found.ends.begin(), found.ends.end(),
                                [&](const SimulatedCycles::End& each) { return each.name == "workload/ns/" + name; });
  REQUIRE(end != found.ends.end());
  return *end;
}
auto many(std::size_t count, const std::string& in_queue = "") -> std::string {
  std::string result;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string name = fmt::format("w{}", i);
    result += workload({.name = name, .queue = in_queue.empty() ? "q" + name : in_queue});
  }
  return result;
}

constexpr auto kNotReady = ", {type: PodsReady, status: \"False\", reason: WaitForStart}";

}  // namespace

TEST_CASE("kueue simulation: finished workloads and those that are being deleted do not count", "[kueue][play]") {
  const std::string finished =
      ", {type: Finished, status: \"True\", reason: JobFinished, lastTransitionTime: \"2026-05-01T11:30:00Z\"}";
  const Simulated input(flavor() + queue({}) + workload({.name = "z"}) + workload({.name = "b", .minute = 1}) +
                        workload({.name = "done", .holds = true, .status = finished}) +
                        workload({.name = "gone",
                                  .meta = ", finalizers: [kueue.x-k8s.io/resource-in-use], deletionTimestamp: "
                                          "\"2026-05-01T11:59:00Z\""}) +
                        workload({.name = "m", .holds = true}));
  const Play play = input.play();
  CHECK(input.names(play.before) == Names{"ns/b", "ns/m", "ns/z"});
  CHECK(input.names(play.after) == Names{"ns/b", "ns/m", "ns/z"});
  CHECK(names_of(input.cycles()) == Names{"workload/ns/b", "workload/ns/z"});
}

TEST_CASE("kueue simulation: a workload that is being evicted still holds its quota", "[kueue][play]") {
  CHECK(holds_quota(Phase::admitted));
  CHECK(holds_quota(Phase::reserved));
  CHECK(holds_quota(Phase::evicting));
  CHECK_FALSE(holds_quota(Phase::pending));
  const Simulated input(
      flavor() + queue({}) +
      workload({.name = "w",
                .holds = true,
                .status = ", {type: Evicted, status: \"True\", reason: Preempted, lastTransitionTime: "
                          "\"2026-05-01T11:59:00Z\"}"}) +
      workload({.name = "x"}));
  CHECK(names_of(input.cycles()) == Names{"workload/ns/x"});
}

TEST_CASE("kueue simulation: of equal heads, all orders are tried if they are few, and some of many", "[kueue][play]") {
  // At most 20,000 / workloads orders, but at least 8 and at most 150, besides the one as read.
  using Tried = std::pair<std::size_t, bool>;  // how many, and whether they are all
  const auto orders = [](std::size_t with_head, std::size_t without_head, std::size_t more, std::uint64_t of_ties) {
    std::string manifests = flavor();
    for (std::size_t i = 0; i < without_head; ++i) manifests += queue({.name = fmt::format("empty{}", i)});
    for (std::size_t i = 0; i < with_head; ++i) manifests += queue({.name = fmt::format("qw{}", i)});
    manifests += many(with_head);
    for (std::size_t i = 0; i < more; ++i) manifests += workload({.name = fmt::format("m{}", i), .queue = "qw0"});
    const Simulated input(manifests);
    const std::vector<QueueId> queues = queues_with_head(Controller(*input.inventory, input.asked.question.now));
    CHECK(queues.size() == with_head);
    std::set<TieOrder> tried;
    const bool all = each_order(*input.inventory, of_ties, queues, [&](TieOrder order) {
      tried.insert(order);
      return std::optional(of_ties);
    });
    CHECK_FALSE(tried.contains(kAsRead));
    return Tried{tried.size(), all};
  };
  CHECK(orders(3, 2, 0, 6) == Tried{5, true});
  CHECK(orders(5, 0, 0, 150) == Tried{149, true});
  CHECK(orders(5, 0, 0, 151) == Tried{150, false});
  CHECK(orders(100, 3, 0, Ties::kMany) == Tried{150, false});
  CHECK(orders(60, 0, 440, 40) == Tried{39, true});  // 20,000 / 500
  CHECK(orders(60, 0, 440, 41) == Tried{40, false});
  CHECK(orders(12, 0, 2988, 8) == Tried{7, true});  // 20,000 / 3,000 is 6
  CHECK(orders(12, 0, 2988, 9) == Tried{8, false});
}

TEST_CASE("kueue simulation: the number of cycles is limited", "[kueue][play]") {
  // 4 CPUs: two workloads of 2 CPUs are admitted, and the third waits. Of the third cycle nothing follows.
  const Simulated input(flavor() + queue({}) + workload({.name = "w1", .cpu = "2"}) +
                        workload({.name = "w2", .cpu = "2", .minute = 1}) +
                        workload({.name = "w3", .cpu = "2", .minute = 2}));
  for (const std::size_t most : {1U, 2U, 3U, 4U}) {
    INFO(most);
    const Play play = input.play(most);
    CHECK(play.cycles.size() == std::min<std::size_t>(most, 3));
    CHECK(play.cut == (most < 3));
    CHECK_FALSE(play.loop);
  }
  const SimulatedCycles found = input.cycles();
  CHECK(found.cycles == 3);
  CHECK(found.work == 12);  // each of three workloads in three cycles, and once more
  CHECK(found.loop == 0);
  CHECK_FALSE(found.cut);
}

TEST_CASE("kueue simulation: without backoffLimitCount, the simulation ends with the sixth timeout", "[kueue][play]") {
  const Simulated input(flavor() + queue({}) + workload({.name = "w", .holds = true, .status = kNotReady}),
                        "waitForPodsReady: {timeout: 90m}\n");
  const Play play = input.play();
  CHECK(play.cut);
  CHECK(play.losses.size() == 6);
  REQUIRE(play.cycles.size() == 5);
  // Each loss precedes the cycle in which it is admitted again.
  for (std::size_t i = 0; i < play.losses.size(); ++i) CHECK(play.losses[i].cycle == i);
}

TEST_CASE("kueue simulation: two cycles that preempt the same workloads are a loop", "[kueue][play]") {
  // Recorded: the real scheduler never ends here, either.
  Objects objects;
  REQUIRE(load({PREVICT_SOURCE_DIR "/fixtures/kueue/tree/loop-of-two/dump.yaml"}, {}, objects));
  const Snapshot cluster(objects);
  Question question;
  question.now = *parse_instant("2026-03-02T10:00:00Z");
  const auto inventory = known(cluster, question);
  REQUIRE(inventory);
  const Play found = play(**inventory, question.now, 50);
  REQUIRE(found.loop);
  CHECK(found.loop->length == 2);
  CHECK(found.cycles.size() == found.loop->first + found.loop->length);
  CHECK_FALSE(found.cut);
  // Both cycles preempt what the other one admitted.
  for (const auto& [id, times] : preemptions_in(found, found.loop->first)) CHECK(times == 1);
  CHECK(preemptions_in(found, found.loop->first).size() == 2);
  CHECK(simulated_cycles(**inventory, question.now, 50).loop == 2);
}

TEST_CASE("kueue simulation: a cycle comes before evictions of the same moment end", "[kueue][play]") {
  // At 12:30, run loses all 4 CPUs, because its pods were not ready for 90 minutes, and the back-off of w ends. w is
  // tried before the pods of run are gone, and again when they are.
  std::string w = workload({.name = "w", .cpu = "4", .minute = 1});
  w.insert(w.rfind('}'), ", status: {requeueState: {requeueAt: \"2026-05-01T12:30:00Z\"}}");
  const Simulated input(
      flavor() + queue({}) + w + workload({.name = "run", .cpu = "4", .holds = true, .status = kNotReady}),
      "waitForPodsReady: {timeout: 90m, requeuingStrategy: {backoffLimitCount: 0}}\n");
  const Play play = input.play();
  REQUIRE(play.cycles.size() >= 2);
  const WorkloadId id = input.inventory->find("ns", "w");
  REQUIRE(play.cycles[0].find(id) != nullptr);
  CHECK_FALSE(takes_quota_now(play.cycles[0].find(id)->outcome));
  CHECK(end_of(input.cycles(), "w").cycle == 2);
}

TEST_CASE("kueue simulation: only workloads that hold quota now are victims, sorted by name", "[kueue][play]") {
  // a uses all of its 4 CPUs. `small` borrows 3 of b in the first cycle, and `late` of b takes them back in the second.
  const Simulated borrows(flavor() + queue({.name = "a", .cpu = "4", .cohort = "team"}) +
                          queue({.name = "b", .cpu = "4", .cohort = "team", .preemption = "reclaimWithinCohort: Any"}) +
                          workload({.name = "run", .queue = "a", .cpu = "4", .holds = true}) +
                          workload({.name = "small", .queue = "a", .cpu = "3"}) +
                          workload({.name = "first", .queue = "b", .cpu = "1"}) +
                          workload({.name = "late", .queue = "b", .cpu = "3", .minute = 1}));
  const SimulatedCycles found = borrows.cycles();
  CHECK(end_of(found, "small").result == SimulatedCycles::Result::pending);
  CHECK(end_of(found, "small").cycle == 0);
  CHECK(end_of(found, "late").result == SimulatedCycles::Result::admitted);
  CHECK(found.evictions == 1);
  CHECK(found.victims.empty());
  // w needs what both hold.
  const Simulated both(flavor() + queue({.preemption = "withinClusterQueue: LowerPriority"}) +
                       workload({.name = "z-low", .cpu = "2", .holds = true}) +
                       workload({.name = "a-low", .cpu = "2", .holds = true}) +
                       workload({.name = "w", .cpu = "4", .priority = 10, .minute = 1}));
  CHECK(both.cycles().evictions == 2);
  CHECK(both.cycles().victims == Names{"workload/ns/a-low", "workload/ns/z-low"});
}

TEST_CASE("kueue simulation: what cycles assume, and what they do not know", "[kueue][play]") {
  const auto gaps = [](const std::string& status, const std::string& config) {
    return Simulated(flavor() + queue({}) + workload({.name = "run", .holds = true, .status = status}) +
                         workload({.name = "w"}),
                     config)
        .gaps();
  };
  const std::string timeout = "waitForPodsReady: {timeout: 90m, requeuingStrategy: {backoffLimitCount: 0}}\n";
  CHECK(has(gaps("", ""), GapRule::kueue_at_once));
  CHECK_FALSE(has(gaps("", ""), GapRule::kueue_never_ready));
  // Pods that are not ready by then lose their quota, or are deactivated.
  CHECK(has(gaps(kNotReady, timeout), GapRule::kueue_never_ready));
  CHECK(has(gaps(kNotReady, "waitForPodsReady: {timeout: 90m, requeuingStrategy: {backoffLimitCount: 1}}\n"),
            GapRule::kueue_never_ready));
  CHECK_FALSE(
      has(gaps(", {type: PodsReady, status: \"True\", reason: PodsReady}", timeout), GapRule::kueue_never_ready));
  // With blockAdmission, nothing is admitted until the pods of run are ready.
  const GapRule blocks = GapRule::kueue_pods_ready;
  CHECK(has(gaps(kNotReady, "waitForPodsReady: {timeout: 90m, blockAdmission: true}\n"), blocks));
  CHECK_FALSE(has(gaps(kNotReady, "waitForPodsReady: {timeout: 90m}\n"), blocks));
}

TEST_CASE("kueue simulation: what leaves the whole input open leaves open what does not hold quota", "[kueue][play]") {
  // With this gate, workloads are admitted in another way.
  const Simulated input(flavor() + queue({}) + workload({.name = "run", .holds = true}) + workload({.name = "w"}) +
                            workload({.name = "x"}),
                        "featureGates: {ConcurrentAdmission: true}\n");
  const std::map<std::string, Gap> doubts = input.doubts();
  REQUIRE(doubts.size() == 2);
  for (const char* name : {"ns/w", "ns/x"}) CHECK(doubts.at(name).rule == GapRule::kueue_concurrent_admission);
}

TEST_CASE("kueue simulation: other losses of quota do not depend on pods that are ready", "[kueue][play]") {
  // It has run for an hour of 90 minutes. Source: pkg/controller/core/workload_controller.go, maximum execution time.
  const Simulated input(flavor() + queue({}) +
                        workload({.name = "w", .holds = true, .spec = ", maximumExecutionTimeSeconds: 5400"}));
  const Play play = input.play();
  REQUIRE(play.losses.size() == 1);
  CHECK(play.losses[0].at == *parse_instant("2026-05-01T12:30:00Z"));
  CHECK(input.names({play.before.front()}) == Names{"ns/w"});
  CHECK(play.deactivated == std::vector<WorkloadId>{input.inventory->find("ns", "w")});
  CHECK_FALSE(has(input.gaps(), GapRule::kueue_never_ready));
}

}  // namespace previct::kueue
