// The later cycles of KAI and YuniKorn: the first cycle is compared with the answers of the real schedulers, the later
// ones with the fair shares that these recorded.

#include "analysis/subject.h"
#include "api/load.h"
#include "golden/cases.h"
#include "sequence/cycle_simulation.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <set>

namespace previct::sequence {
namespace {

using test::Case;
using Keys = std::set<std::string>;

auto engine_named(std::string_view name) -> const Engine& {
  const auto found =
      std::find_if(engines().begin(), engines().end(), [&](const Engine* e) { return e->name() == name; });
  REQUIRE(found != engines().end());
  return **found;
}

struct StagedCase {
  Objects objects;
  Settings settings;
};

auto stage_case(const Case& c) -> std::unique_ptr<StagedCase> {
  auto staged = std::make_unique<StagedCase>();
  REQUIRE(load({(c.folder / "dump.yaml").string()}, {}, staged->objects));
  staged->objects.listed.emplace(kinds::priority_classes.key, 1);  // the recorded cluster has no others
  staged->settings.question = test::question_of(c, test::json_of(c.folder / "case.json"), staged->objects);
  const Snapshot cluster(staged->objects);
  for (const Subject& subject : pending_subjects(cluster, "")) staged->settings.pods.push_back(subject.pod);
  return staged;
}

// The pods that the scheduler evicts. Where the cases were recorded, no controller of Kubernetes ran.
auto deleted(StagedCase& staged, const SimulationResult& play) -> Keys {
  const Snapshot cluster(staged.objects);
  Keys names;
  for (const Step& step : play.steps) {
    if (step.what == EventKind::deleting && step.by) names.insert(cluster.key(step.pod));
  }
  return names;
}

}  // namespace

TEST_CASE("sequence, KAI: the first cycle evicts for all groups together what KAI evicts in one cycle",
          "[golden][sequence][kai]") {
  std::size_t with_several_reclaimers = 0;
  for (const Case& c : test::cases_in_fixtures()) {
    // The pending pods of the last case belong to two shards, and so to two schedulers.
    if (c.family() != "kai" || c.folder.filename() == "node-pool-gold-shard") continue;
    const Json want = test::json_of(c.folder / "expected.json");
    std::set<Keys> possible;
    Keys reclaimers;
    // a simulation does not evict stale gangs, and reports that
    bool stale = false;
    for (const Json& outcome : want.at("outcomes")) {
      Keys evicted;
      for (const Json& eviction : outcome.at("evictions")) {
        evicted.insert(eviction.at("pod").get<std::string>());
        stale = stale || !eviction.contains("preemptor");
        if (eviction.contains("preemptor")) reclaimers.insert(eviction.at("preemptor").get<std::string>());
      }
      possible.insert(evicted);
    }
    if (stale) continue;
    with_several_reclaimers += reclaimers.size() > 1 ? 1U : 0U;
    const std::unique_ptr<StagedCase> staged = stage_case(c);
    staged->settings.horizon = 0;
    const Result<Sequence> sequence = simulate_cycles(staged->objects, engine_named("kai"), staged->settings);
    if (!sequence) FAIL(c.folder.string() << ": " << sequence.error().message);
    const Keys evicted = deleted(*staged, sequence->play);
    INFO(c.folder.string() << ": " << Json(evicted).dump());
    // If the recorded runs differ, a simulation may stop at an open answer instead of choosing one of them. Everything
    // it did before is common to all of them.
    const auto did = [&](const Keys& run) {
      return std::includes(run.begin(), run.end(), evicted.begin(), evicted.end());
    };
    const bool stopped = !want.at("deterministic").get<bool>() && std::all_of(possible.begin(), possible.end(), did);
    CHECK((stopped || possible.contains(evicted)));
  }
  CHECK(with_several_reclaimers > 0);
}

TEST_CASE("sequence, KAI: a queue reclaims cycle by cycle up to its fair share, and no further",
          "[golden][sequence][kai]") {
  // queueDepthPerAction lets one group of queue p reclaim in a cycle. KAI recorded fair shares of 2 GPUs each for p,
  // which has none and wants 2, and v, which has 4. So each group of p is scheduled in a cycle of its own, at the cost
  // of one pod of v, the second when the victim of the first has used its 30 s.
  for (const Case& c : test::cases_in_fixtures()) {
    if (c.folder.filename() != "depth-per-action") continue;
    const Json queues = test::json_of(c.folder / "expected.json").at("queues");
    REQUIRE(queues.at("p").at("fairShare").at("gpu") == 2);
    REQUIRE(queues.at("v").at("fairShare").at("gpu") == 2);
    REQUIRE(queues.at("v").at("allocated").at("gpu") == 4);
    const std::unique_ptr<StagedCase> staged = stage_case(c);
    const Result<Sequence> sequence = simulate_cycles(staged->objects, engine_named("kai"), staged->settings);
    REQUIRE(sequence);
    CHECK(deleted(*staged, sequence->play).size() == 2);
    REQUIRE(sequence->play.ends.size() == 2);
    for (const End& end : sequence->play.ends) {
      CHECK(end.kind == End::Kind::bound);
      CHECK(end.victims.size() == 1);
    }
    CHECK(sequence->play.ends[0].at == 30 * kSecond);
    CHECK(sequence->play.ends[1].at == 60 * kSecond);
    return;
  }
  FAIL("the case is missing");
}

TEST_CASE("sequence, YuniKorn: deletes the victims, and binds the pod when they are gone",
          "[golden][sequence][yunikorn]") {
  std::size_t played = 0;
  for (const Case& c : test::cases_in_fixtures()) {
    if (c.family() != "yunikorn") continue;
    const Json want = test::json_of(c.folder / "expected.json");
    if (want.value("outcome", "") != "preempted" || want.value("victims", Json::array()).empty()) continue;
    if (want.contains("preemptor") && !want.at("preemptor").value("deterministic", true)) continue;
    const std::unique_ptr<StagedCase> staged = stage_case(c);
    const Snapshot cluster(staged->objects);
    const std::string asked = want.at("ask").at("pod");
    const std::size_t slash = asked.find('/');
    staged->settings.pods = {cluster.find_pod(asked.substr(0, slash), asked.substr(slash + 1))};
    const Result<Sequence> sequence = simulate_cycles(staged->objects, engine_named("yunikorn"), staged->settings);
    REQUIRE(sequence);
    Keys first;
    for (const Step& step : sequence->play.steps) {
      if (step.what == EventKind::deleting && step.at == 0) first.insert(cluster.key(step.pod));
    }
    INFO(c.folder.string() << ": " << Json(first).dump());
    CHECK(first == want.at("victims").get<Keys>());
    ++played;
  }
  CHECK(played > 20);
}

}  // namespace previct::sequence
