#include "engine/kai/fairness/reclaim_victims.h"

#include <algorithm>
#include <numeric>

namespace previct::kai {
namespace {

constexpr std::size_t kMostKept = 1'000'000;  // entries, of all lists

}  // namespace

ReclaimVictims::ReclaimVictims(Session& session, const QueueOrder& order, Moment& now)
    : session_(session), candidates_(session, order, now) {}

auto ReclaimVictims::of(GroupId pending) -> const std::vector<GroupQueue::Entry>& {
  const ClusterInfo& cluster_info = session_.cluster_info();
  Kept& kept = kept_for(pending);
  const bool known = kept.changes != SIZE_MAX;
  bool same = known;
  for (const QueueId queue : cluster_info.tree().queues().ids()) {
    if (!cluster_info.queue(queue).is_leaf() || queue == kept.pending) continue;
    Candidates::QueueFacts& facts = kept.queues[queue];
    if (!known) {
      facts = candidates_.queue_facts(pending, queue);
      continue;
    }
    const Rule shares = candidates_.shares_verdict(pending, queue);
    same = same && (shares == Rule::candidate) == (facts.shares == Rule::candidate);
    facts.shares = shares;
  }
  const std::vector<GroupId>& changed = session_.changed_groups();
  if (same) {
    for (std::size_t i = kept.changes; i < changed.size(); ++i) judge_again(kept, pending, changed[i]);
  } else {
    judge_all(kept, pending);
  }
  kept.changes = changed.size();
  return kept.victims;
}

auto ReclaimVictims::kept_for(GroupId pending) -> Kept& {
  const QueueId queue = session_.cluster_info().group(pending).queue;
  const auto known = std::find_if(kept_.begin(), kept_.end(), [&](const Kept& each) { return each.pending == queue; });
  if (known != kept_.end()) return *known;
  const auto entries = [&] {
    return std::accumulate(kept_.begin(), kept_.end(), std::size_t{0},
                           [](std::size_t sum, const Kept& each) { return sum + each.victims.size(); });
  };
  while (entries() > kMostKept) kept_.erase(kept_.begin());
  return kept_.emplace_back(Kept{.pending = queue,
                                 .queues = IdVector<QueueId, Candidates::QueueFacts>(
                                     session_.cluster_info().tree().queues().size(), {Rule::no_queue, {}}),
                                 .victims = {},
                                 .changes = SIZE_MAX});
}

auto ReclaimVictims::is_victim(const Kept& kept, GroupId pending, GroupId group) const -> bool {
  if (candidates_.reclaim_basics(pending, group) != Rule::candidate) return false;
  const Rule rule = candidates_.reclaim_verdict(kept.queues[session_.cluster_info().group(group).queue], group);
  return rule == Rule::candidate || rule == Rule::candidate_elastic;
}

void ReclaimVictims::judge_all(Kept& kept, GroupId pending) const {
  kept.victims.clear();
  for (const GroupId group : session_.cluster_info().groups_by_name()) {
    if (is_victim(kept, pending, group)) kept.victims.push_back(victim_entry(session_, group));
  }
}

void ReclaimVictims::judge_again(Kept& kept, GroupId pending, GroupId group) const {
  const ClusterInfo& cluster_info = session_.cluster_info();
  const auto at = std::lower_bound(kept.victims.begin(), kept.victims.end(), cluster_info.group(group).by_name,
                                   [&](const GroupQueue::Entry& each, std::uint32_t by_name) {
                                     return cluster_info.group(each.group).by_name < by_name;
                                   });
  const bool was = at != kept.victims.end() && at->group == group;
  if (!is_victim(kept, pending, group)) {
    if (was) kept.victims.erase(at);
  } else if (was) {
    *at = victim_entry(session_, group);
  } else {
    kept.victims.insert(at, victim_entry(session_, group));
  }
}

}  // namespace previct::kai
