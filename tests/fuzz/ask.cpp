#include "fuzz/ask.h"

#include "analysis/explanation.h"
#include "fuzz/fuzz.h"
#include "report/format.h"
#include "support/input.h"
#include "tell/tell.h"

#include <algorithm>

namespace previct::fuzz {
namespace {

auto victims_of(const Verdict& verdict) -> std::vector<PodId> {
  std::vector<PodId> victims;
  for (const Victim& victim : verdict.victims) victims.push_back(victim.pod);
  return victims;
}

void insist_on_verdict(const Verdict& verdict, const Snapshot& cluster) {
  insist(verdict.internal_error.empty(), verdict.internal_error);
  insist(verdict.outcome != Outcome::preempts || !verdict.victims.empty(), "preempts nobody");
  insist(verdict.outcome != Outcome::fits || verdict.victims.empty(), "fits, and evicts");
  auto victims = victims_of(verdict);
  for (const PodId victim : victims) {
    insist(victim != verdict.subject, "evicts itself");
    insist(!cluster.finished(victim), "evicts a pod that has ended");
  }
  std::sort(victims.begin(), victims.end());
  insist(std::adjacent_find(victims.begin(), victims.end()) == victims.end(), "evicts a pod twice");
  if (verdict.odds) {
    for (const PossibleNode& node : verdict.odds->nodes) {
      insist(node.at_least <= node.at_most && node.at_least >= 0 && node.at_most <= 1 + 1e-9, "no chance");
    }
  }
}

}  // namespace

auto cluster_of(std::string_view text) -> std::unique_ptr<Cluster> {
  auto cluster = std::make_unique<Cluster>();
  for (const char* const name : {"cluster", "configuration"}) cluster->objects.files.add(name);
  if (!test::read_text(text, cluster->objects)) return nullptr;
  cluster->snapshot = std::make_unique<Snapshot>(cluster->objects);
  return cluster;
}

auto a_small_cluster() -> std::unique_ptr<Cluster> {
  constexpr std::string_view kText = R"(
{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "a"}, "status": {"allocatable": {"cpu": "2", "pods": "9"}}}
{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "one", "namespace": "default"}, "spec": {"nodeName": "a",
 "priority": 1, "schedulerName": "yunikorn", "containers": [{"name": "c", "resources": {"requests": {"cpu": "1"}}}]}}
{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "two", "namespace": "default"}, "spec": {"nodeName": "a",
 "priority": 2, "schedulerName": "yunikorn", "containers": [{"name": "c", "resources": {"requests": {"cpu": "1"}}}]}}
{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "urgent", "namespace": "default"}, "spec": {"priority": 9,
 "containers": [{"name": "c", "resources": {"requests": {"cpu": "1"}}}]}}
)";
  auto cluster = cluster_of(kText);
  insist(cluster != nullptr, "the small cluster cannot be read");
  return cluster;
}

auto engine_named(std::string_view name) -> const Engine& {
  const auto& all = engines();
  return **std::find_if(all.begin(), all.end(), [&](const Engine* engine) { return engine->name() == name; });
}

auto question_about(std::string ns, std::string name) -> Question {
  Question question;
  question.ns = std::move(ns);
  question.name = std::move(name);
  question.now = {1'767'312'300, 0};
  return question;
}

void insist_on_answer(const Engine& engine, const Cluster& cluster, Question question) {
  question.brief = true;
  const auto brief = engine.decide(*cluster.snapshot, question);
  question.brief = false;
  auto full = explain(engine, *cluster.snapshot, question);
  insist(brief.has_value() == full.has_value(), "an answer in brief or in full only");
  if (!full) return insist(!full.error().message.empty(), "a failure without a word");
  insist_on_verdict(*full, *cluster.snapshot);
  insist(brief->outcome == full->outcome && brief->node == full->node, "another decision in brief");
  insist(victims_of(*brief) == victims_of(*full), "other victims in brief");
  const ReportContext context{
      .cluster = *cluster.snapshot, .now = question.now, .now_source = "flag", .input_gaps = {}};
  const Report report = explanation(*full, context);
  for (const Format* format : formats()) {
    if (format->judgements && !report.findings && !report.tests) continue;
    const std::string text = format->render(report, {});
    const auto raw = [](char c) { return static_cast<unsigned char>(c) < 0x20 && c != '\n'; };
    insist(std::none_of(text.begin(), text.end(), raw), "a control character is said as it is");
  }
}

}  // namespace previct::fuzz
