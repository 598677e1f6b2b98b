// Quota preemption. The victims of the folders in fixtures/yunikorn-quota are those of YuniKorn's own core.
#include "engine/yunikorn/configuration.h"
#include "engine/yunikorn/quota_preemption.h"
#include "support/yunikorn.h"
#include "tell/gap_words.h"

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

}  // namespace previct
