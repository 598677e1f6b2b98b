#include "api/upstream.h"
#include "cluster/claim_users.h"
#include "cluster/node_order.h"
#include "cluster/taint_eviction.h"
#include "engine/doubts.h"
#include "engine/kube/account.h"
#include "engine/kube/client_limits.h"
#include "engine/kube/devices/findings.h"
#include "engine/kube/devices/rules.h"
#include "engine/kube/equals.h"
#include "engine/kube/next_end.h"
#include "engine/kube/release.h"
#include "engine/kube/tolerance.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>

namespace previct::kube {
namespace {

// Returns the victims of a group: all are evicted, on several nodes.
auto victims_of_group(const GroupDecision& group) -> std::vector<Victim> {
  std::vector<Victim> victims;
  for (const PodId pod : group.victims) {
    const bool violates = std::find(group.violating.begin(), group.violating.end(), pod) != group.violating.end();
    victims.push_back({.pod = pod, .rule = info(violates ? Rule::must_go_violating : Rule::must_go).id});
  }
  return victims;
}

auto name_of(const NodeInfoSnapshot& node_infos, NodeId node) -> std::string {
  return std::string(node_infos.cluster().text(node_infos.name(node)));
}

// Computes the chance of each node if several may be chosen.
void find_odds(EngineTrace& account, bool with_victims) {
  const Choice& choice = account.decision.choice;
  const bool listed = !account.node_infos.release().has(Change::dry_run_in_any_order);
  const Chances found = chances(account.node_infos, account.decision, account.subject, listed);
  if (found.nodes.empty()) return;
  account.order = found.order;
  Odds& odds = account.odds.emplace();
  odds.candidates = account.decision.candidates.size();
  odds.sample = static_cast<std::size_t>(std::max<std::int64_t>(choice.sample, 0));
  std::vector<char> best(account.node_infos.cluster().nodes().size(), 0);
  for (const NodeId node : choice.chosen) best[node.index] = 1;
  for (const Chance& chance : found.nodes) {
    odds.nodes.push_back({.node = chance.node,
                          .likely = chance.likely,
                          .at_least = chance.at_least,
                          .at_most = chance.at_most,
                          .best = best[chance.node.index] != 0,
                          .victims = with_victims ? victims_on(account, chance.node) : std::vector<Victim>(),
                          .pdb_violations = account.decision.nodes[chance.node].run->violations});
  }
}

// Returns the tolerating pods on nodes where preemption was tried; elsewhere their tolerance was not used.
auto tolerating(const Decision& decision) -> std::vector<Tolerating> {
  std::vector<Tolerating> out;
  for (const PodTolerance& t : decision.tolerances) {
    if (t.tolerance.answer != Tolerance::Answer::yes) continue;
    const auto tried = decision.nodes.empty() ? NodeVerdict::Preemption::not_asked : decision.nodes[t.node].preemption;
    if (tried != NodeVerdict::Preemption::none && tried != NodeVerdict::Preemption::candidate) continue;
    out.push_back({t.pod, info(t.tolerance.reason.rule).id, t.tolerance.since, t.tolerance.until});
  }
  std::stable_sort(out.begin(), out.end(), [](const Tolerating& a, const Tolerating& b) { return a.until < b.until; });
  return out;
}

auto preemption_matters(const Decision& decision) -> bool {
  return decision.ending == Ending::preempting || decision.ending == Ending::unschedulable ||
         decision.ending == Ending::preemption_error;
}

void next_change(const EngineTrace& account, const Question& question, Verdict& out) {
  const Decision& decision = account.decision;
  if (const auto end = next_end(account, question.now)) {
    out.next_change = end->at;
    return;
  }
  if (!preemption_matters(decision) || decision.next_change.is_never()) return;
  out.next_change = decision.next_change;
  // The end of a toleration does not requeue a failed pod: it is tried again at the flush of unschedulable pods.
  if (decision.choice.chosen.empty())
    out.acted_on_by = out.next_change.plus_seconds(flush_seconds(account.node_infos.cluster(), question) +
                                                   upstream::kFlushLookedAtEverySeconds);
}

// Finds the victim whose toleration ended last. A pod that was created or refused after that end has been tried since;
// and after the next flush of unschedulable pods, so has every pod.
void unobserved_expiry(const EngineTrace& account, const Question& question, Verdict& out) {
  const Decision& decision = account.decision;
  const Snapshot& cluster = account.node_infos.cluster();
  const bool preempts = decision.ending == Ending::preempting && !decision.choice.chosen.empty();
  if (!preempts || !account.profile || !account.profile->tolerates()) return;
  const Pod& pod = cluster.pod(account.subject);
  const Tolerances tolerances(cluster, pod.spec.priority);
  Moment now(question.now);
  std::optional<UnobservedExpiry> last;
  for (const PodId victim : decision.nodes[decision.choice.chosen.front()].run->victims) {
    const Tolerance tolerance = tolerances.of(victim, now);
    if (!is_ended_tolerance(tolerance.reason.rule) || (last && tolerance.until <= last->at)) continue;
    last = UnobservedExpiry{victim, tolerance.until, Instant{}};
  }
  if (!last) return;
  const Condition* refused = pod.condition(cluster.known().pod_scheduled);
  const Instant waits_since = std::max(pod.meta.created.value_or(Instant{}),
                                       refused == nullptr ? Instant{} : refused->last_transition.value_or(Instant{}));
  if (waits_since > last->at) return;
  last->tried_by = last->at.plus_seconds(flush_seconds(cluster, question) + upstream::kFlushLookedAtEverySeconds);
  if (last->tried_by > question.now) out.unobserved_expiry = last;
}

}  // namespace

auto next_end(const EngineTrace& account, Instant now) -> std::optional<PodEnd> {
  const Decision& decision = account.decision;
  if (!preemption_matters(decision) || decision.nodes.empty()) return {};
  const Snapshot& cluster = account.node_infos.cluster();
  const bool wants_devices = decision.devices != nullptr && !decision.devices->nodes().empty();
  std::optional<PodEnd> first;
  for (const PodEnd& end : cluster.derived<PodEnds>().after(now)) {
    if (end.at >= decision.next_change) break;
    // A pod with claims releases devices, which no preemption does.
    const bool matters = decision.nodes[end.node].filter.code == Code::unschedulable ||
                         (wants_devices && uses_claims(cluster.pod(end.pod), cluster.objects()));
    if (!matters) continue;
    first = end;
    break;
  }
  for (const TaintEviction& each : taint_evictions(cluster, now)) {
    const Instant before = first ? first->at : decision.next_change;
    if (each.since_missing || each.at <= now || each.at >= before) continue;
    if (decision.nodes[each.node].filter.code == Code::unschedulable &&
        !is_unreachable(cluster.node(each.node), cluster))
      first = PodEnd{each.pod, each.node, each.at, PodEnd::By::taint};
  }
  return first;
}

auto awaited_node(const Decision& decision) -> NodeId {
  const std::optional<Reason>& eligibility = decision.eligibility;
  const bool waits = eligibility && eligibility->rule == Rule::victim_terminating;
  return waits ? NodeId{static_cast<std::uint32_t>(eligibility->b)} : NodeId{};
}

auto fate_of(const DryRun& run, PodId victim) -> Reason {
  const auto fate = std::find_if(run.fates.begin(), run.fates.end(), [&](const Fate& f) { return f.pod == victim; });
  return fate == run.fates.end() ? Reason{Rule::must_go} : fate->reason;
}

namespace {

// The number of victims and the chosen node may also depend on that order.
void find_orders(EngineTrace& account, Verdict& out) {
  const NodeInfoSnapshot& node_infos = account.node_infos;
  const Decision& decision = account.decision;
  if (!decision.orders) return;
  Orders orders;
  for (const NodeOrders& node : *decision.orders) {
    Orders::OnNode& found = orders.nodes.emplace_back();
    found.node = name_of(node_infos, node.node);
    found.fewest = SIZE_MAX;
    found.fewest_pdb_violations = INT32_MAX;
    for (const DryRun& run : node.runs) {
      found.fewest = std::min(found.fewest, run.victims.size());
      found.most = std::max(found.most, run.victims.size());
      found.fewest_pdb_violations = std::min(found.fewest_pdb_violations, run.violations);
      found.most_pdb_violations = std::max(found.most_pdb_violations, run.violations);
    }
    for (const PodInfo& pod : node_infos.pods_on(node.node)) {
      if (node.evicted_in_some_order(pod.pod)) found.ever.push_back(pod.pod);
    }
  }
  std::stable_partition(orders.nodes.begin(), orders.nodes.end(),
                        [&](const auto& each) { return each.node == out.node; });
  const std::vector<PodId> known = possible_victims(out);
  const bool told = orders.nodes.size() == 1 && orders.nodes.front().fewest == orders.nodes.front().most &&
                    std::all_of(orders.nodes.front().ever.begin(), orders.nodes.front().ever.end(),
                                [&](PodId pod) { return std::find(known.begin(), known.end(), pod) != known.end(); });
  if (told) return;
  out.orders = account.orders = std::move(orders);
  // The chances are based on the order of the input.
  if (!out.odds) return;
  for (PossibleNode& each : out.odds->nodes) {
    each.at_least = 0;
    each.at_most = 1;
  }
}

}  // namespace

auto victims_on(const EngineTrace& account, NodeId node) -> std::vector<Victim> {
  const Decision& decision = account.decision;
  const DryRun& run = *decision.nodes[node].run;
  const EqualPodGroups equals(decision, account.node_infos, node,
                              account.node_infos.cluster().pod(account.subject).spec.priority);
  const NodeOrders* orders = decision.orders_on(node);
  const bool one_node = decision.choice.possible.size() == 1 && (orders == nullptr || decision.orders->size() == 1);
  std::map<const std::vector<PodId>*, EqualPods> groups;
  std::vector<Victim> victims;
  for (const PodId pod : run.victims) {
    Victim& victim = victims.emplace_back();
    victim.pod = pod;
    victim.rule = info(fate_of(run, pod).rule).id;
    const bool always = orders == nullptr ? equals.certain(pod) : orders->evicted_in_every_order(pod);
    victim.certain = one_node && always;
    const std::vector<PodId>* group = equals.group_of(pod);
    if (group == nullptr || (orders != nullptr && always)) continue;
    EqualPods& equal = groups[group];
    if (equal == nullptr) {
      std::vector<PodId> going;
      std::copy_if(group->begin(), group->end(), std::back_inserter(going),
                   [&](PodId other) { return orders == nullptr || orders->evicted_in_some_order(other); });
      equal = std::make_shared<const std::vector<PodId>>(std::move(going));
    }
    victim.one_of = equal;
  }
  return victims;
}

auto outcome_of(const Decision& decision) -> Outcome {
  switch (decision.ending) {
    case Ending::assigned: return Outcome::scheduled;
    case Ending::deleting: return Outcome::deleting;
    case Ending::gated: return Outcome::gated;
    case Ending::no_nodes: return Outcome::pending;
    case Ending::scheduled: return Outcome::fits;
    case Ending::preempting: return Outcome::preempts;
    case Ending::unschedulable:
      if (!decision.eligibility || decision.eligible()) return Outcome::pending;
      return decision.eligibility->rule == Rule::victim_terminating ? Outcome::waits : Outcome::not_eligible;
    case Ending::preemption_error:
    case Ending::error: return Outcome::error;
  }
  return Outcome::error;
}

auto decisive_nodes(const EngineTrace& account) -> std::optional<std::vector<Symbol>> {
  if (!account.profile || account.decision.pre_filter) return std::vector<Symbol>{};
  return account.decision.pre_filter_nodes;
}

namespace {

auto sorted_by_name(const NodeInfoSnapshot& node_infos, std::vector<NodeId> nodes) -> std::vector<NodeId> {
  // The order of all nodes costs more than the answer to one of many small questions.
  if (nodes.size() > 1) node_infos.cluster().derived<NodeOrder>().sort(nodes);
  return nodes;
}

// Sets the node of a pod that fits, as far as it is known.
void place(EngineTrace& account, Verdict& out) {
  const auto& selection = account.decision.selection;
  if (!selection) return;
  const NodeInfoSnapshot& node_infos = account.node_infos;
  const bool unknown = std::any_of(out.gaps.begin(), out.gaps.end(), [](const Gap& gap) { return gap.decides_node; });
  // A score that is not modeled may prefer any node.
  const bool any_node = std::any_of(out.gaps.begin(), out.gaps.end(), [](const Gap& gap) {
    return gap.decides_node && gap.rule == GapRule::scores_unmodelled;
  });
  const std::vector<NodeId>& possible = any_node  ? account.decision.feasible
                                        : unknown ? selection->possible
                                                  : selection->best;
  if (unknown) {
    std::copy_if(out.gaps.begin(), out.gaps.end(), std::back_inserter(account.open_node),
                 [](const Gap& gap) { return gap.decides_node; });
  }
  out.tied = sorted_by_name(node_infos, possible);
  if (unknown) return;
  out.node = name_of(node_infos, selection->first);
  if (possible.size() < 2) return;
  const bool drawn = node_infos.release().has(Change::ties_are_drawn);
  const bool sampled = selection->leaves_out_some();
  if (!sampled && (!drawn || selection->by == SelectedBy::no_score_plugins)) return;
  Odds& odds = out.odds.emplace();
  odds.candidates = account.decision.feasible.size();
  odds.sample = sampled ? selection->sample_size : odds.candidates;
  for (std::size_t i = 0; i < possible.size(); ++i) {
    PossibleNode& each = odds.nodes.emplace_back();
    each.node = possible[i];
    each.likely = sampled ? selection->shares[i] : 1 / static_cast<double>(possible.size());
    each.best = !sampled;
    if (sampled) continue;
    each.at_least = each.at_most = each.likely;
  }
  std::stable_sort(odds.nodes.begin(), odds.nodes.end(),
                   [](const PossibleNode& a, const PossibleNode& b) { return a.likely > b.likely; });
  account.odds = odds;
}

}  // namespace

auto verdict_of(const std::shared_ptr<EngineTrace>& account, const Question& question) -> Verdict {
  const Decision& decision = account->decision;
  const NodeInfoSnapshot& node_infos = account->node_infos;
  Verdict out;
  out.engine = "kube";
  out.subject = account->subject;
  out.subject_name = node_infos.cluster().key(account->subject);
  account->found = outcome_of(decision);
  out.outcome = account->found;
  out.feasible = decision.feasible;
  out.tied = sorted_by_name(node_infos, decision.choice.possible);
  if (!decision.choice.chosen.empty()) {
    out.node = name_of(node_infos, decision.choice.chosen.front());
    out.victims = victims_on(*account, decision.choice.chosen.front());
    out.pdb_violations = decision.nodes[decision.choice.chosen.front()].run->violations;
  }
  if (decision.as_group()) {
    out.victims = victims_of_group(*decision.group);
    out.pdb_violations = static_cast<std::int32_t>(decision.group->violating.size());
  }
  if (const NodeId awaited = awaited_node(decision); awaited && out.outcome == Outcome::waits)
    out.node = name_of(node_infos, awaited);
  if (decision.choice.possible.size() > 1) find_odds(*account, question.possible_victims);
  out.odds = account->odds;
  find_orders(*account, out);
  out.tolerating = tolerating(decision);
  next_change(*account, question, out);
  unobserved_expiry(*account, question, out);
  out.gaps = gaps(*account, question);
  if (!question.brief && node_infos.release().has(Change::device_taints))
    add_device_taint_gap(node_infos.cluster(), devices::taint_rules_of_eviction(node_infos.release()), question.now,
                         out);
  place(*account, out);
  out.account = account;
  return out;
}

}  // namespace previct::kube
