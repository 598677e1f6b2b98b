#pragma once

#include "base/instant.h"
#include "engine/yunikorn/partition_context.h"
#include "engine/yunikorn/predicates.h"
#include "engine/yunikorn/queue_snapshot.h"
#include "engine/yunikorn/required_node.h"
#include "engine/yunikorn/rules.h"

#include <vector>

/// Preemption between queues, for a pending pod that may run on any node.
/// Source: apache/yunikorn-core 1.9 pkg/scheduler/objects/preemption.go, queue.go
/// FindEligiblePreemptionVictims.
namespace previct::yunikorn {

/// One of the ends that an attempt can come to.
struct QueueSolution {
  Rule rule = Rule::no_node_helps;  ///< queue_preempts, or why no pod is evicted
  NodeId node{};                    ///< which the ask reserves; none unless it queue_preempts, or of a zero_request
  std::vector<PodId> victims{};     ///< by name
  std::vector<PodId> extra{};       ///< those of them that were taken in addition to the node's
  bool fits_then = false;           ///< is there room on the node and in the queues when they are gone?
  Resources freed{};                ///< of short_of_resources: what the victims use
  NodeId freed_on{};                ///< the same: their node
  PodId too_large{};                ///< of no_node_helps: the first pod that ended the search for victims on its node,
                                    ///< because it uses more than what is left of the asking queue's guaranteed share
};

struct QueuePriority {
  QueueId queue;
  std::int64_t priority;  ///< of the ask, as it counts below this queue
};

struct QueueAttempt {
  /// Rule::suits, or the precondition that fails: then nothing below was looked at by the scheduler.
  Rule precondition = Rule::suits;
  Instant delay_ends;  ///< creation + preemption.delay
  QueueId fence;
  std::vector<QueuePriority> priorities;  ///< from the ask's leaf up to the fence
  std::vector<Allocation> eligible;       ///< who could be taken, by queue
  std::vector<Fate> spared;               ///< YuniKorn's other pods, with the reason
  std::vector<QueueSolution> solutions;   ///< all ends that were found; the first is for input order
  std::size_t orders_tried = 0;           ///< open orders are tried out, not proven: so many of them
  bool all_orders = true;                 ///< there are no others
};

/// `nodes_tried`: the ask was tried on all nodes before, so that nodes with room need not be looked at again.
/// Cost: about (eligible pods × depth of queues) per order that is tried.
[[nodiscard]] auto attempt_queue_preemption(const PartitionContext& core, const Allocation& ask, Predicates& predicates,
                                            bool ask_triggered, bool nodes_tried, Moment& now) -> QueueAttempt;

/// Rule::suits, or why no pod of another queue is ever evicted.
[[nodiscard]] auto preempts_between_queues(const PartitionContext& core) -> Rule;

/// Rule::suits, or what keeps the ask from trying; `delay_ends` as in QueueAttempt.
[[nodiscard]] auto precondition(const PartitionContext& core, const Allocation& ask, bool triggered, Instant delay_ends,
                                Moment& now) -> Rule;

/// Only who is within reach, and what that rests on: for pods that do not get so far.
[[nodiscard]] auto look_at_queues(const PartitionContext& core, const Allocation& ask) -> QueueAttempt;

}  // namespace previct::yunikorn
