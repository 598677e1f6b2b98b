#include "base/contains.h"
#include "engine/yunikorn/account.h"

#include <algorithm>

namespace previct::yunikorn {
namespace {

auto name_of(const Snapshot& cluster, NodeId node) -> std::string {
  return std::string(cluster.name(node));
}

auto victim_rule(VictimClass cls) -> Rule {
  switch (cls) {
    case VictimClass::regular: return Rule::victim_regular;
    case VictimClass::opted_out: return Rule::victim_opted_out;
    case VictimClass::originator: return Rule::victim_originator;
  }
  return Rule::victim_regular;
}

void add_spared(PodId pod, Rule rule, Verdict& verdict) {
  verdict.tolerating.push_back({pod, rule_id(rule)});
}

// Sorts by name, because the order of the input must not matter.
void sort_spared(const Snapshot& cluster, Verdict& verdict) {
  std::stable_sort(verdict.tolerating.begin(), verdict.tolerating.end(),
                   [&](const Tolerating& a, const Tolerating& b) { return cluster.key(a.pod) < cluster.key(b.pod); });
}

// For a required node: adds the possible victims, and the pods that are spared because others suffice.
void add_required_victims(const RequiredNodeAttempt& attempt, Verdict& verdict) {
  const bool open = attempt.possible.open();
  if (open) verdict.ends.push_back(attempt.victims);
  for (const Allocation& pod : attempt.candidates) {
    const bool always = contains(attempt.possible.always, pod.pod);
    const bool possible =
        open ? always || contains(attempt.possible.sometimes, pod.pod) : contains(attempt.victims, pod.pod);
    if (possible) {
      verdict.victims.push_back({pod.pod, rule_id(victim_rule(class_of(pod))), !open || always});
    } else if (class_of(pod) == VictimClass::opted_out) {
      add_spared(pod.pod, Rule::spared_opted_out, verdict);
    } else if (class_of(pod) == VictimClass::originator) {
      add_spared(pod.pod, Rule::spared_originator, verdict);
    }
  }
}

void add_queue_victims(const QueueAttempt& attempt, Verdict& verdict) {
  std::vector<PodId> seen;
  for (const QueueSolution& end : attempt.solutions) {
    for (const PodId pod : end.victims) {
      if (contains(seen, pod)) continue;
      seen.push_back(pod);
      const bool certain = std::all_of(attempt.solutions.begin(), attempt.solutions.end(),
                                       [&](const QueueSolution& other) { return contains(other.victims, pod); });
      const Rule rule = contains(end.extra, pod) ? Rule::victim_extra : Rule::victim_of_queue;
      verdict.victims.push_back({pod, rule_id(rule), certain});
    }
    if (attempt.solutions.size() > 1 && !end.victims.empty()) verdict.ends.push_back(end.victims);
  }
}

/// Returns true if pods are evicted and the pod still does not fit, in the result that the verdict describes.
auto in_vain(const QueueAttempt& attempt) -> bool {
  const auto first = std::find_if(attempt.solutions.begin(), attempt.solutions.end(),
                                  [](const QueueSolution& end) { return end.rule == Rule::queue_preempts; });
  return first != attempt.solutions.end() && !first->fits_then;
}

auto outcome_of(const ReleaseDecision& decision) -> Outcome {
  switch (decision.outcome) {
    case ReleaseOutcome::allocated: return Outcome::fits;
    case ReleaseOutcome::preempted:
    case ReleaseOutcome::varies: return Outcome::preempts;
    case ReleaseOutcome::foreign: return Outcome::not_eligible;
    case ReleaseOutcome::reserved:
    case ReleaseOutcome::pending: break;
  }
  const bool may_not = decision.rule == Rule::never_preempts || decision.rule == Rule::delay_runs ||
                       decision.rule == Rule::triggered_before || decision.rule == Rule::queue_triggered_before;
  return may_not ? Outcome::not_eligible : Outcome::pending;
}

void add_queue(const QueueAttempt& attempt, Verdict& verdict) {
  if (attempt.solutions.empty()) return;
  add_queue_victims(attempt, verdict);
  verdict.in_vain = in_vain(attempt);
  for (const Fate& fate : attempt.spared) add_spared(fate.pod, fate.rule, verdict);
  for (const QueueSolution& end : attempt.solutions) {
    if (end.rule != Rule::queue_preempts) continue;
    if (!contains(verdict.tied, end.node)) verdict.tied.push_back(end.node);
  }
}

// A victim that is spared when another pod created its application is not certain.
void doubt_for_other_eldest(const FirstPodChoices& open, Verdict& verdict) {
  for (Victim& victim : verdict.victims) {
    victim.certain =
        victim.certain && std::all_of(open.differing.begin(), open.differing.end(),
                                      [&](const OtherFirstPod& other) { return contains(other.victims, victim.pod); });
  }
}

}  // namespace

void conclude_release(const EngineTrace& account, Verdict& verdict) {
  const Snapshot& cluster = account.core->cluster();
  const ReleaseDecision& decision = *account.release;
  verdict.outcome = outcome_of(decision);
  verdict.never_tried = decision.outcome == ReleaseOutcome::foreign || decision.rule == Rule::rejected;
  const bool placed = verdict.outcome == Outcome::fits || verdict.outcome == Outcome::preempts;
  if (placed) {
    verdict.node = name_of(cluster, decision.node);
    verdict.tied = decision.replacement ? decision.replacement->nodes : std::vector<NodeId>{decision.node};
  }
  if (decision.required) {
    if (verdict.outcome == Outcome::preempts) add_required_victims(*decision.required, verdict);
    for (const Fate& fate : decision.required->spared) add_spared(fate.pod, fate.rule, verdict);
    verdict.in_vain = verdict.outcome != Outcome::fits && decision.refused_without_victims.has_value();
  }
  if (decision.queue) add_queue(*decision.queue, verdict);
  NodeId kept = decision.reserved;
  if (decision.queue && verdict.outcome == Outcome::preempts && !verdict.in_vain) kept = decision.node;
  if (kept) verdict.reserves = Reservation{kept, decision.ask.pod, decision.required.has_value()};
  sort_spared(cluster, verdict);
  doubt_for_other_eldest(account.other_first_pods, verdict);
  verdict.next_change = account.next.at;
}

void conclude_design(const EngineTrace& account, Verdict& verdict) {
  const Snapshot& cluster = account.core->cluster();
  const DesignDecision& decision = *account.design;
  verdict.outcome = Outcome::not_eligible;
  verdict.never_tried = decision.rule == Rule::design_not_applicable;
  if (decision.rule == Rule::design_fits) verdict.outcome = Outcome::fits;
  if (decision.rule == Rule::design_preempts) verdict.outcome = Outcome::preempts;
  if (decision.rule == Rule::design_no_selection) verdict.outcome = Outcome::pending;
  if (decision.node && (verdict.outcome == Outcome::fits || verdict.outcome == Outcome::preempts)) {
    verdict.node = name_of(cluster, decision.node);
    verdict.tied = {decision.node};
  }
  for (const DesignCandidate& c : decision.order) {
    if (contains(decision.victims, c.pod)) verdict.victims.push_back({c.pod, rule_id(Rule::victim_design)});
  }
  for (const Fate& fate : decision.spared) add_spared(fate.pod, fate.rule, verdict);
  sort_spared(cluster, verdict);
}

}  // namespace previct::yunikorn
