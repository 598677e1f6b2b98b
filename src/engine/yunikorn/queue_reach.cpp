#include "engine/yunikorn/queue_reach.h"

#include "engine/yunikorn/eligible.h"

#include <algorithm>
#include <map>

namespace previct::yunikorn {
namespace {

/// The most that some pod of the queue could do to one running pod.
struct Standing {
  Rule rule = Rule::candidate;  ///< what protects the running pod
  Instant from = Instant::never();
  Rule until = Rule::candidate;  ///< what ends at `from`
};

class Survey {
 public:
  Survey(const PartitionContext& core, bool triggered, Instant now) : core_(core), triggered_(triggered), now_(now) {
    const Snapshot& cluster = core.cluster();
    for (const PodId id : cluster.pods().ids()) {
      if (!core.known(id)) continue;
      if (cluster.node_of(id)) {
        running_.push_back(core.allocation(id));
      } else if (cluster.pending(id)) {
        add_ask(core.allocation(id));
      }
    }
  }

  auto row(QueueId by, std::span<const QueueId> leaves) -> std::vector<QueueReach> {
    std::vector<Standing> standings(running_.size());
    const auto asks = asks_.find(by);
    const bool asked = asks != asks_.end();
    if (asked) {
      for (const Allocation& ask : asks->second) try_out(ask, standings);
    } else {
      try_any(by, standings);
    }
    std::map<QueueId, ReachCount> counts;
    for (std::size_t i = 0; i < running_.size(); ++i) {
      ReachCount& count = counts.try_emplace(running_[i].queue, ReachCount(asked)).first->second;
      const Standing& best = standings[i];
      if (best.from.is_never()) {
        count.never(1, rule_id(best.rule));
      } else if (best.from == Instant{}) {
        count.now(1);
      } else {
        count.later(1, best.from, rule_id(best.until));
      }
    }
    std::vector<QueueReach> row;
    for (const QueueId of : leaves) {
      const auto count = counts.find(of);
      row.push_back(count == counts.end() ? ReachCount(asked).take() : count->second.take());
    }
    return row;
  }

 private:
  // Keeps one of several equivalent pods: the oldest, because its delay ends first.
  void add_ask(Allocation ask) {
    if (ask.required_node) return;
    std::vector<Allocation>& asks = asks_[ask.queue];
    for (Allocation& other : asks) {
      if (other.priority != ask.priority || other.may_preempt != ask.may_preempt || !(other.size == ask.size)) continue;
      if (ask.created < other.created) other = std::move(ask);
      return;
    }
    asks.push_back(std::move(ask));
  }

  void try_out(const Allocation& ask, std::vector<Standing>& standings) const {
    QueueAttempt attempt;
    find_fence(core_, ask, attempt);
    const VictimFinder collector(core_, ask, attempt);
    Moment moment(now_);
    const Instant delay_ends = ask.created.plus_nanos(core_.queues()[ask.queue].policy.preemption_delay);
    std::vector<Rule> fates;
    std::vector<const Allocation*> eligible;
    for (const Allocation& pod : running_) {
      fates.push_back(collector.fate(pod));
      if (fates.back() == Rule::candidate) eligible.push_back(&pod);
    }
    const Rule held = obstacle(core_, ask, triggered_, delay_ends, eligible, moment);
    for (std::size_t i = 0; i < standings.size(); ++i) {
      Standing& best = standings[i];
      if (fates[i] != Rule::candidate) {
        if (best.from.is_never()) best.rule = fates[i];
      } else if (held == Rule::suits) {
        best.from = Instant{};
      } else if (held == Rule::delay_runs) {
        if (delay_ends < best.from) best = {Rule::delay_runs, delay_ends, Rule::delay_runs};
      } else if (best.from.is_never()) {
        best.rule = held;
      }
    }
  }

  void try_any(QueueId by, std::vector<Standing>& standings) const {
    Allocation ask = any_ask(by);
    ask.priority = INT32_MAX;  // priorities are not considered here
    QueueAttempt attempt;
    find_fence(core_, ask, attempt);
    const VictimFinder collector(core_, ask, attempt);
    const Rule never = preempts_between_queues(core_);
    for (std::size_t i = 0; i < standings.size(); ++i) {
      const Rule fate = never == Rule::suits ? collector.fate(running_[i]) : never;
      if (fate == Rule::candidate) {
        standings[i].from = Instant{};
      } else {
        standings[i].rule = fate;
      }
    }
  }

  const PartitionContext& core_;
  bool triggered_;
  Instant now_;
  std::vector<Allocation> running_;
  std::map<QueueId, std::vector<Allocation>> asks_;
};

}  // namespace

auto queue_reach(const PartitionContext& core, std::span<const QueueId> leaves, bool triggered, Instant now)
    -> std::vector<std::vector<QueueReach>> {
  Survey survey(core, triggered, now);
  std::vector<std::vector<QueueReach>> reach;
  for (const QueueId by : leaves) reach.push_back(survey.row(by, leaves));
  return reach;
}

}  // namespace previct::yunikorn
