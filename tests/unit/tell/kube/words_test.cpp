#include "analysis/impact.h"
#include "support/cluster.h"
#include "tell/tell.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace previct;
using namespace previct::test;

namespace {

constexpr const char* kMinimum = "preemption-toleration.scheduling.x-k8s.io/minimum-preemptable-priority";
constexpr const char* kSeconds = "preemption-toleration.scheduling.x-k8s.io/toleration-seconds";

auto kube() -> const Engine& {
  for (const Engine* engine : engines()) {
    if (engine->name() == "kube") return *engine;
  }
  FAIL("no kube engine");
  return *engines().front();
}

auto question_about(const std::string& ns, const std::string& name) -> Question {
  Question question;
  question.ns = ns;
  question.name = name;
  question.now = parse_instant("2026-03-02T12:00:00Z").value();
  return question;
}

auto cell(const Table& table, std::size_t row, std::string_view head) -> std::string {
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (table.columns[c].head == head) return table.rows.at(row).at(c).text;
  }
  FAIL("no column " << head);
  return {};
}

}  // namespace

TEST_CASE("kube words: the budget that decides, and the one that is violated, are named") {
  // Both nodes are full. On a, the guarded pod would be evicted; on b, a pod of higher priority that no budget selects:
  // b is chosen.
  const auto cluster = a_cluster({a_node("a", "1"), a_node("b", "1"), a_budget("ns/g", "g", 0),
                                  a_pod("ns/guarded").on("a").priority(1).labels("{app: g}").yaml(),
                                  a_pod("ns/free").on("b").priority(50).yaml(), a_pod("ns/new").priority(100).yaml()});
  const Answer answer = ask_kube(*cluster, "ns/new");
  CHECK(answer.node == "b");
  REQUIRE(answer.node_table);
  CHECK(cell(*answer.node_table, 1, "WHY") == "more PDB violations: 1 > 0; ns/g (allows 0 more disruptions)");
  REQUIRE(answer.findings.size() == 2);
  CHECK(answer.findings[0].chosen);
  CHECK(answer.findings[1].pdb_violations == 1);
  CHECK(answer.nodes[1]["preemption"]["violates"] ==
        Json::array({{{"pod", "ns/guarded"}, {"budget", "PodDisruptionBudget/ns/g"}}}));

  // Of two budgets, the first allows one disruption and the second none: the second prevents the eviction.
  const auto two =
      a_cluster({a_node("a", "1"), a_budget("ns/one", "g", 1), a_budget("ns/none", "g", 0),
                 a_pod("ns/guarded").on("a").labels("{app: g}").yaml(), a_pod("ns/new").priority(100).yaml()});
  const Answer violating = ask_kube(*two, "ns/new");
  REQUIRE(violating.victims.size() == 1);
  CHECK(violating.victim_lines[0].why == "lower priority; violates ns/none (allows 0 more disruptions)");
  CHECK(violating.victims[0].rule == "kube.victim.violates-budget");
  CHECK(violating.victim_lines[0].evidence.back().object == "PodDisruptionBudget/ns/none");
  CHECK(violating.victim_lines[0].evidence.back().field == "status.disruptionsAllowed");
}

TEST_CASE("kube words: a pending pod's reasons are counted over the nodes, each with its first change") {
  // a: its pod tolerates until 12:05; b: forever; c: its pod is as important; d: too small. High is below the minimum.
  const std::string minutes = fmt::format("{{{}: \"1000\", {}: \"600\"}}", kMinimum, kSeconds);
  const std::string forever = fmt::format("{{{}: \"1000\", {}: \"-1\"}}", kMinimum, kSeconds);
  const auto cluster =
      a_cluster({a_class("minutes", 5, minutes), a_class("forever", 5, forever), a_class("high", 900), a_node("a", "1"),
                 a_node("b", "1"), a_node("c", "1"), a_node("d", "0"),
                 a_pod("ns/a").on("a").priority(5).priority_class("minutes").scheduled("2026-03-02T11:55:00Z").yaml(),
                 a_pod("ns/b").on("b").priority(5).priority_class("forever").scheduled("2026-03-02T11:55:00Z").yaml(),
                 a_pod("ns/c").on("c").priority(900).priority_class("high").yaml(),
                 a_pod("ns/new").priority(900).priority_class("high").yaml()});
  const Answer answer = ask_kube(*cluster, "ns/new", "2026-03-02T12:00:00Z", "on");
  CHECK(answer.outcome == Outcome::pending);
  REQUIRE(answer.reasons);
  REQUIRE(answer.reasons->rows.size() == 4);
  CHECK(cell(*answer.reasons, 0, "REASON") == "pods that tolerate preemption use the cpu");
  CHECK(cell(*answer.reasons, 0, "FIRST CHANGE") == "12:05:00 (in 5m) a");
  CHECK(cell(*answer.reasons, 1, "REASON") == "pods that tolerate preemption forever use the cpu");
  CHECK(cell(*answer.reasons, 2, "REASON") == "pods of priority >= 900 use the cpu");
  CHECK(cell(*answer.reasons, 2, "FIRST CHANGE") == "when they finish");
  CHECK(cell(*answer.reasons, 3, "REASON") == "less than 1 cpu");
  CHECK(cell(*answer.reasons, 3, "FIRST CHANGE") == "preemption cannot change this");

  // The start of the toleration is known although it lasts forever.
  const auto line = std::find_if(answer.tolerating.begin(), answer.tolerating.end(),
                                 [&](const Tolerating& t) { return cluster->snapshot->key(t.pod) == "ns/b"; });
  REQUIRE(line != answer.tolerating.end());
  CHECK(format_instant(line->since) == "2026-03-02T11:55:00Z");
}

TEST_CASE("kube words: a policy Never is traced to the class that sets it") {
  const auto cluster = a_cluster({a_class("meek", 900) + "preemptionPolicy: Never\n", a_node("a", "0"),
                                  a_pod("ns/new").priority(900).priority_class("meek").never_preempts().yaml()});
  const Answer answer = ask_kube(*cluster, "ns/new");
  CHECK(answer.outcome == Outcome::not_eligible);
  CHECK(answer.sentence ==
        "stays pending: no node has any cpu (1 requested); it does not preempt: preemptionPolicy is Never "
        "(PriorityClass meek)");
  REQUIRE(answer.fields.size() == 2);
  CHECK(answer.fields[1].object == "PriorityClass/meek");
}

TEST_CASE("kube words: a node that the pod waits for is reported so, not as lacking resources") {
  const auto cluster =
      a_cluster({a_node("a", "1"), a_node("b", "1"), a_pod("ns/full").on("b").priority(900).yaml(),
                 a_pod("ns/victim").on("a").deleting("2026-03-02T12:00:30Z").yaml() +
                     "  conditions: [{type: DisruptionTarget, status: \"True\", reason: PreemptionByScheduler}]\n",
                 a_pod("ns/new").priority(900).nominated("a").yaml()});
  const Answer answer = ask_kube(*cluster, "ns/new");
  CHECK(answer.outcome == Outcome::waits);
  REQUIRE(answer.node_table);
  CHECK(cell(*answer.node_table, 0, "NODE") == "a");
  CHECK(cell(*answer.node_table, 0, "VERDICT") == "waits");
  CHECK(cell(*answer.node_table, 0, "WHY") ==
        "nominated to it; 1 victim is still terminating there (ns/victim, grace ends 12:00:30, in 30s)");
}

TEST_CASE("kube words: a class without annotations has no minimum to reach") {
  const auto cluster = a_cluster({a_class("low", 5), a_class("high", 900), a_node("a", "1"),
                                  a_pod("ns/a").on("a").priority(5).priority_class("low").yaml()});
  Question question = question_about("ns", "a");
  question.toleration_plugin = "on";
  const auto found = possible_preemptors(kube(), *cluster->snapshot, question);
  REQUIRE(found.has_value());
  REQUIRE(found->rows.size() == 1);
  CHECK(found->rows[0].why == "lower priority, no toleration");
  CHECK(found->rows[0].evidence.empty());
}

TEST_CASE("kube words: a missing class protects all pods of its node, because preemption fails there") {
  // KEP-205's plugin returns an error for a victim whose class is missing, which removes the node from the dry run: a
  // class that outranks ns/gone (10) can preempt no pod on node a, but ns/far on node b. A preemptor of 8 does not
  // examine ns/gone, so it can preempt ns/a (5).
  const auto cluster = a_cluster({a_class("low", 5), a_class("mid", 8), a_class("high", 900), a_node("a", "1"),
                                  a_node("b", "1"), a_pod("ns/a").on("a").priority(5).priority_class("low").yaml(),
                                  a_pod("ns/gone").on("a").priority(10).priority_class("deleted").yaml(),
                                  a_pod("ns/far").on("b").priority(5).priority_class("low").yaml()});
  Question question = question_about("ns", "a");
  question.toleration_plugin = "on";
  const auto of_a = possible_preemptors(kube(), *cluster->snapshot, question);
  REQUIRE(of_a.has_value());
  REQUIRE(of_a->rows.size() == 2);
  CHECK(of_a->rows[0].who == "class mid");
  CHECK(of_a->rows[0].from == Instant{});
  CHECK(of_a->rows[1].who == "class high");
  CHECK(of_a->rows[1].from.is_never());
  CHECK(of_a->rows[1].why ==
        "PriorityClass deleted of pod ns/gone does not exist, so preemption fails on the whole node");
  question.name = "far";
  const auto of_far = possible_preemptors(kube(), *cluster->snapshot, question);
  REQUIRE(of_far.has_value());
  for (const PossiblePreemptor& possible_preemptor : of_far->rows) CHECK(possible_preemptor.from == Instant{});

  const auto protected_from = [&](const std::string& against) {
    Question asked = question;
    asked.ns.clear();
    asked.name.clear();
    asked.against = against;
    std::vector<std::string> pods;
    const auto found = protections(kube(), *cluster->snapshot, asked);
    REQUIRE(found.has_value());
    for (const Protection& row : found->rows) {
      CHECK(row.node_fails);
      pods.push_back(cluster->snapshot->key(row.line.pod));
    }
    std::sort(pods.begin(), pods.end());
    return pods;
  };
  CHECK(protected_from("high") == std::vector<std::string>{"ns/a", "ns/gone"});
  CHECK(protected_from("mid").empty());
}

TEST_CASE("kube words: the built-in classes are never missing") {
  const auto cluster = a_cluster({a_class("low", 5), a_class("high", 900), a_node("a", "1"),
                                  a_pod("ns/dns").on("a").priority(10).priority_class("system-cluster-critical").yaml(),
                                  a_pod("ns/a").on("a").priority(5).priority_class("low").yaml()});
  Question question = question_about("", "");
  question.toleration_plugin = "on";
  question.against = "high";
  const auto found = protections(kube(), *cluster->snapshot, question);
  REQUIRE(found);
  CHECK(std::none_of(found->rows.begin(), found->rows.end(), [](const Protection& row) { return row.node_fails; }));
}

TEST_CASE("kube words: no pod tolerates a class that preempts no pod") {
  const auto cluster = a_cluster(
      {a_class("polite", 900) + "preemptionPolicy: Never\n",
       a_class("low", 5, "{preemption-toleration.scheduling.x-k8s.io/minimum-preemptable-priority: \"1000\"}"),
       a_node("a", "1"), a_pod("ns/a").on("a").priority(5).priority_class("low").yaml()});
  Question question = question_about("", "");
  question.toleration_plugin = "on";
  question.against = "900";
  REQUIRE(protections(kube(), *cluster->snapshot, question)->rows.size() == 1);
  question.against = "polite";
  const auto of_polite = protections(kube(), *cluster->snapshot, question);
  REQUIRE(of_polite);
  CHECK(of_polite->never_preempts == "its preemptionPolicy is Never");
  CHECK(of_polite->rows.empty());
}

TEST_CASE("kube words: answers and protections use the same release") {
  const auto cluster =
      a_cluster({a_class("low", 5), a_node("a", "1"), a_pod("ns/a").priority(5).priority_class("low").yaml()});
  Question question = question_about("ns", "a");
  question.k8s_version = "v1.36.2";
  question.toleration_plugin = "on";
  CHECK(explain(kube(), *cluster->snapshot, question)->behaves == "1.36 + PreemptionToleration");
  CHECK(protections(kube(), *cluster->snapshot, question)->behaves == "1.36 + PreemptionToleration");
  CHECK(possible_preemptors(kube(), *cluster->snapshot, question)->behaves == "1.36 + PreemptionToleration");
  // For an unknown release, the rules of the nearest one apply, and the answer says so.
  question.k8s_version = "1.99";
  const auto newer = explain(kube(), *cluster->snapshot, question);
  REQUIRE(newer);
  CHECK(newer->behaves == "1.37 + PreemptionToleration");
  question.k8s_version = "v1.29.4";
  CHECK(explain(kube(), *cluster->snapshot, question)->behaves == "1.31 + PreemptionToleration");
  question.k8s_version = "latest";
  CHECK_FALSE(protections(kube(), *cluster->snapshot, question).has_value());
}

TEST_CASE("kube words: odd policies cause a warning when the configuration is checked, not in every answer") {
  const auto cluster = a_cluster({a_class("broken", 5, fmt::format("{{{}: \"ten\"}}", kMinimum)), a_node("a", "1"),
                                  a_pod("ns/a").priority(5).priority_class("broken").yaml(),
                                  a_pod("ns/b").priority(5).priority_class("broken").yaml()});
  const Question question = question_about("ns", "a");
  REQUIRE(kube().check_configuration(*cluster->snapshot, question).has_value());
  for (int i = 0; i < 3; ++i) REQUIRE(explain(kube(), *cluster->snapshot, question).has_value());
  std::size_t told = 0;
  for (const Warning& warning : cluster->objects.diagnostics.sorted())
    told += warning.id == "malformed-toleration" ? 1U : 0U;
  CHECK(told == 1);
}

TEST_CASE("kube words: a change without effect names the toleration that ends") {
  const std::string minutes = fmt::format("{{{}: \"1000\", {}: \"600\"}}", kMinimum, kSeconds);
  const auto cluster =
      a_cluster({a_class("minutes", 5, minutes), a_node("a", "2"), a_node("big", "1"),
                 a_pod("ns/x").on("a").priority(5).priority_class("minutes").scheduled("2026-03-02T11:55:00Z").yaml(),
                 a_pod("ns/z").on("a").priority(5).priority_class("minutes").scheduled("2026-03-02T11:55:00Z").yaml(),
                 a_pod("ns/new").priority(900).cpu("3").yaml()});
  const Answer answer = ask_kube(*cluster, "ns/new", "2026-03-02T12:00:00Z", "on");
  CHECK(format_instant(answer.next_change) == "2026-03-02T12:05:00Z");
  CHECK(answer.next_change_words == "the toleration of ns/x and 1 more ends; the decision stays the same");
}

TEST_CASE("kube words: on tied nodes, victims may be terminating on some and not on others") {
  // On a, the victim is terminating already, on b it is not; the criteria are equal.
  const auto cluster = a_cluster(
      {a_node("a", "1"), a_node("b", "1"),
       a_pod("ns/leaving").on("a").priority(10).started("2026-03-02T08:00:00Z").deleting("2026-03-02T12:00:20Z").yaml(),
       a_pod("ns/healthy").on("b").priority(10).started("2026-03-02T08:00:00Z").yaml(),
       a_pod("ns/new").priority(100).yaml()});
  const Answer answer = ask_kube(*cluster, "ns/new");
  CHECK(answer.sentence ==
        "would preempt 1 pod on b, or would use the capacity of 1 pod already terminating on a (equal on all criteria; "
        "the "
        "scheduler picks any)");
  CHECK(possible_victims(answer).size() == 2);
  CHECK(certain_victims(answer).empty());
  CHECK_FALSE(answer.message_varies);  // up to 1.36 the message names no node
  Question question = question_about("ns", "new");
  question.toleration_plugin = "off";
  question.k8s_version = "1.37";
  CHECK(explain(kube(), *cluster->snapshot, question)->message_varies);
  // The lost work is counted over both: ns/healthy, if b is chosen.
  const std::vector<Impact> impacts = impact_of(answer, *cluster->snapshot, question.now);
  REQUIRE(impacts.size() == 1);
  CHECK(impacts[0].name == "healthy");
  CHECK_FALSE(impacts[0].certain);
}
