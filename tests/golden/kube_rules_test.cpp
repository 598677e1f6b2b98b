#include "analysis/subject.h"
#include "api/load.h"
#include "engine/kube/attempt.h"
#include "engine/kube/running_release.h"
#include "golden/cases.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <set>

namespace previct::test {
namespace {

using kube::Decision;
using kube::NodeVerdict;
using kube::Rule;

/// Collects the rules that a decision consists of.
class Reached {
 public:
  void add(const Decision& d) {
    if (d.pre_filter) add(*d.pre_filter);
    if (d.eligibility) rules_.insert(d.eligibility->rule);
    if (d.gate) rules_.insert(d.gate->rule);
    if (d.group && d.group->reason) rules_.insert(d.group->reason->rule);
    for (const kube::PostFilterStep& step : d.steps) {
      if (step.reason) rules_.insert(step.reason->rule);
    }
    if (d.ending == kube::Ending::unschedulable && !d.eligibility) rules_.insert(Rule::no_preemption);
    for (const NodeVerdict& v : d.nodes) {
      add(v.filter);
      add(v.run->status);
      if (v.preemption == NodeVerdict::Preemption::skipped) rules_.insert(Rule::not_helpful);
      if (v.preemption == NodeVerdict::Preemption::not_kept) rules_.insert(Rule::not_kept);
      for (const kube::Fate& fate : v.run->fates) rules_.insert(fate.reason.rule);
    }
    for (const kube::PodTolerance& t : d.tolerances) rules_.insert(t.tolerance.reason.rule);
    if (d.candidates.size() == 1) rules_.insert(Rule::pick_only_one);
    for (const NodeId node : d.candidates) {
      if (d.choice.chosen.empty() || node == d.choice.chosen.front()) continue;
      rules_.insert(kube::deciding_rule(*d.nodes[d.choice.chosen.front()].run, *d.nodes[node].run));
    }
  }
  [[nodiscard]] auto has(Rule rule) const -> bool { return rules_.contains(rule); }

 private:
  void add(const kube::Status& status) {
    for (const kube::Reason& reason : status.reasons) rules_.insert(reason.rule);
  }
  std::set<Rule> rules_;
};

void play(const Case& c, Reached& reached) {
  const Json asked = json_of(c.folder / "case.json");
  Objects objects;
  REQUIRE(load({(c.folder / "dump.yaml").string()}, {}, objects));
  const Question q = question_of(c, asked, objects);
  const Snapshot cluster(objects);
  const Result<Subject> subject = find_subject(cluster, asked.at("pod").get<std::string>(), "default");
  REQUIRE(subject);
  const PodId pod = cluster.find_pod(subject->ns, subject->name);
  const auto profile = kube::profile_for(cluster, scheduler_of(cluster, pod), q);
  if (!profile || !*profile) return;
  const auto running = kube::running_release(cluster, q);
  if (!running) return;
  kube::NodeInfoSnapshot world(cluster, running->release);
  reached.add(kube::attempt(world, kube::Budgets(world), pod, **profile, q.now, {.records_results = true}));
}

// Returns the text of the tests that derive an answer by hand; they name the rule that they reach by its id.
auto hand_worked_tests() -> std::string {
  std::string text;
  for (const auto& entry : std::filesystem::directory_iterator(PREVICT_SOURCE_DIR "/tests/unit/engine/kube")) {
    text += text_of(entry.path());
  }
  return text;
}

// A guard of upstream: restoring all pods also restores the node that did not fit the pod, so that at least one pod
// cannot be restored.
constexpr Rule kNeverReached = Rule::nobody_had_to_go;

}  // namespace

TEST_CASE("kube rules: each one is reached by a case of the real scheduler, or by a test derived by hand", "[golden]") {
  Reached reached;
  for (const std::vector<Case>& cases : {cases_in_fixtures(), cases_beside()}) {
    for (const Case& c : cases) {
      if (c.family() == "cluster" || c.family().starts_with("kube")) play(c, reached);
    }
  }
  const std::string by_hand = hand_worked_tests();
  for (std::size_t i = 0; i < kube::all_rules().size(); ++i) {
    const auto rule = static_cast<Rule>(i);
    const std::string id = fmt::format("\"{}\"", kube::info(rule).id);
    INFO(id);
    CHECK((reached.has(rule) || by_hand.find(id) != std::string::npos || rule == kNeverReached));
  }
}

}  // namespace previct::test
