// The profile of the preempting pods decides which pods tolerate preemption.
#include "analysis/decision.h"
#include "analysis/fleet.h"
#include "support/cluster.h"
#include "tell/gap_words.h"
#include "tell/tell.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <string>
#include <vector>

using namespace previct;
using namespace previct::test;

namespace {

auto the_engine() -> const Engine& {
  const auto found =
      std::find_if(engines().begin(), engines().end(), [](const Engine* each) { return each->name() == "kube"; });
  REQUIRE(found != engines().end());
  return **found;
}

// ns/v runs since 11:50 and tolerates preemption by 9000 for 15 minutes, until 12:05.
auto cluster_of_v() -> std::unique_ptr<TestCluster> {
  return a_cluster(
      {a_class("low", 8000,
               "{preemption-toleration.scheduling.x-k8s.io/minimum-preemptable-priority: \"10000\", "
               "preemption-toleration.scheduling.x-k8s.io/toleration-seconds: \"900\"}"),
       a_class("high", 9000), a_node("n1", "1"),
       a_pod("ns/v").on("n1").priority(8000).priority_class("low").scheduled("2026-03-02T11:50:00Z").yaml(),
       a_pod("ns/mine").priority(9000).priority_class("high").spec("schedulerName: mine").yaml(),
       a_pod("ns/other").priority(9000).priority_class("high").yaml()});
}

auto question_with(const std::string& profiles) -> Question {
  Question question;
  question.now = parse_instant("2026-03-02T12:00:00Z").value();
  question.k8s_version = "1.35";
  question.scheduler_config = ConfigFile{
      FileId{}, "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nprofiles:\n" + profiles};
  return question;
}

const char* const kMine =
    "- schedulerName: mine\n  plugins: {postFilter: {enabled: [{name: PreemptionToleration}], disabled: [{name: "
    "DefaultPreemption}]}}\n";
const char* const kDefault = "- schedulerName: default-scheduler\n";
const char* const kNone = "- schedulerName: mine\n  plugins: {postFilter: {disabled: [{name: DefaultPreemption}]}}\n";

auto rows_of(const PossiblePreemptors& found) -> std::vector<std::string> {
  std::vector<std::string> rows;
  for (const PossiblePreemptor& row : found.rows)
    rows.push_back(row.who + (row.from.is_never() ? ": never" : row.from == Instant{} ? ": now" : ": later"));
  return rows;
}

}  // namespace

TEST_CASE("protections: follow the only profile of the configuration, whatever its name is", "[kube][config]") {
  const auto cluster = cluster_of_v();
  const Question question = question_with(kMine);
  const auto found = protections(the_engine(), *cluster->snapshot, question);
  REQUIRE(found);
  CHECK(found->behaves == "1.35 + PreemptionToleration");
  REQUIRE(found->rows.size() == 1);
  CHECK(format_instant(found->rows[0].line.until) == "2026-03-02T12:05:00Z");
  CHECK_FALSE(found->rows[0].partial);

  Question of_v = question;
  of_v.ns = "ns";
  of_v.name = "v";
  const auto takers = possible_preemptors(the_engine(), *cluster->snapshot, of_v);
  REQUIRE(takers);
  // ns/other belongs to default-scheduler, which has no profile there.
  CHECK(rows_of(*takers) == std::vector<std::string>{"class high: later", "ns/mine: later", "ns/other: never"});

  const auto all = fleet(the_engine(), *cluster->snapshot, question);
  REQUIRE(all);
  CHECK(all->behaves == "1.35 + PreemptionToleration");
  const auto of_mine = std::find_if(all->preemptors.begin(), all->preemptors.end(),
                                    [](const Preemptors& p) { return p.schedulers.front() == "mine"; });
  REQUIRE(of_mine != all->preemptors.end());
  CHECK(of_mine->reach.at(0).protected_now == 1);
  const auto of_none = std::find_if(all->preemptors.begin(), all->preemptors.end(),
                                    [](const Preemptors& p) { return p.schedulers.front() != "mine"; });
  REQUIRE(of_none != all->preemptors.end());
  CHECK(of_none->never == "no profile is named default-scheduler");
}

TEST_CASE("protections: if profiles preempt differently, one holds against the pods of some profiles",
          "[kube][config]") {
  const auto cluster = cluster_of_v();
  const Question question = question_with(std::string(kDefault) + kMine);
  const auto found = protections(the_engine(), *cluster->snapshot, question);
  REQUIRE(found);
  CHECK(found->behaves == "1.35 + DefaultPreemption (default-scheduler) + PreemptionToleration (mine)");
  REQUIRE(found->rows.size() == 1);
  CHECK(found->rows[0].partial);
  CHECK(found->rows[0].only_against == "pods of mine");
  CHECK(std::any_of(found->gaps.begin(), found->gaps.end(),
                    [](const Gap& gap) { return gap.rule == GapRule::tolerates_not_all; }));

  Question of_v = question;
  of_v.ns = "ns";
  of_v.name = "v";
  const auto takers = possible_preemptors(the_engine(), *cluster->snapshot, of_v);
  REQUIRE(takers);
  CHECK(rows_of(*takers) == std::vector<std::string>{"class high, pods of default-scheduler: now",
                                                     "class high, pods of mine: later", "ns/mine: later",
                                                     "ns/other: now"});

  const auto all = fleet(the_engine(), *cluster->snapshot, question);
  REQUIRE(all);
  CHECK(all->by_scheduler);
  REQUIRE(all->preemptors.size() == 2);
  for (const Preemptors& each : all->preemptors)
    CHECK(each.reach.at(0).protected_now == (each.schedulers.front() == "mine" ? 1 : 0));

  const auto stock = evaluate_cluster(cluster->objects, question, "kube", {});
  REQUIRE(stock);
  CHECK(stock->shields.at("ns/v").words == "for 15m, against priority < 10000, only against pods of mine");
}

TEST_CASE("protections: pods of a profile without a preemption plugin preempt no pod", "[kube][config]") {
  const auto cluster = cluster_of_v();
  const Question question = question_with(kNone);
  const auto found = protections(the_engine(), *cluster->snapshot, question);
  REQUIRE(found);
  CHECK(found->never_preempts == "no preemption plugin runs");
  CHECK(found->rows.empty());
  Question of_v = question;
  of_v.ns = "ns";
  of_v.name = "v";
  const auto takers = possible_preemptors(the_engine(), *cluster->snapshot, of_v);
  REQUIRE(takers);
  CHECK(rows_of(*takers) == std::vector<std::string>{"class high: never", "ns/mine: never", "ns/other: never"});
}

TEST_CASE("protections: a pod created for a question uses the only profile, or default-scheduler", "[kube][config]") {
  const auto cluster = cluster_of_v();
  CHECK(*scheduler_for_new_pods(*cluster->snapshot, Question{}) == "default-scheduler");
  CHECK(*scheduler_for_new_pods(*cluster->snapshot, question_with(kMine)) == "mine");
  CHECK(*scheduler_for_new_pods(*cluster->snapshot, question_with(std::string(kMine) + kDefault)) ==
        "default-scheduler");
  const auto open =
      scheduler_for_new_pods(*cluster->snapshot, question_with(std::string(kMine) + "- schedulerName: b\n"));
  REQUIRE_FALSE(open);
  CHECK(
      open.error().message ==
      "the scheduler configuration has no profile default-scheduler, and several others (mine, b): which one is meant "
      "is not known");
}
