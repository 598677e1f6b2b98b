#include "engine/kai/fairness/queue_reach.h"

#include <algorithm>
#include <map>

namespace previct::kai {
namespace {

/// A pending group, and the time from which it may evict others.
struct Asker {
  GroupId group;
  Instant from{};
};

class Survey {
 public:
  Survey(Session& start, const QueueOrder& order, Instant now)
      : session_(start),
        cluster_info_(start.cluster_info()),
        moment_(now),
        now_(now),
        candidates_(start, order, moment_) {
    for (const GroupId id : cluster_info_.groups_by_name()) {
      const Group& group = cluster_info_.group(id);
      if (!group.queue) continue;
      if (session_.has_allocated(id)) running_[group.queue].push_back(id);
      if (session_.has_pending(id) && is_ready(session_, id))
        askers_[group.queue].push_back({id, may_evict_from(group, now_)});
    }
    for (auto& [queue, askers] : askers_) {
      std::stable_sort(askers.begin(), askers.end(), [&](const Asker& a, const Asker& b) {
        return cluster_info_.group(a.group).priority > cluster_info_.group(b.group).priority;
      });
    }
  }

  auto cell(QueueId by, QueueId of) -> QueueReach {
    ReachCount count(askers_.contains(by));
    const Action action = by == of ? Action::preempt : Action::reclaim;
    const Opening opening = by == of ? Opening{} : opening_for(by, of);
    for (const GroupId victim : running_[of]) {
      const auto pods = static_cast<std::size_t>(allocated(victim));
      const Opening to_it = by == of ? opening_in_own_queue(by, victim) : opening;
      if (to_it.rule != Rule::candidate) {
        count.never(pods, rule_id(to_it.rule));
      } else if (const Rule basics = basics_of(action, victim); basics != Rule::candidate) {
        count.never(pods, rule_id(basics));
      } else {
        add(count, action, by, victim, pods, to_it.from);
      }
    }
    return count.take();
  }

 private:
  // Whether some group of the queue may evict, and from when on.
  struct Opening {
    Rule rule = Rule::candidate;
    Instant from{};
  };

  [[nodiscard]] auto allocated(GroupId id) const -> std::int64_t {
    const Group& group = cluster_info_.group(id);
    std::int64_t pods = 0;
    for (std::uint32_t i = 0; i < group.sets; ++i) pods += session_.counts(group.set(i)).allocated;
    return pods;
  }

  [[nodiscard]] auto opening_for(QueueId by, QueueId of) -> Opening {
    if (const Rule off = switched_off(cluster_info_.settings(), Action::reclaim); off != Rule::candidate) return {off};
    const auto askers = askers_.find(by);
    if (askers == askers_.end()) return {};
    Opening best{Rule::no_candidates, Instant::never()};
    Rule refusal = Rule::candidate;
    for (const Asker& asker : askers->second) {
      Rule rule = candidates_.may_reclaim(asker.group);
      if (rule == Rule::candidate) rule = candidates_.queue_verdict(by, need_of(session_, asker.group), of);
      if (rule != Rule::candidate) {
        if (refusal == Rule::candidate) refusal = rule;
      } else if (best.rule != Rule::candidate || asker.from < best.from) {
        best = {Rule::candidate, asker.from};
      }
    }
    return best.rule == Rule::candidate ? best : Opening{refusal};
  }

  // The groups with a higher priority are first in the list.
  [[nodiscard]] auto opening_in_own_queue(QueueId queue, GroupId victim) -> Opening {
    if (const Rule off = switched_off(cluster_info_.settings(), Action::preempt); off != Rule::candidate) return {off};
    const auto askers = askers_.find(queue);
    if (askers == askers_.end()) return {};
    Opening best{Rule::priority_not_lower};
    for (const Asker& asker : askers->second) {
      if (cluster_info_.group(asker.group).priority <= cluster_info_.group(victim).priority) break;
      if (best.rule != Rule::candidate || asker.from < best.from) best = {Rule::candidate, asker.from};
    }
    return best;
  }

  [[nodiscard]] auto basics_of(Action action, GroupId victim) const -> Rule {
    const Rule basics = candidates_.victim_basics(victim);
    if (basics != Rule::candidate || action == Action::reclaim) return basics;
    return candidates_.consolidation_verdict(GroupId(), victim);
  }

  void add(ReachCount& count, Action action, QueueId by, GroupId victim, std::size_t pods, Instant from) {
    const Shield shield = shield_of(session_, action, by, victim, moment_);
    const bool is_protected = cluster_info_.settings().plugins.min_runtime && shield.now;
    const std::size_t open =
        is_protected ? std::min(pods, static_cast<std::size_t>(evictable_pods(session_, victim))) : pods;
    if (from == Instant{}) {
      count.now(open);
    } else {
      count.later(open, from, rule_id(Rule::delayed));
    }
    if (is_protected) count.later(pods - open, std::max(*shield.until, from), rule_id(Rule::min_runtime));
  }

  Session& session_;
  const ClusterInfo& cluster_info_;
  Moment moment_;
  Instant now_;
  Candidates candidates_;
  std::map<QueueId, std::vector<GroupId>> running_;
  std::map<QueueId, std::vector<Asker>> askers_;  // highest priority first
};

}  // namespace

auto queue_reach(Session& start, const QueueOrder& order, std::span<const QueueId> leaves, Instant now)
    -> std::vector<std::vector<QueueReach>> {
  Survey survey(start, order, now);
  std::vector<std::vector<QueueReach>> reach;
  for (const QueueId by : leaves) {
    auto& row = reach.emplace_back();
    for (const QueueId of : leaves) row.push_back(survey.cell(by, of));
  }
  return reach;
}

}  // namespace previct::kai
