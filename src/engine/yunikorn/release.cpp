#include "engine/yunikorn/release.h"

#include "engine/yunikorn/nodes.h"
#include "engine/yunikorn/predicates.h"

#include <algorithm>

namespace previct::yunikorn {
namespace {

/// A pod that can run on one node only. Its queue's headroom is asked first; its node's predicates only if
/// there is room.
void decide_required_node(const World& world, bool triggered, ReleaseDecision& decision) {
  const Allocation& ask = decision.ask;
  const bool headroom = fits_where_limited(decision.headroom, ask.size);
  decision.node = world.cluster().find_node(ask.required_node);
  if (!decision.node) {
    decision.rule = headroom ? Rule::node_unknown : Rule::no_headroom;
    return;
  }
  decision.room = world.room(decision.node);
  std::vector<Allocation> pods;
  for (const PodId pod : world.allocations_on(decision.node)) pods.push_back(world.allocation(pod));
  decision.required = attempt_required_node(ask, decision.room, pods);
  if (!headroom) return;

  const bool room = fits(decision.room.available(), ask.size);
  decision.predicate = check_node(world.cluster(), ask.pod, decision.node, {});
  if (room && decision.predicate == Rule::suits) {
    decision.outcome = ReleaseOutcome::allocated;
    decision.rule = Rule::allocated;
    return;
  }
  if (!fits(decision.room.total, ask.size)) {
    decision.rule = Rule::larger_than_node;
    return;
  }
  decision.outcome = ReleaseOutcome::reserved;
  decision.reserved = decision.node;
  if (room) {
    decision.rule = Rule::predicates_fail;
  } else if (triggered) {
    decision.rule = Rule::triggered_before;
  } else if (decision.required->victims.empty()) {
    decision.rule = Rule::required_node_no_help;
  } else {
    decision.rule = Rule::required_node_preempts;
    decision.outcome = ReleaseOutcome::preempted;
  }
}

/// What the ends of queue preemption come to, all together.
void sum_up(ReleaseOutcome otherwise, ReleaseDecision& decision) {
  const std::vector<QueueSolution>& ends = decision.queue->solutions;
  const auto somebody = [](const QueueSolution& end) { return end.rule == Rule::queue_preempts; };
  const bool some = std::any_of(ends.begin(), ends.end(), somebody);
  const bool all = std::all_of(ends.begin(), ends.end(), somebody);
  decision.rule = ends.front().rule;
  decision.outcome = all ? ReleaseOutcome::preempted : some ? ReleaseOutcome::varies : otherwise;
  const auto first = std::find_if(ends.begin(), ends.end(), somebody);
  decision.node = first == ends.end() ? NodeId{} : first->node;
}

/// A pod that may run anywhere: queues are asked for headroom, then nodes for room, then other queues to give
/// way.
void decide_any_node(const World& world, bool triggered, Moment& now, ReleaseDecision& decision) {
  const Allocation& ask = decision.ask;
  const bool headroom = fits_where_limited(decision.headroom, ask.size);
  if (!headroom) {
    decision.queue = attempt_queue_preemption(world, ask, triggered, false, now);
    sum_up(ReleaseOutcome::pending, decision);
    return;
  }
  const NodeSearch search = search_nodes(world, ask);
  if (search.fits) {
    // The scheduler would not ask the queues; they are still worth a look for the reader.
    Moment aside = now.fork();
    decision.queue = attempt_queue_preemption(world, ask, triggered, true, aside);
    decision.queue->solutions.clear();
    decision.outcome = ReleaseOutcome::allocated;
    decision.rule = Rule::allocated;
    decision.node = search.fits;
    return;
  }
  constexpr std::int64_t kReservationDelay = 2'000'000'001;  // older than two seconds
  const bool old_enough = now.reached(ask.created.plus_nanos(kReservationDelay));
  decision.reserved = old_enough ? search.to_reserve : NodeId{};
  decision.queue = attempt_queue_preemption(world, ask, triggered, true, now);
  sum_up(decision.reserved ? ReleaseOutcome::reserved : ReleaseOutcome::pending, decision);
}

}  // namespace

auto outcome_word(ReleaseOutcome outcome) -> std::string_view {
  switch (outcome) {
    case ReleaseOutcome::allocated: return "allocated";
    case ReleaseOutcome::preempted: return "preempted";
    case ReleaseOutcome::reserved: return "reserved";
    case ReleaseOutcome::pending: return "pending";
    case ReleaseOutcome::varies: return "varies";
    case ReleaseOutcome::foreign: return "not-scheduled-by-yunikorn";
  }
  return "pending";
}

auto decide_release(const World& world, PodId ask, bool ask_triggered, Moment& now) -> ReleaseDecision {
  ReleaseDecision decision;
  decision.ask = world.allocation(ask);
  decision.headroom = world.queues().headroom(decision.ask.queue);
  if (decision.ask.required_node) {
    decide_required_node(world, ask_triggered, decision);
  } else {
    decide_any_node(world, ask_triggered, now, decision);
    if (decision.node) decision.room = world.room(decision.node);
  }
  return decision;
}

}  // namespace previct::yunikorn
