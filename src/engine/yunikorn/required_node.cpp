#include "engine/yunikorn/required_node.h"

#include "base/contains.h"
#include "engine/yunikorn/go_sort.h"
#include "engine/yunikorn/orders.h"
#include "engine/yunikorn/victim_sets.h"

#include <algorithm>
#include <set>

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

/// Returns the victims that are not needed: the first ones are dropped first, because they were only collected on the
/// way to those that matter.
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

/// Returns true if some candidates differ only in size and neither is larger than the other.
auto some_incomparable(const std::vector<Allocation>& candidates) -> bool {
  for (auto a = candidates.begin(); a != candidates.end(); ++a) {
    for (auto b = a + 1; b != candidates.end() && b->created == a->created; ++b) {
      if (class_of(*a) != class_of(*b) || a->priority != b->priority || equal(a->size, b->size)) continue;
      if (!positive(a->size - b->size) && !positive(b->size - a->size)) return true;
    }
  }
  return false;
}

/// Adds the results of some random orders. Go sorts blocks of 20 and merges them by bisection. If sizes cannot be
/// compared, a larger pod may then be placed before a smaller one, which `possible_victims` does not consider.
void add_drawn_orders(const Allocation& ask, const Resources& available, const std::vector<Allocation>& candidates,
                      VictimSets& possible) {
  constexpr std::size_t kBlock = 20;
  if (candidates.size() <= kBlock || !some_incomparable(candidates)) return;
  possible.complete = false;
  const auto key = [](std::vector<PodId> pods) {
    std::sort(pods.begin(), pods.end());
    return pods;
  };
  std::set<std::vector<PodId>> seen;
  for (const std::vector<PodId>& set : possible.sets) seen.insert(key(set));
  std::vector<const Allocation*> order;
  for (const Allocation& pod : candidates) order.push_back(&pod);
  const std::size_t draws = std::clamp<std::size_t>(20'000 / candidates.size(), 50, 1'000);
  for (std::size_t draw = 1; draw <= draws; ++draw) {
    Random random(draw);
    random.shuffle(order);
    std::vector<const Allocation*> sorted = order;
    go_stable_sort(sorted, [](const Allocation* a, const Allocation* b) { return goes_before(*a, *b); });
    Resources freed;
    std::vector<PodId> victims;
    for (const Allocation* pod : sorted) {
      if (at_least(freed, ask.size)) break;
      freed += pod->size;
      victims.push_back(pod->pod);
    }
    if (!at_least(freed + available, ask.size)) victims.clear();
    if (seen.insert(key(victims)).second) possible.sets.push_back(std::move(victims));
  }
  std::vector<PodId> always;
  std::vector<PodId> sometimes;
  for (const Allocation& pod : candidates) {
    const auto takes = [&](const std::vector<PodId>& set) { return contains(set, pod.pod); };
    const bool all = std::all_of(possible.sets.begin(), possible.sets.end(), takes);
    const bool some = contains(possible.always, pod.pod) || contains(possible.sometimes, pod.pod) ||
                      std::any_of(possible.sets.begin(), possible.sets.end(), takes);
    const bool before = contains(possible.sometimes, pod.pod);
    if (some) (all && !before ? always : sometimes).push_back(pod.pod);
  }
  possible.always = std::move(always);
  possible.sometimes = std::move(sometimes);
}

}  // namespace

auto goes_before(const Allocation& a, const Allocation& b) -> bool {
  if (class_of(a) != class_of(b)) return class_of(a) < class_of(b);
  if (a.priority != b.priority) return a.priority < b.priority;
  if (a.created != b.created) return a.created > b.created;
  return !positive(a.size - b.size);
}

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

auto attempt_required_node(const Allocation& ask, const NodeUsage& room, const std::vector<Allocation>& pods)
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
  add_drawn_orders(ask, available, attempt.candidates, attempt.possible);
  return attempt;
}

}  // namespace previct::yunikorn
