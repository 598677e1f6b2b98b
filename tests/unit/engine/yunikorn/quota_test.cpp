// Quota preemption. The victims of the folders in fixtures/yunikorn-quota are those of YuniKorn's own core.
#include "engine/yunikorn/configuration.h"
#include "engine/yunikorn/quota_preemption.h"
#include "engine/yunikorn/quota_victims.h"
#include "support/yunikorn.h"
#include "tell/gap_words.h"
#include "unit/engine/yunikorn/type_ids.h"

#include <algorithm>
#include <filesystem>
#include <set>

namespace previct {
namespace {

using test::Asked;
using test::node;
using test::pod;

auto queues_with(const std::string& queues, const std::string& properties = "") -> std::string {
  return "partitions: [{name: default, preemption: {quotapreemptionenabled: true}, queues: [{name: root, " +
         properties + "submitacl: '*', queues: [" + queues + "]}]}]";
}

/// Queue a with its delay under both names and this maximum.
auto queue_a(const std::string& cores) -> std::string {
  return "{name: a, resources: {max: {vcore: " + cores +
         "}}, properties: {quota.preemption.delay: 1m, preemption.quota.delay: 1m}}";
}

/// Application x in queue a: its first pod x-0, x-1 of the same size, and the larger x-2; p is pending.
auto four_cores() -> std::string {
  return node("n") + pod({.name = "x-0", .app = "x"}) + pod({.name = "x-1", .minute = 1, .app = "x"}) +
         pod({.name = "x-2", .cpu = "2", .minute = 2, .app = "x"}) + pod({.name = "p", .on = "", .minute = 3});
}

auto quota_of(Asked& asked, const std::string& version) -> Json {
  asked.question.yunikorn_version = version;
  return asked.explain("p").evidence["quotaPreemption"];
}

constexpr yunikorn::TypeId kGpuType = 2;

auto names(const Json& queues, const char* key) -> std::set<std::string> {
  std::set<std::string> all;
  for (const Json& queue : queues) {
    for (const Json& name : queue.at(key)) all.insert(name);
  }
  return all;
}

}  // namespace

TEST_CASE("yunikorn quota preemption: a queue above its max loses pods", "[yunikorn][quota]") {
  Asked asked(four_cores());
  asked.queues(queues_with(queue_a("3")));
  // 4 of 3 cores are used. x-2 would free 2, which is more than the excess. 1.9 sorts originators first, 1.8 last.
  CHECK(quota_of(asked, "1.9")[0]["always"] == Json({"ns/x-0"}));
  CHECK(quota_of(asked, "1.8")[0]["always"] == Json({"ns/x-1"}));
  CHECK(quota_of(asked, "1.7").is_null());
}

TEST_CASE("yunikorn quota preemption: only resources above their max are an excess", "[yunikorn][quota]") {
  // 4 of 3 cores, and 3 of 10 pods.
  Asked asked(four_cores());
  asked.queues(
      queues_with("{name: a, resources: {max: {vcore: 3, pods: 10}}, properties: {quota.preemption.delay: "
                  "1m}}"));
  CHECK(quota_of(asked, "1.9")[0]["over"] == Json({{"vcore", 1000}}));
}

TEST_CASE("yunikorn quota preemption: 1.9 frees at most the excess, 1.8 covers it", "[yunikorn][quota]") {
  Asked asked(node("n") + pod({.name = "x-0", .app = "x"}) + pod({.name = "x-1", .minute = 1, .app = "x"}) +
              pod({.name = "x-2", .minute = 2, .app = "x"}) + pod({.name = "p", .on = "", .minute = 3}));
  asked.queues(queues_with(queue_a("1500m")));
  // 3 of 1.5 cores are used. One pod frees 1 of the 1.5, two free more. 1.8 takes the youngest until 1.5 are covered.
  CHECK(quota_of(asked, "1.9")[0]["always"] == Json({"ns/x-0"}));
  CHECK(quota_of(asked, "1.8")[0]["always"] == Json({"ns/x-1", "ns/x-2"}));
}

TEST_CASE("yunikorn quota preemption: which of several pods alike is open", "[yunikorn][quota]") {
  Asked asked(node("n") + pod({.name = "x-0", .cpu = "2", .app = "x"}) + pod({.name = "x-1", .minute = 1, .app = "x"}) +
              pod({.name = "x-2", .minute = 2, .app = "x"}) + pod({.name = "p", .on = "", .minute = 3}));
  asked.queues(queues_with(queue_a("3")));
  // x-1 and x-2 were created in the same hour, which is all that 1.9 compares; for 1.8, x-2 is the youngest.
  const Json of_19 = quota_of(asked, "1.9");
  CHECK(of_19[0]["always"] == Json::array());
  CHECK(of_19[0]["sometimes"] == Json({"ns/x-1", "ns/x-2"}));
  CHECK(of_19[0]["outcomes"] == Json({{"ns/x-1"}, {"ns/x-2"}}));
  CHECK(quota_of(asked, "1.8")[0]["always"] == Json({"ns/x-2"}));
}

TEST_CASE("yunikorn quota preemption: which of equally old pods is the originator is open", "[yunikorn][quota]") {
  const auto four = [](const std::string& queue_of_x1) {
    return node("n") + pod({.name = "x-0", .app = "x"}) +
           pod({.name = "x-1", .priority = 10, .queue = queue_of_x1, .app = "x"}) +
           pod({.name = "x-2", .cpu = "2", .minute = 2, .app = "x"}) + pod({.name = "p", .on = "", .minute = 3});
  };
  // 4 of 3 cores are used. 1.9 evicts the originator: of 16 times, YuniKorn's core evicted x-0 in 7, and x-1 in 9.
  Asked asked(four("root.a"));
  asked.queues(queues_with(queue_a("3")));
  const Json of_19 = quota_of(asked, "1.9");
  CHECK(of_19[0]["always"] == Json::array());
  CHECK(of_19[0]["sometimes"] == Json({"ns/x-0", "ns/x-1"}));
  CHECK(of_19[0]["outcomes"] == Json({{"ns/x-0"}, {"ns/x-1"}}));
  CHECK(asked.explain("x-1").sentence.starts_with("is already on n; the scheduler may evict it (1 of 2 such pods) 1m"));
  const auto assumes_creator = [](const Answer& answer) {
    return std::any_of(answer.gaps.begin(), answer.gaps.end(),
                       [](const Gap& gap) { return gap.rule == GapRule::yunikorn_originators; });
  };
  CHECK_FALSE(assumes_creator(asked.explain("x-1")));
  // 1.8 evicts the one that is not the originator, because x-2 would free more than the excess.
  CHECK(quota_of(asked, "1.8")[0]["outcomes"] == Json({{"ns/x-0"}, {"ns/x-1"}}));
  // If x-1 created the application, all its pods would be in queue b.
  Asked elsewhere(four("root.b"));
  elsewhere.queues(queues_with(queue_a("3") + ", {name: b}"));
  CHECK(assumes_creator(elsewhere.explain("x-0")));
}

TEST_CASE("yunikorn quota preemption: what the scheduler never starts", "[yunikorn][quota]") {
  Asked asked(four_cores());
  asked.queues(queues_with(queue_a("4")));  // not above its maximum
  CHECK(quota_of(asked, "1.9").is_null());
  asked.queues(queues_with("{name: a, resources: {max: {vcore: 3}}}"));  // no delay
  CHECK(quota_of(asked, "1.9").is_null());
  // A delay that only the parent has: 1.8 reads the properties of the queue itself when its maximum changes.
  asked.queues(queues_with("{name: a, resources: {max: {vcore: 3}}}",
                           "properties: {quota.preemption.delay: 1m, preemption.quota.delay: 1m}, "));
  CHECK(quota_of(asked, "1.9").size() == 1);
  CHECK(quota_of(asked, "1.8").is_null());
}

TEST_CASE("yunikorn quota preemption: 1.9 spares what is guaranteed to queues above", "[yunikorn][quota]") {
  Asked asked(node("n") + pod({.name = "x-0", .queue = "root.t.a", .app = "x"}) +
              pod({.name = "x-1", .cpu = "3", .minute = 1, .queue = "root.t.a", .app = "x"}) +
              pod({.name = "p", .on = "", .minute = 3, .queue = "root.t.a"}));
  // 4 of 3 cores are used, but only 0.5 more than what is guaranteed to t. Each pod would free more.
  asked.queues(queues_with("{name: t, resources: {guaranteed: {vcore: 3500m}}, queues: [" + queue_a("3") + "]}"));
  CHECK(quota_of(asked, "1.9")[0]["outcomes"] == Json::array({Json::array()}));
  CHECK(quota_of(asked, "1.8")[0]["always"] == Json({"ns/x-0"}));
}

TEST_CASE("yunikorn quota preemption: a parent above its max makes its children share", "[yunikorn][quota]") {
  Asked asked(node("n") + pod({.name = "b-0", .queue = "root.t.b", .app = "b"}) +
              pod({.name = "b-1", .minute = 1, .queue = "root.t.b", .app = "b"}) +
              pod({.name = "c-0", .queue = "root.t.c", .app = "c"}) +
              pod({.name = "c-1", .minute = 1, .queue = "root.t.c", .app = "c"}) +
              pod({.name = "p", .on = "", .minute = 3, .queue = "root.t.b"}));
  asked.queues(
      queues_with("{name: t, resources: {max: {vcore: 2}}, properties: {quota.preemption.delay: 1m, "
                  "preemption.quota.delay: 1m}, queues: [{name: b}, {name: c}]}"));
  // 2 cores have to go; both children use 2 of 4, so each frees 1: in 1.9 the first pod of its application.
  const Json of_19 = quota_of(asked, "1.9");
  CHECK(of_19[0]["always"] == Json({"ns/b-0", "ns/c-0"}));
  CHECK_FALSE(of_19[0].contains("crashes"));
  // 1.8 tries again while the victims end. Nothing is left to free, and the scheduler crashes.
  const Json of_18 = quota_of(asked, "1.8");
  CHECK(of_18[0]["always"] == Json({"ns/b-1", "ns/c-1"}));
  CHECK(of_18[0]["crashes"] == true);
}

TEST_CASE("yunikorn quota preemption: it is told for pending pods and for the victims", "[yunikorn][quota]") {
  Asked asked(four_cores());
  asked.queues(queues_with(queue_a("3")));
  const Answer pending = asked.explain("p");
  CHECK(pending.outcome == Outcome::pending);
  CHECK(std::any_of(pending.gaps.begin(), pending.gaps.end(), [](const Gap& gap) {
    return what_words(gap).find("quota preemption of queue root.a") != std::string::npos;
  }));
  CHECK(asked.explain("x-0").sentence ==
        "is already on n; the scheduler evicts it 1m (quota.preemption.delay) after the max of queue root.a was "
        "lowered or YuniKorn started: the queue uses more than its max (vcore 1)");
  CHECK(asked.explain("x-1").sentence == "is already on n");
  asked.question.yunikorn_version = "1.8";
  CHECK(asked.explain("x-1").sentence ==
        "is already on n; the scheduler evicts it 1m (preemption.quota.delay) after the max of queue root.a was "
        "lowered, unless YuniKorn restarts before: the queue uses more than its max (vcore 1)");
}

TEST_CASE("yunikorn quota preemption: 1.8 acts only while a pod of the queue is pending", "[yunikorn][quota]") {
  Asked asked(node("n") + pod({.name = "x-0", .cpu = "3", .app = "x"}) + pod({.name = "x-1", .minute = 1, .app = "x"}) +
              pod({.name = "p", .on = "", .minute = 3, .queue = "root.b"}));
  asked.queues(queues_with(queue_a("3") + ", {name: b}"));
  CHECK(quota_of(asked, "1.8")[0]["waitsForPendingPod"] == true);
  CHECK_FALSE(quota_of(asked, "1.9")[0].contains("waitsForPendingPod"));
}

TEST_CASE("yunikorn quota preemption: the victims are those of the core", "[yunikorn][quota]") {
  namespace fs = std::filesystem;
  std::size_t compared = 0;
  for (const fs::directory_entry& entry :
       fs::directory_iterator(fs::path(PREVICT_SOURCE_DIR) / "fixtures" / "yunikorn-quota")) {
    if (!entry.is_directory()) continue;
    const std::string folder = "yunikorn-quota/" + entry.path().filename().string() + "/";
    INFO(folder);
    const Json want = Json::parse(test::fixture(folder + "expected.json"));
    Asked asked(test::fixture(folder + "dump.json"));
    asked.queues(test::fixture(folder + "queues.yaml"));
    asked.question.yunikorn_version = want.at("release");
    const std::string ask = want.at("pending");
    const Json got = asked.explain(ask).evidence["quotaPreemption"];
    CHECK(names(got, "always") == want.at("always").get<std::set<std::string>>());
    CHECK(names(got, "sometimes") == want.at("sometimes").get<std::set<std::string>>());
    ++compared;
  }
  CHECK(compared == 8);
}

// Source: apache/yunikorn-core pkg/scheduler/objects/preemption_utilities.go SortAllocationsBasedOnAsk (1.9) and
// quota_preemptor.go filterAllocations, sortAllocations.
TEST_CASE("yunikorn quota preemption: two pods are alike if nothing that is compared differs", "[yunikorn][quota]") {
  using namespace yunikorn;
  Allocation pod;
  pod.pod = PodId(0);
  pod.app = AppId(0);
  pod.size = {{kCpu, 1000}};
  pod.created = {7200, 0};
  struct Row {
    const char* what;
    void (*change)(Allocation&);
    bool alike_in_1_8;
    bool alike_in_1_9;
  };
  const Row rows[] = {
      {"nothing", [](Allocation&) {}, true, true},
      {"its name and node", [](Allocation& a) { a.pod = PodId(1), a.node = NodeId(1); }, true, true},
      {"application", [](Allocation& a) { a.app = AppId(1); }, false, false},
      {"the same hour of creation", [](Allocation& a) { a.created.seconds += 3599; }, false, true},
      {"the next hour", [](Allocation& a) { a.created.seconds += 3600; }, false, false},
      {"priority", [](Allocation& a) { a.priority = 1; }, false, false},
      {"opted out", [](Allocation& a) { a.opted_out = true; }, false, false},
      {"originator", [](Allocation& a) { a.originator = true; }, false, false},
      {"required node", [](Allocation& a) { a.required_node = Symbol(1); }, false, false},
      {"released", [](Allocation& a) { a.released = true; }, false, false},
      {"preempted", [](Allocation& a) { a.preempted = true; }, false, false},
      {"size", [](Allocation& a) { a.size.set(kCpu, 1001); }, false, false},
      // Equals: an absent type counts as 0
      {"an amount of 0", [](Allocation& a) { a.size.set(kPods, 0); }, true, true},
  };
  for (const Row& row : rows) {
    INFO(row.what);
    Allocation other = pod;
    row.change(other);
    CHECK(alike_for_quota(Release(8), pod, other) == row.alike_in_1_8);
    CHECK(alike_for_quota(Release(9), pod, other) == row.alike_in_1_9);
    CHECK(alike_for_quota(Release(9), other, pod) == row.alike_in_1_9);
  }
}

// The same source, with compareShares, scoreAllocationBasedOnAsk and preemptVictims: the excess allows one of
// two pods, and the first in the order is evicted.
TEST_CASE("yunikorn quota preemption: the order of 1.9, by one difference at a time", "[yunikorn][quota]") {
  using namespace yunikorn;
  struct Row {
    const char* what;
    void (*first)(Allocation&);   // of the pod that is evicted
    void (*second)(Allocation&);  // of the other one
  };
  const auto same = [](Allocation&) {};
  const Row rows[] = {
      {"opted out before originator", [](Allocation& a) { a.opted_out = true; },
       [](Allocation& a) { a.originator = true; }},
      {"originator before the larger part of the excess",
       [](Allocation& a) { a.originator = true, a.size.set(kGpuType, 1); }, same},
      // One of one type is 100, one of two types is 50.
      {"the larger part of the types before the lower priority", [](Allocation& a) { a.priority = 5; },
       [](Allocation& a) { a.size.set(kGpuType, 1); }},
      {"the lower priority before the later hour", [](Allocation& a) { a.priority = -1; },
       [](Allocation& a) { a.created.seconds = 7200; }},
      {"the later hour before the smaller share", [](Allocation& a) { a.created.seconds = 3600; },
       [](Allocation& a) { a.size.set(kCpu, 900); }},
      {"before 1970, hours are counted back", [](Allocation& a) { a.created.seconds = 0; },
       [](Allocation& a) { a.created.seconds = -1; }},
      {"the smaller share", [](Allocation& a) { a.size.set(kCpu, 900); }, same},
  };
  for (const Row& row : rows) {
    INFO(row.what);
    Allocation a;
    a.pod = PodId(0);
    a.size = {{kCpu, 1000}};
    Allocation b = a;
    b.pod = PodId(1);
    row.first(a);
    row.second(b);
    const QuotaTask task{.amount = {{kCpu, 1000}}, .max = Resources{{kCpu, 10000}}, .guaranteed = {}, .allocated = {}};
    using Pods = std::vector<const Allocation*>;
    CHECK(quota_victims(Release(9), task, {&a, &b}) == Pods{&a});
    CHECK(quota_victims(Release(9), task, {&b, &a}) == Pods{&a});
  }
}

TEST_CASE("yunikorn quota preemption: shares are compared from the largest", "[yunikorn][quota]") {
  using namespace yunikorn;
  // Of 10 cores and 100 pods: a has 0.2 and 0.01, b 0.1 and 0.15. The largest of a is above that of b, so b is the
  // first, although a has the smaller share of pods. The excess allows one of them.
  Allocation a;
  a.pod = PodId(0);
  a.size = {{kCpu, 2000}, {kPods, 1}};
  Allocation b;
  b.pod = PodId(1);
  b.size = {{kCpu, 1000}, {kPods, 15}};
  QuotaTask task{.amount = {{kCpu, 2000}, {kPods, 15}},
                 .max = Resources{{kCpu, 10000}, {kPods, 100}},
                 .guaranteed = {},
                 .allocated = {}};
  using Pods = std::vector<const Allocation*>;
  CHECK(quota_victims(Release(9), task, {&a, &b}) == Pods{&b});
  CHECK(quota_victims(Release(9), task, {&b, &a}) == Pods{&b});
  // If all of the larger shares are equal, the pod with one more share comes later.
  a.size = {{kCpu, 2000}};
  b.size = {{kCpu, 2000}, {kGpuType, 1}};
  task.amount = {{kCpu, 2000}, {kGpuType, 1}};
  task.max = Resources{{kCpu, 10000}, {kGpuType, 100}};
  CHECK(quota_victims(Release(9), task, {&a, &b}) == Pods{&a});
  CHECK(quota_victims(Release(9), task, {&b, &a}) == Pods{&a});
  // A type without a maximum counts with its amount: 3 pods are more than 0.2 of the cores.
  a.size = {{kCpu, 2000}, {kPods, 1}};
  b.size = {{kCpu, 1000}, {kPods, 3}};
  task.amount = {{kCpu, 2000}, {kPods, 3}};
  task.max = Resources{{kCpu, 10000}};
  CHECK(quota_victims(Release(9), task, {&a, &b}) == Pods{&a});
  // Nothing to free, no victim; and none that frees nothing of it, is on its way out, or must run on its node.
  CHECK(
      quota_victims(Release(9), {.amount = {{kCpu, 0}}, .max = {}, .guaranteed = {}, .allocated = {}}, {&a})->empty());
  task.amount = {{kGpuType, 1}};
  CHECK(quota_victims(Release(9), task, {&a})->empty());
  task.amount = {{kCpu, 2000}};
  for (void (*change)(Allocation&) :
       {+[](Allocation& p) { p.released = true; }, +[](Allocation& p) { p.preempted = true; },
        +[](Allocation& p) { p.required_node = Symbol(1); }}) {
    Allocation spared = a;
    change(spared);
    CHECK(quota_victims(Release(9), task, {&spared})->empty());
    CHECK(quota_victims(Release(8), task, {&spared})->empty());
    CHECK(quota_victims(Release(8), task, {&a}) == Pods{&a});
  }
}

}  // namespace previct
