#include "engine/kai/account.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct::kai {
namespace {

auto victim_rule(Action action) -> std::string_view {
  switch (action) {
    case Action::reclaim: return rule_id(Rule::victim_reclaim);
    case Action::preempt: return rule_id(Rule::victim_preempt);
    case Action::consolidation: return rule_id(Rule::victim_consolidation);
    case Action::stalegangeviction: return rule_id(Rule::victim_stale_gang);
    case Action::allocate: break;
  }
  return rule_id(Rule::victim_allocate);
}

auto victims_of(const Explained& e, const Fate& fate) -> std::vector<Victim> {
  std::vector<Victim> victims;
  for (const Eviction& each : fate.evictions)
    victims.push_back({e.cluster_info().task(each.task).pod, victim_rule(each.action)});
  return victims;
}

auto pods_of(const std::vector<Victim>& victims) -> std::vector<PodId> {
  std::vector<PodId> pods;
  for (const Victim& victim : victims) pods.push_back(victim.pod);
  return pods;
}

// Returns the pods of groups that min-runtime protects from the subject, in the current state.
auto tolerating(const Explained& e, const Fate& fate) -> std::vector<Tolerating> {
  std::vector<Tolerating> pods;
  if (fate.outcome == Outcome::scheduled || !e.group().queue || !e.settings.plugins.min_runtime) return pods;
  const auto standings = standings_of(e);
  for (const auto& [id, standing] : *standings) {
    if (standing.rule != Rule::min_runtime && standing.rule != Rule::candidate_elastic) continue;
    const Group& group = e.cluster_info().group(id);
    for (std::uint32_t i = 0; i < group.sets; ++i) {
      for (const TaskId task : e.cluster_info().tasks_of(group.set(i))) {
        if (!kActiveAllocated.has(e.cluster_info().task(task).status)) continue;
        const auto is_victim = [&](const Eviction& v) { return v.task == task; };
        if (std::any_of(fate.evictions.begin(), fate.evictions.end(), is_victim)) continue;
        pods.push_back(
            {e.cluster_info().task(task).pod, rule_id(standing.rule), *group.last_start, *standing.shield.until});
      }
    }
  }
  return pods;
}

auto name_of(const Explained& e, const PodGroup* backing_off) -> std::string {
  if (e.subject.pod) return e.cluster.key(e.subject.pod);
  if (backing_off == nullptr) return fmt::format("podgroup/{}", e.cluster_info().key(e.subject.group));
  return fmt::format("podgroup/{}/{}", e.cluster.text(backing_off->meta.ns), e.cluster.text(backing_off->meta.name));
}

// Returns true if the scheduler's decisions affect the outcome.
auto unsettled(Outcome outcome) -> bool {
  return outcome != Outcome::scheduled && outcome != Outcome::gated && outcome != Outcome::deleting;
}

// How pods are evicted was only compared for some releases. A group that is placed in a cycle without any eviction is
// placed by all releases.
void doubt_of_release(const std::shared_ptr<EngineTrace>& account, const Explained& e, Verdict& verdict) {
  const Release& release = e.settings.running.release;
  if (release.whole()) return;
  const bool placed = verdict.outcome == Outcome::fits || verdict.outcome == Outcome::scheduled;
  const bool matters = !placed || !e.decision.cycle.evictions().empty();
  const bool own = release.modeled();
  const std::string as = release_name(release.evicts_as()) + (own ? ", read from its source code alone" : "");
  verdict.gaps.push_back({GapRule::kai_release_evicts, {release_name(release.minor()), as}, matters});
  if (matters && verdict.assumed.empty())
    verdict.assumed.push_back({Gap{GapRule::kai_as_release, {as}}, verdict.outcome, verdict.node, account});
}

// Returns the outcome of a group that its schedulingBackoff keeps out of the snapshot.
auto outcome_backing_off(const Explained& e) -> Outcome {
  const bool placed = e.subject.pod && e.cluster.pod(e.subject.pod).spec.node_name;
  return placed ? Outcome::scheduled : Outcome::pending;
}

/// `verdict` assumes that every node can reach the group's volumes. If it is not scheduled even then, it stands;
/// otherwise the location of the volumes decides.
void doubt_for_volumes(const std::shared_ptr<EngineTrace>& account, const Explained& e, Verdict& verdict) {
  if (verdict.outcome != Outcome::fits && verdict.outcome != Outcome::preempts && verdict.outcome != Outcome::waits)
    return;
  const auto unknown = unknown_volumes(e);
  if (!unknown) return;
  verdict.assumed.push_back({unknown->if_reached(), verdict.outcome, verdict.node, account});
  kube::make_decisive(*unknown, verdict.gaps);
}

// Adds the other results that are possible in other map orders, each as a verdict of its own.
void add_other_results(const std::shared_ptr<EngineTrace>& account, const Explained& e, Verdict& verdict) {
  constexpr std::size_t kMostResults = 3;
  if (deciding_gap(verdict.gaps) != nullptr) return;
  const auto others = other_results(account->cycles, e.subject, e.question.brief ? 1 : kMostResults);
  if (others.empty()) {
    if (loss_depends_on_order(account->cycles, e.subject)) verdict.gaps.push_back({GapRule::kai_lost_by_chance});
    return;
  }
  verdict.gaps.push_back({GapRule::kai_chance, {}, true});
  verdict.assumed.push_back({Gap{GapRule::kai_in_one_order}, verdict.outcome, verdict.node, account});
  verdict.ends.push_back(pods_of(verdict.victims));
  for (const std::shared_ptr<EngineTrace>& other : others) {
    const Fate& fate = other->fate;
    verdict.assumed.push_back({Gap{GapRule::kai_in_another_order}, fate.outcome,
                               fate.nodes.size() == 1 ? fate.nodes.front() : std::string(), other});
    const std::vector<Victim> victims = victims_of(e, fate);
    verdict.ends.push_back(pods_of(victims));
    for (const Victim& victim : victims) {
      const auto same = [&](const Victim& known) { return known.pod == victim.pod; };
      if (std::none_of(verdict.victims.begin(), verdict.victims.end(), same)) verdict.victims.push_back(victim);
    }
  }
}

}  // namespace

auto no_cycle(const Explained& e, const Fate& fate) -> NoCycle {
  if (!e.settings.cannot_start.empty()) return NoCycle::refused;
  if (!e.cluster_info().endless_queues().empty()) return NoCycle::endless;
  return e.decision.cycle.crashed_in() && fate.placed == 0 ? NoCycle::crashed : NoCycle::none;
}

auto outcome_of_pod(const Explained& e) -> std::optional<Outcome> {
  if (!e.subject.pod) return {};
  const Pod& pod = e.cluster.pod(e.subject.pod);
  if (pod.meta.deleting) return Outcome::deleting;
  if (pod.spec.node_name) return Outcome::scheduled;
  if (!pod.spec.scheduling_gates.empty()) return Outcome::gated;
  return {};
}

auto verdict_of(const std::shared_ptr<EngineTrace>& account, const Snapshot& cluster, const Question& question)
    -> Verdict {
  const Explained e{cluster, account->settings(), question, account->decision, account->subject};
  Verdict out;
  out.engine = "kai";
  out.subject = e.subject.pod;
  out.subject_name = name_of(e, account->backing_off);
  out.gaps = gaps(e);
  out.account = account;
  out.never_tried = account->backing_off != nullptr || !e.group().queue;
  if (account->backing_off != nullptr) {
    out.outcome = outcome_backing_off(e);
    return out;
  }
  account->fate = fate_of(e.decision, e.subject);
  const Fate& fate = account->fate;
  if (fate.nodes.size() == 1) out.node = fate.nodes.front();
  const TaskId task = e.subject.pod ? task_of(e.cluster_info(), e.subject) : TaskId();
  if (task && fate.outcome == Outcome::scheduled) {
    if (const ShardNodeId on = e.cluster_info().task(task).shard_node)
      out.node = e.cluster_info().shard_nodes()[on].name;
  }
  if (const auto of_pod = outcome_of_pod(e)) {
    out.outcome = *of_pod;
    out.node = cluster.text(cluster.pod(e.subject.pod).spec.node_name);
    return out;
  }
  const bool by_swap = e.subject.pod && fate.placed_of_group > 1 && !question.only_if_schedulable;
  if (!question.brief || by_swap) widen(account->cycles, e.decision, e.subject, account->fate);
  if (e.subject.pod && fate.nodes.size() > 1) {
    for (const std::string& name : fate.nodes) out.tied.push_back(cluster.find_node(cluster.symbol(name)));
  }
  const bool undecided = no_cycle(e, fate) != NoCycle::none && unsettled(fate.outcome);
  out.outcome = undecided ? Outcome::error : fate.outcome;
  out.victims = victims_of(e, fate);
  // A pod that is not scheduled in one order is not certain to be scheduled, whatever other orders give.
  const bool enough =
      question.only_if_schedulable && fate.outcome != Outcome::fits && fate.outcome != Outcome::preempts;
  if (!undecided && unsettled(fate.outcome)) {
    doubt_for_volumes(account, e, out);
    doubt_of_release(account, e, out);
    if (!enough) add_other_results(account, e, out);
  }
  if (question.brief) {
    out.next_change = e.decision.moment.horizon();
    return out;
  }
  out.tolerating = tolerating(e, fate);
  if (!question.next_change && fate.outcome != Outcome::pending) {
    out.next_change = e.decision.moment.horizon();
    return out;
  }
  account->next = next_change(*account->cycles, e);
  out.next_change = account->next.at;
  if (!account->next.left.empty()) out.gaps.push_back({GapRule::whole_grace});
  return out;
}

}  // namespace previct::kai
