#include "engine/yunikorn/eligible.h"

#include <algorithm>

namespace previct::yunikorn {
namespace {

auto priority_at(const std::vector<QueuePriority>& priorities, QueueId queue) -> const std::int64_t* {
  for (const QueuePriority& entry : priorities) {
    if (entry.queue == queue) return &entry.priority;
  }
  return nullptr;
}

/// Returns true if the queue would be full with the ask. Then no victim outside could help, and the queue fences
/// itself.
auto limits_ask(const Release& release, const QueueTree& queues, QueueId queue, const Resources& ask) -> bool {
  if (release.has(Change::full_queue_is_fence))
    return queues[queue].max && equal(*queues[queue].max, queues[queue].allocated);
  if (!release.has(Change::queue_that_would_be_full_is_fence)) return false;
  const MaybeResources max = queues.path_max(queue);
  return max && !max->empty() && !at_least_in_common(*max, queues[queue].allocated + ask);
}

/// A queue visited on the way down from the fence.
struct Visit {
  QueueId queue;
  std::int64_t priority;  // pods with up to this priority may be evicted
  bool fenced;            // below a priority fence: the priorities of pods are ignored
};

}  // namespace

void find_fence(const PartitionContext& core, const Allocation& ask, QueueAttempt& attempt) {
  const QueueTree& queues = core.queues();
  std::int64_t priority = ask.priority;
  for (QueueId at = ask.queue; at; at = queues[at].parent) {
    const QueuePolicy& policy = queues[at].policy;
    priority = policy.priority_fence ? policy.priority_offset : priority + policy.priority_offset;
    attempt.priorities.push_back({at, priority});
    attempt.fence = at;
    if (policy.preemption == PreemptionPolicy::fence || limits_ask(core.keys().release, queues, at, ask.size)) return;
  }
}

auto any_ask(QueueId queue) -> Allocation {
  Allocation ask;
  ask.queue = queue;
  ask.size = {{TypeNames::kPods, 1}};
  return ask;
}

VictimFinder::VictimFinder(const PartitionContext& core, const Allocation& ask, QueueAttempt& attempt)
    : core_(core),
      ask_(ask),
      attempt_(attempt),
      queue_snapshot_(core.queues(), ask.queue),
      guarantees_(core, ask),
      reach_(core.queues().size()) {
  find_leaves();
}

void VictimFinder::run() {
  std::vector<std::vector<PodId>> by_queue(reach_.size());
  const Snapshot& cluster = core_.cluster();
  for (const PodId pod : cluster.pods().ids()) {
    if (!core_.known(pod) || !cluster.node_of(pod)) continue;
    by_queue[core_.app(core_.app_of(pod)).queue.index].push_back(pod);
  }
  for (const QueueId queue : core_.queues().ids()) {
    for (const PodId pod : by_queue[queue.index]) {
      if (reach_[queue.index].rule != Rule::candidate) {
        attempt_.spared.push_back({pod, reach_[queue.index].rule});
        continue;
      }
      Allocation allocation = core_.allocation(pod);
      const Rule rule = fate(allocation);
      if (rule == Rule::candidate) {
        attempt_.eligible.push_back(std::move(allocation));
      } else {
        attempt_.spared.push_back({pod, rule});
      }
    }
  }
}

auto VictimFinder::fate(const Allocation& pod) const -> Rule {
  const Reach& reach = reach_[pod.queue.index];
  if (reach.rule != Rule::candidate) return reach.rule;
  if (pod.required_node) return Rule::spared_required_node;
  if (!reach.fenced && pod.priority > reach.priority) return Rule::spared_higher_priority;
  if (pod.released) return Rule::spared_released;
  if (!core_.keys().release.has(Change::only_useful_victims)) return Rule::candidate;
  if (pod.preempted) return Rule::spared_already_preempted;
  return share_a_type(ask_.size, pod.size) ? Rule::candidate : Rule::spared_no_common_type;
}

void VictimFinder::find_leaves() {
  const QueueTree& queues = core_.queues();
  std::vector<Visit> waiting = {{attempt_.fence, *priority_at(attempt_.priorities, attempt_.fence), false}};
  while (!waiting.empty()) {
    const Visit at = waiting.back();
    waiting.pop_back();
    const Queue& queue = queues[at.queue];
    if (at.queue == ask_.queue) continue;
    if (queue.leaf) {
      reach_[at.queue.index] = leaf_reach(at.queue, at.priority, at.fenced);
      continue;
    }
    for (const QueueId child : queue.children) {
      const QueuePolicy& policy = queues[child].policy;
      if (const std::int64_t* known = priority_at(attempt_.priorities, child)) {
        waiting.push_back({child, *known, at.fenced});
      } else if (!policy.priority_fence) {
        waiting.push_back({child, at.priority - policy.priority_offset, at.fenced});
      } else if (policy.priority_offset > at.priority) {
        mark_below(child, Rule::spared_priority_fence);
      } else {
        waiting.push_back({child, at.priority, true});
      }
    }
  }
  reach_[ask_.queue.index].rule = Rule::spared_own_queue;
}

auto VictimFinder::leaf_reach(QueueId leaf, std::int64_t priority, bool fenced) const -> Reach {
  if (core_.queues()[leaf].policy.preemption == PreemptionPolicy::disabled) return {Rule::spared_disabled, 0, false};
  if (guarantees_.protect(queue_snapshot_, leaf)) return {Rule::spared_within_guarantee, 0, false};
  return {Rule::candidate, priority, fenced};
}

void VictimFinder::mark_below(QueueId top, Rule rule) {
  std::vector<QueueId> waiting = {top};
  while (!waiting.empty()) {
    const QueueId at = waiting.back();
    waiting.pop_back();
    reach_[at.index].rule = rule;
    const std::vector<QueueId>& children = core_.queues()[at].children;
    waiting.insert(waiting.end(), children.begin(), children.end());
  }
}

}  // namespace previct::yunikorn
