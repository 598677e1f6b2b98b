#include "engine/yunikorn/required_node.h"

#include "engine/yunikorn/go_sort.h"
#include "engine/yunikorn/victim_sets.h"

#include <algorithm>

namespace previct::yunikorn {
namespace {

void count(Rule rule, RequiredNodeCounts& counts) {
  ++counts.total;
  if (rule == Rule::spared_required_node) ++counts.required_node;
  if (rule == Rule::spared_higher_priority) ++counts.higher_priority;
  if (rule == Rule::spared_already_preempted) ++counts.already_preempted;
  if (rule == Rule::spared_no_common_type) ++counts.no_resource_match;
  if (rule == Rule::spared_released) ++counts.released;
}

/// The scheduler's own order. Sizes that are equal or not comparable are "before" both ways.
auto goes_before(const Allocation& a, const Allocation& b) -> bool {
  if (class_of(a) != class_of(b)) return class_of(a) < class_of(b);
  if (a.priority != b.priority) return a.priority < b.priority;
  if (a.created != b.created) return a.created > b.created;
  return !positive(a.size - b.size);
}

/// The victims without which the rest still suffices: the first ones are let off first, as they were taken on
/// the way to those that matter.
auto collateral(const Allocation& ask, const Resources& available, const std::vector<Allocation>& victims)
    -> std::vector<PodId> {
  Resources room = available;
  for (const Allocation& victim : victims) room += victim.size;
  std::vector<PodId> result;
  for (const Allocation& victim : victims) {
    const Resources without = room - victim.size;
    if (!at_least(without, ask.size)) continue;
    room = without;
    result.push_back(victim.pod);
  }
  return result;
}

}  // namespace

auto fate_on_required_node(const Allocation& ask, const Allocation& pod) -> Rule {
  if (pod.required_node) return Rule::spared_required_node;
  if (pod.priority > ask.priority) return Rule::spared_higher_priority;
  if (pod.preempted) return Rule::spared_already_preempted;
  if (!share_a_type(ask.size, pod.size)) return Rule::spared_no_common_type;
  return pod.released ? Rule::spared_released : Rule::candidate;
}

auto class_of(const Allocation& pod) -> VictimClass {
  if (pod.originator) return VictimClass::originator;
  return pod.opted_out ? VictimClass::opted_out : VictimClass::regular;
}

auto attempt_required_node(const Allocation& ask, const NodeRoom& room, const std::vector<Allocation>& pods)
    -> RequiredNodeAttempt {
  RequiredNodeAttempt attempt;
  for (const Allocation& pod : pods) {
    const Rule rule = fate_on_required_node(ask, pod);
    count(rule, attempt.counts);
    if (rule == Rule::candidate) {
      attempt.candidates.push_back(pod);
    } else {
      attempt.spared.push_back({pod.pod, rule});
    }
  }
  go_stable_sort(attempt.candidates, goes_before);

  const Resources available = room.available();
  std::size_t taken = 0;
  while (taken < attempt.candidates.size() && !at_least(attempt.freed, ask.size)) {
    attempt.freed += attempt.candidates[taken++].size;
  }
  if (taken > 0 && at_least(attempt.freed + available, ask.size)) {
    const std::vector<Allocation> victims(attempt.candidates.begin(),
                                          attempt.candidates.begin() + static_cast<std::ptrdiff_t>(taken));
    for (const Allocation& victim : victims) attempt.victims.push_back(victim.pod);
    attempt.collateral = collateral(ask, available, victims);
  }
  attempt.possible = possible_victims(ask, available, attempt.candidates);
  return attempt;
}

}  // namespace previct::yunikorn
