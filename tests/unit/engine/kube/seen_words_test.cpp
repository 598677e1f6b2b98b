// Messages of schedulers on pods and in events show which preemption plugin runs, and which release.
#include "engine/kube/seen_words.h"

#include "api/scheduler_words.h"
#include "engine/kube/profile.h"
#include "support/cluster.h"
#include "tell/tell.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <string>
#include <vector>

using namespace previct;
using namespace previct::test;

namespace {

const std::string kByDefault =
    "0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption: "
    "0/1 nodes are available: 1 No preemption victims found for incoming pod.";
const std::string kByPlugin =
    "0/1 nodes are available: 1 Insufficient cpu. 0/1 nodes are available: 1 No victims found "
    "on node a for preemptor pod waits.";

// Appends the condition to the status, which is the last part of a pod that has no node.
auto with_message(const std::string& pod, const std::string& message) -> std::string {
  return pod + "  conditions: [{type: PodScheduled, status: \"False\", reason: Unschedulable, message: \"" + message +
         "\"}]\n";
}

auto an_event_of(const std::string& scheduler, const std::string& note) -> std::string {
  return "apiVersion: v1\nkind: Event\nmetadata: {namespace: ns, name: e1}\ninvolvedObject: {kind: Pod, namespace: ns, "
         "name: gone}\nreason: FailedScheduling\nreportingComponent: " +
         scheduler + "\nmessage: \"" + note + "\"\n";
}

auto annotated() -> std::string {
  return a_class("low", 5, "{preemption-toleration.scheduling.x-k8s.io/minimum-preemptable-priority: \"1000\"}");
}

struct ToleranceEvidence {
  bool tolerates = false;
  std::vector<GapRule> rules;
};
auto tolerance_evidence(const std::vector<std::string>& documents, const std::string& scheduler = "default-scheduler")
    -> ToleranceEvidence {
  const auto cluster = a_cluster(documents);
  const auto profile = kube::profile_for(*cluster->snapshot, scheduler, Question{});
  REQUIRE(profile);
  REQUIRE(*profile);
  ToleranceEvidence out{(*profile)->tolerates(), {}};
  for (const Gap& gap : (*profile)->gaps) out.rules.push_back(gap.rule);
  return out;
}

auto has(const ToleranceEvidence& tolerance_evidence, GapRule rule) -> bool {
  return std::find(tolerance_evidence.rules.begin(), tolerance_evidence.rules.end(), rule) !=
         tolerance_evidence.rules.end();
}

}  // namespace

TEST_CASE("scheduler messages: those of a preemption plugin count before annotations of classes", "[kube][release]") {
  const std::string node = a_node("a", "1");
  const std::string waits = a_pod("ns/waits").priority(9).yaml();
  CHECK(has(tolerance_evidence({annotated(), node, waits}), GapRule::tolerates_by_annotations));
  // Either of the two annotations is enough.
  const std::string seconds =
      a_class("low", 5, "{preemption-toleration.scheduling.x-k8s.io/toleration-seconds: \"60\"}");
  CHECK(has(tolerance_evidence({seconds, node, waits}), GapRule::tolerates_by_annotations));

  const ToleranceEvidence by_default = tolerance_evidence({annotated(), node, with_message(waits, kByDefault)});
  CHECK_FALSE(by_default.tolerates);
  CHECK(has(by_default, GapRule::tolerates_not_by_words));

  const ToleranceEvidence by_plugin = tolerance_evidence({annotated(), node, with_message(waits, kByPlugin)});
  CHECK(by_plugin.tolerates);
  CHECK(has(by_plugin, GapRule::tolerates_by_words));
  // This holds without an annotated class, too: the message is not one of DefaultPreemption.
  CHECK(tolerance_evidence({a_class("low", 5), node, with_message(waits, kByPlugin)}).tolerates);

  // Both plugins ran at some time, and the input does not show which one runs now.
  const std::string other = a_pod("ns/other").priority(9).yaml();
  const ToleranceEvidence both =
      tolerance_evidence({annotated(), node, with_message(waits, kByDefault), with_message(other, kByPlugin)});
  CHECK(both.tolerates);
  CHECK(has(both, GapRule::tolerates_by_annotations));

  // An event counts like a condition; a message of another scheduler is no evidence for this one.
  CHECK_FALSE(tolerance_evidence({annotated(), node, waits, an_event_of("default-scheduler", kByDefault)}).tolerates);
  CHECK(tolerance_evidence({annotated(), node, waits, an_event_of("another", kByDefault)}).tolerates);
  CHECK_FALSE(tolerance_evidence({annotated(), node, waits, an_event_of("another", kByDefault)}, "another").tolerates);
  // Old releases of DefaultPreemption had the message of the plugin after their own prefix.
  const std::string old =
      "0/1 nodes are available: 1 Insufficient cpu. preemption: 0/1 nodes are available: 1 No "
      "victims found on node a for preemptor pod waits.";
  CHECK_FALSE(tolerance_evidence({annotated(), node, with_message(waits, old)}).tolerates);
}

TEST_CASE("scheduler messages: a configuration and a flag count before them", "[kube][release]") {
  const auto cluster =
      a_cluster({annotated(), a_node("a", "1"), with_message(a_pod("ns/waits").priority(9).yaml(), kByDefault)});
  Question question;
  question.k8s_version = "1.35";
  question.toleration_plugin = "on";
  const auto on = kube::profile_for(*cluster->snapshot, "default-scheduler", question);
  REQUIRE(on);
  CHECK((*on)->tolerates());
  CHECK((*on)->gaps.empty());
  question.toleration_plugin = "auto";
  question.scheduler_config =
      ConfigFile{FileId{},
                 "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nprofiles:\n- plugins: "
                 "{postFilter: "
                 "{enabled: [{name: PreemptionToleration}], disabled: [{name: DefaultPreemption}]}}\n"};
  const auto configured = kube::profile_for(*cluster->snapshot, "default-scheduler", question);
  REQUIRE(configured);
  CHECK((*configured)->tolerates());
  REQUIRE((*configured)->gaps.size() == 1);
  CHECK((*configured)->gaps[0].rule == GapRule::words_of_other_plugin);
}

TEST_CASE("PreemptionToleration: no build exists for 1.36 and newer, and it keeps its own count of budgets", "[kube]") {
  // p1 and p2 fill n1. p1 violates budget a, and is covered by b, which allows one disruption; p2 is covered by b. Up
  // to 1.36 p1 is charged to b, too, so p2 violates it; since 1.37 DefaultPreemption charges p1 to one of its budgets
  // in no fixed order. The plugin counts as before.
  const auto budget = [](const std::string& name, const std::string& key, int allowed) {
    return "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {namespace: ns, name: " + name +
           "}\nspec: {selector: {matchExpressions: [{key: " + key +
           ", operator: Exists}]}}\nstatus: {disruptionsAllowed: " + std::to_string(allowed) + "}\n";
  };
  const auto cluster = a_cluster({a_class("low", 10), a_node("n1", "4"), budget("a", "in-a", 0), budget("b", "in-b", 1),
                                  a_pod("ns/p1")
                                      .on("n1")
                                      .cpu("2")
                                      .priority(10)
                                      .priority_class("low")
                                      .labels("{in-a: t1, in-b: t1}")
                                      .started("2026-03-02T08:00:00Z")
                                      .yaml(),
                                  a_pod("ns/p2")
                                      .on("n1")
                                      .cpu("2")
                                      .priority(10)
                                      .priority_class("low")
                                      .labels("{in-b: t1}")
                                      .started("2026-03-02T09:00:00Z")
                                      .yaml(),
                                  a_pod("ns/want").cpu("4").priority(100).yaml()});
  const auto violations = [&](const std::string& version, std::string_view plugin) {
    Question question;
    question.ns = "ns";
    question.name = "want";
    question.now = parse_instant("2026-03-02T12:00:00Z").value();
    question.k8s_version = version;
    question.toleration_plugin = plugin;
    const auto found =
        std::find_if(engines().begin(), engines().end(), [](const Engine* e) { return e->name() == "kube"; });
    const auto answer = explain(**found, *cluster->snapshot, question);
    REQUIRE(answer);
    const bool incomplete = std::any_of(answer->gaps.begin(), answer->gaps.end(), [](const Gap& gap) {
      return gap.rule == GapRule::toleration_not_released && may_change_answer(gap);
    });
    CHECK(incomplete == (plugin == "on" && version > "1.35"));
    return answer->pdb_violations;
  };
  CHECK(violations("1.35", "on") == 2);
  CHECK(violations("1.36", "on") == 2);
  CHECK(violations("1.37", "on") == 2);
  CHECK(violations("1.35", "off") == 2);
}

TEST_CASE("PreemptionToleration: if no release is known, one that it builds with is assumed", "[kube]") {
  const auto cluster = a_cluster({annotated(), a_node("a", "1"), a_pod("ns/waits").priority(9).yaml()});
  Question question;
  question.ns = "ns";
  question.name = "waits";
  question.now = parse_instant("2026-03-02T12:00:00Z").value();
  const auto found =
      std::find_if(engines().begin(), engines().end(), [](const Engine* e) { return e->name() == "kube"; });
  const auto behaves = [&](std::string_view plugin) {
    question.toleration_plugin = plugin;
    return explain(**found, *cluster->snapshot, question)->behaves;
  };
  CHECK(behaves("auto") == "1.35 + PreemptionToleration (assumed)");
  CHECK(behaves("off") == "1.36 + DefaultPreemption (assumed)");
}

TEST_CASE("scheduler messages: what anonymizing leaves is the same evidence and names nothing", "[kube][release]") {
  const std::string part = release_words_of(
      "0/3 nodes are available: 1 node(s) had untolerated taint {team: secret}. preemption: 0/3 nodes are available: 3 "
      "No preemption victims found for incoming pod.");
  CHECK(
      part ==
      "0/0 nodes are available: had untolerated taint {;  preemption: ; No preemption victims found for incoming pod");
  CHECK(is_release_words(part));
  CHECK(release_words_of(part) == part);
  CHECK(release_words_of("0/3 nodes are available: 3 Insufficient cpu.").empty());
}
