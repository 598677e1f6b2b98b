#include "engine/verdict.h"

#include <algorithm>
#include <set>

namespace previct {

auto outcome_name(Outcome outcome) -> std::string_view {
  switch (outcome) {
    case Outcome::fits: return "fits";
    case Outcome::preempts: return "preempts";
    case Outcome::pending: return "pending";
    case Outcome::not_eligible: return "not-eligible";
    case Outcome::waits: return "waits";
    case Outcome::gated: return "gated";
    case Outcome::deleting: return "deleting";
    case Outcome::scheduled: return "scheduled";
    case Outcome::error: return "error";
    case Outcome::unknown: return "unknown";
  }
  return "error";
}

void conclude(Verdict& verdict) {
  const bool settled = verdict.outcome == Outcome::scheduled || verdict.outcome == Outcome::deleting ||
                       verdict.outcome == Outcome::gated || verdict.outcome == Outcome::unknown;
  if (settled || deciding_gap(verdict.gaps) == nullptr) return;
  if (verdict.assumed.empty()) verdict.assumed.push_back({{}, verdict.outcome, verdict.node, verdict.account});
  verdict.outcome = Outcome::unknown;
  verdict.node.clear();
  verdict.tied.clear();
  for (Victim& victim : verdict.victims) victim.certain = false;
}

auto certain_victims(const Verdict& verdict) -> std::vector<PodId> {
  std::vector<PodId> pods;
  for (const Victim& victim : verdict.victims) {
    if (victim.certain) pods.push_back(victim.pod);
  }
  return pods;
}

auto possible_victims(const Verdict& verdict) -> std::vector<PodId> {
  std::vector<PodId> pods;
  std::set<PodId> known;
  std::set<EqualPods> equal;
  const auto add = [&](PodId pod) {
    if (known.insert(pod).second) pods.push_back(pod);
  };
  const auto add_all = [&](const std::vector<Victim>& victims) {
    for (const Victim& victim : victims) {
      add(victim.pod);
      if (victim.one_of && equal.insert(victim.one_of).second)
        std::for_each(victim.one_of->begin(), victim.one_of->end(), add);
    }
  };
  add_all(verdict.victims);
  if (verdict.orders) {
    for (const Orders::OnNode& each : verdict.orders->nodes) std::for_each(each.ever.begin(), each.ever.end(), add);
  }
  if (verdict.odds) {
    for (const PossibleNode& each : verdict.odds->nodes) add_all(each.victims);
  }
  return pods;
}

auto replaceable_victims(const Verdict& verdict, const std::vector<PodId>& of_end) -> ReplaceableVictims {
  ReplaceableVictims open{.taken = {}, .out_of = {}, .equal = false};
  for (const Victim& victim : verdict.victims) {
    if (victim.certain) continue;
    open.out_of.push_back(victim.pod);
    if (std::find(of_end.begin(), of_end.end(), victim.pod) != of_end.end()) open.taken.push_back(victim.pod);
  }
  if (open.taken.empty()) open.out_of.clear();
  return open;
}

auto victims_of_one_end(const Verdict& verdict) -> std::vector<PodId> {
  if (!verdict.ends.empty()) return verdict.ends.front();
  std::vector<PodId> pods;
  for (const Victim& victim : verdict.victims) pods.push_back(victim.pod);
  return pods;
}

auto most_victims(const Verdict& verdict) -> std::size_t {
  std::size_t most = verdict.ends.empty() ? verdict.victims.size() : 0;
  for (const std::vector<PodId>& end : verdict.ends) most = std::max(most, end.size());
  return most;
}

auto is_schedulable(const Verdict& verdict) -> bool {
  return verdict.outcome == Outcome::fits || (verdict.outcome == Outcome::preempts && !verdict.in_vain);
}

}  // namespace previct
