#include "sweep/sweep.h"

#include "analysis/subject.h"
#include "api/load.h"
#include "report/format.h"
#include "support/cluster.h"
#include "support/owned.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace previct::sweep {
namespace {

auto kube() -> const Engine& {
  const auto found =
      std::find_if(engines().begin(), engines().end(), [](const Engine* e) { return e->name() == "kube"; });
  REQUIRE(found != engines().end());
  return **found;
}

struct Staged {
  Objects objects;
  std::unique_ptr<Snapshot> snapshot;
  sequence::Settings settings;
};

// fixtures/sequence/epochs.yaml; see its header.
auto epochs() -> std::unique_ptr<Staged> {
  auto staged = std::make_unique<Staged>();
  const std::vector<std::string> files = {PREVICT_SOURCE_DIR "/fixtures/sequence/epochs.yaml"};
  REQUIRE(load(files, {}, staged->objects));
  staged->snapshot = std::make_unique<Snapshot>(staged->objects);
  sequence::Settings& settings = staged->settings;
  settings.question.now = parse_instant("2026-03-02T12:00:00Z").value();
  settings.controllers = true;
  for (const Subject& subject : pending_subjects(*staged->snapshot, "")) settings.pods.push_back(subject.pod);
  settings.recurring.push_back({settings.pods.front(), 1200 * sequence::kSecond});
  settings.run_durations.push_back({"ml/eval", 300 * sequence::kSecond});
  settings.epochs.push_back({"ml/train-*", 900 * sequence::kSecond});
  settings.horizon = 2 * 3600 * sequence::kSecond;
  return staged;
}

auto swept(Staged& staged, const std::string& vary, Shard shard) -> std::pair<Sweep, std::string> {
  Task task{
      .objects = staged.objects, .engine = kube(), .settings = staged.settings, .axes = {}, .most = 7, .shard = shard};
  auto axis = read_axis(vary, *staged.snapshot, kube(), staged.settings.question);
  REQUIRE(axis);
  task.axes.push_back(*axis);
  auto found = sweep(task);
  REQUIRE(found);
  const ReportContext context{*staged.snapshot, staged.settings.question.now, "flag", {}};
  const Report report = sweep_report(*found, task, context);
  return {*std::move(found), find_format("jsonl")->render(report, {})};
}

constexpr auto kVary = "toleration-seconds:low-non-preempted-10min=600..1200";

}  // namespace

TEST_CASE("sweep: finds the exact value from which an epoch is finished", "[sweep]") {
  const auto staged = epochs();
  const auto [found, text] = swept(*staged, kVary, {});
  const auto finishes = [](const Point& point) {
    return std::all_of(point.tolls.begin(), point.tolls.end(),
                       [](const auto& toll) { return toll.reaches_epoch == true; });
  };
  const auto first = std::find_if(found.points.begin(), found.points.end(), finishes);
  REQUIRE(first != found.points.end());
  REQUIRE(first != found.points.begin());
  CHECK(first->values == std::vector<std::int64_t>{871});
  CHECK(std::prev(first)->values == std::vector<std::int64_t>{870});
  CHECK(std::all_of(first, found.points.end(), finishes));
}

TEST_CASE("sweep: each value of a range has the result of that value alone", "[sweep]") {
  const auto staged = epochs();
  const Sweep all = swept(*staged, kVary, {}).first;
  REQUIRE(all.points.size() > 4);
  CHECK(all.engine == "kube");
  for (const Point& point : all.points) {
    INFO(point.values.front());
    const Sweep one =
        swept(*staged, fmt::format("toleration-seconds:low-non-preempted-10min={}", point.values.front()), {}).first;
    CHECK(one.engine == all.engine);
    CHECK(one.behaves == all.behaves);
    REQUIRE(one.points.size() == 1);
    const Point& alone = one.points.front();
    CHECK(point.values == alone.values);
    CHECK(point.same_as(alone));
    CHECK(point.same_times_as(alone));
    CHECK(point.ends_as(alone));
    CHECK(point.same_epochs_as(alone));
    CHECK(point.nodes == alone.nodes);
    CHECK(point.victims == alone.victims);
    CHECK(point.evictions == alone.evictions);
    CHECK(point.recurs == alone.recurs);
    CHECK(point.may_recur == alone.may_recur);
    CHECK(point.period == alone.period);
    CHECK(point.evictions_per_hour == alone.evictions_per_hour);
    CHECK(point.misses_slo == alone.misses_slo);
    CHECK(point.cut == alone.cut);
    CHECK(point.too_much == alone.too_much);
    CHECK(point.varies == alone.varies);
    CHECK_FALSE(alone.drifts);
  }
}

TEST_CASE("the value from which on an epoch is finished is found also where others are not searched for", "[sweep]") {
  // Two plays for each of the cells of the grid use up its share; between 849 and 899 it takes six.
  const auto staged = epochs();
  staged->settings.most_work = 2000;
  const auto [found, text] = swept(*staged, kVary, {});
  CHECK(found.not_narrowed);
  std::vector<std::int64_t> without;
  for (const Point& point : found.points) {
    const bool finishes = std::all_of(point.tolls.begin(), point.tolls.end(),
                                      [](const auto& toll) { return toll.reaches_epoch == true; });
    if (!finishes) without.push_back(point.values.front());
  }
  CHECK(without.back() == 870);
  CHECK(found.points[without.size()].values.front() == 871);
}

namespace {

using Interval = std::pair<std::int64_t, std::int64_t>;

// Returns the report of a sweep over a cluster of documents, at 12:00:00.
auto reported(const std::vector<std::string>& documents, const std::string& vary, std::size_t most = 7) -> Report {
  const auto cluster = test::a_cluster(documents);
  sequence::Settings settings;
  settings.question.now = parse_instant("2026-03-02T12:00:00Z").value();
  settings.controllers = true;
  for (const Subject& subject : pending_subjects(*cluster->snapshot, "")) settings.pods.push_back(subject.pod);
  Task task{.objects = cluster->objects, .engine = kube(), .settings = settings, .axes = {}, .most = most};
  auto axis = read_axis(vary, *cluster->snapshot, kube(), settings.question);
  REQUIRE(axis);
  task.axes.push_back(*axis);
  const auto found = sweep(task);
  REQUIRE(found);
  const ReportContext context{*cluster->snapshot, settings.question.now, "flag", {}};
  return sweep_report(*found, task, context);
}

auto intervals(const std::vector<std::string>& documents, const std::string& vary, std::size_t most = 7)
    -> std::vector<Interval> {
  std::vector<Interval> out;
  const Report report = reported(documents, vary, most);
  for (const Json& each : report.data.at("intervals"))
    out.emplace_back(each.at("from").at(0).get<std::int64_t>(), each.at("to").at(0).get<std::int64_t>());
  return out;
}

using test::a_class;
using test::a_node;
using test::a_pod;

}  // namespace

TEST_CASE("sweep: only pods of the input have an end, not those that a controller creates", "[sweep]") {
  // ml/p evicts ml/v, whose ReplicaSet creates another pod. There is no capacity for it, so it stays pending.
  const std::string victim =
      test::owned(a_pod("ml/v").on("n1").priority(1).started("2026-03-02T11:00:00Z").yaml(), "ReplicaSet", "v");
  const auto cluster = test::a_cluster({a_node("n1", "1"), victim, a_pod("ml/p").priority(9).yaml()});
  sequence::Settings settings;
  settings.question.now = parse_instant("2026-03-02T12:00:00Z").value();
  settings.controllers = true;
  const PodId asked = cluster->snapshot->find_pod("ml", "p");
  settings.pods.push_back(asked);
  Task task{.objects = cluster->objects, .engine = kube(), .settings = settings, .axes = {}};
  const auto axis = read_axis("now=0,1m", *cluster->snapshot, kube(), settings.question);
  REQUIRE(axis);
  task.axes.push_back(*axis);
  const auto found = sweep(task);
  REQUIRE(found);
  REQUIRE(found->points.size() == 2);
  for (const Point& point : found->points) {
    CHECK(point.victims == std::vector<std::string>{"ml/v"});
    REQUIRE(point.ends.size() == 1);
    CHECK(point.ends.front().pod == asked);
  }
}

TEST_CASE("sweep: results that differ only in time are separated where the time jumps", "[sweep]") {
  // ml/v tolerates its eviction by priorities below 10000 until 12:05:00, ten minutes after it was scheduled. Up to
  // 8000, ml/high may not evict it at all; up to 9999 it does so at the flush, 5 min after its first attempt, when the
  // toleration has ended; from 10000 on, at once.
  constexpr auto kTolerates =
      "{preemption-toleration.scheduling.x-k8s.io/minimum-preemptable-priority: \"10000\", "
      "preemption-toleration.scheduling.x-k8s.io/toleration-seconds: \"600\"}";
  const std::vector<std::string> documents = {
      a_class("low", 8000, kTolerates), a_class("high", 9000), a_node("n1", "1"),
      a_pod("ml/v").on("n1").priority(8000).priority_class("low").scheduled("2026-03-02T11:55:00Z").yaml(),
      a_pod("ml/high").priority(9000).priority_class("high").yaml()};
  CHECK(intervals(documents, "value:high=7000..12000") ==
        std::vector<Interval>{{7000, 8000}, {8001, 9999}, {10000, 12000}});
}

TEST_CASE("sweep: results whose time grows with the value are one", "[sweep]") {
  // ml/old ends at 12:10:00, when ml/p is bound. The later the question is asked, the shorter it waits.
  const std::vector<std::string> documents = {a_node("n1", "1"),
                                              a_pod("ml/old").on("n1").deleting("2026-03-02T12:10:00Z").yaml(),
                                              a_pod("ml/p").priority(9).yaml()};
  CHECK(intervals(documents, "now=0..5m") == std::vector<Interval>{{0, 300}});
  CHECK(intervals(documents, "now=0,1m,2m") == std::vector<Interval>{{0, 120}});
}

TEST_CASE("sweep: a time that is constant and then jumps is a step, even if it grows overall", "[sweep]") {
  // The end of ml/v's toleration is no event that requeues ml/high: it is tried again at the flush, 5 min after the
  // last attempt: at +0s, +5m, +10m and +15m. ml/v was scheduled at 12:00:00, so that its toleration ends at +0s ..
  // +12m, and no longer protects at that very time.
  constexpr auto kTolerates = "{preemption-toleration.scheduling.x-k8s.io/minimum-preemptable-priority: \"10000\"}";
  const std::vector<std::string> documents = {
      a_class("low", 8000, kTolerates), a_class("high", 9000), a_node("n1", "1"),
      a_pod("ml/v").on("n1").priority(8000).priority_class("low").scheduled("2026-03-02T12:00:00Z").yaml(),
      a_pod("ml/high").priority(9000).priority_class("high").yaml()};
  CHECK(intervals(documents, "toleration-seconds:low=0..12m", 4) ==
        std::vector<Interval>{{0, 0}, {1, 300}, {301, 600}, {601, 720}});
}

TEST_CASE("sweep: three values in a row are too few for a time that grows with them", "[sweep]") {
  // ml/p is bound when enough CPU is free: after the end of a with 1000m, of b with 1001m, of c with 1002m.
  const auto ends = [](const std::string& pod, const std::string& cpu, int second) {
    return a_pod(pod).on("n1").cpu(cpu).deleting(fmt::format("2026-03-02T12:00:{}Z", second)).yaml();
  };
  const std::vector<std::string> documents = {a_node("n1", "1002m"), ends("ml/a", "1", 10), ends("ml/b", "1m", 20),
                                              ends("ml/c", "1m", 30), a_pod("ml/p").priority(9).yaml()};
  CHECK(intervals(documents, "request:ml/p:cpu=1000m..1002m", 2) ==
        std::vector<Interval>{{1000, 1000}, {1001, 1001}, {1002, 1002}});
}

TEST_CASE("sweep: neighbors that differ only in the node of a pod show it", "[sweep]") {
  // NodeAffinity gives n1 200 (its weight is 2), and the other scores at most 100 each for resources and their balance
  // to n2. With more than 2 CPUs, the pod fits only on n2.
  const std::string pod =
      a_pod("ml/p")
          .spec(
              "affinity: {nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 100, preference: "
              "{matchFields: [{key: metadata.name, operator: In, values: [n1]}]}}]}}")
          .yaml();
  const std::string text = find_format("text")->render(
      reported({a_node("n1", "2"), a_node("n2", "4"), pod}, "request:ml/p:cpu=1..4"), {.width = 0});
  CHECK(text.find("request:ml/p:cpu: 2 different results, which begin at 2001m.") == 0);
  CHECK(text.find("ml/p bound     n1 ") != std::string::npos);
  CHECK(text.find("ml/p bound     n2 ") != std::string::npos);
}

TEST_CASE("sweep: without a pending pod, the sentence says why nothing changes", "[sweep]") {
  const std::string text =
      find_format("text")->render(reported({a_node("n1", "2"), a_class("low", 1)}, "toleration-seconds:low=0..1m"), {});
  CHECK(text.find("tried, because no pending pod takes part.") != std::string::npos);
}

TEST_CASE("sweep: its parts put together equal the whole, byte for byte", "[sweep]") {
  const auto staged = epochs();
  const std::string whole = swept(*staged, kVary, {}).second;
  for (const std::size_t count : {2U, 3U, 5U, 20U}) {
    std::string together;
    for (std::size_t i = 1; i <= count; ++i) together += swept(*staged, kVary, {i, count}).second;
    INFO(count);
    CHECK(together == whole);
  }
}

TEST_CASE("sweep: parts of the work are contiguous and complete", "[sweep]") {
  for (const std::size_t size : {0U, 1U, 7U, 8U, 100U}) {
    std::size_t next = 0;
    for (std::size_t i = 1; i <= 8; ++i) {
      const Slice slice = slice_of({i, 8}, size);
      CHECK(slice.begin == next);
      next = slice.end;
    }
    CHECK(next == size);
  }
  CHECK(read_shard("2/8"));
  for (const char* wrong : {"0/8", "9/8", "2", "a/b", "1/0", "/", "-1/3"}) CHECK_FALSE(read_shard(wrong));
}

TEST_CASE("sweep: the varied value is restored afterwards", "[sweep]") {
  const auto staged = epochs();
  const std::size_t pods = staged->objects.pods.size();
  const std::size_t nodes = staged->objects.nodes.size();
  (void)swept(*staged, "replicas:ml/eval=1..3", {});
  (void)swept(*staged, "nodes:gpu-1=0..2", {});
  (void)swept(*staged, "request:ml/eval:cpu=1..9", {});
  CHECK(staged->objects.pods.size() == pods);
  CHECK(staged->objects.nodes.size() == nodes);
}

TEST_CASE("sweep: an unknown parameter is refused", "[sweep]") {
  const auto staged = epochs();
  for (const char* wrong : {"toleration-seconds:none=0..1", "toleration:low=0..1", "now:x=0..1", "value:high=2..1",
                            "replicas:ml/train-0=1..2", "request:ml/eval=1..2", "now=-5m..0", "nodes:gpu-1=0..1000000",
                            "value:high", "setting:max_victims=0..1"}) {
    INFO(wrong);
    CHECK_FALSE(read_axis(wrong, *staged->snapshot, kube(), staged->settings.question));
  }
}

}  // namespace previct::sweep
