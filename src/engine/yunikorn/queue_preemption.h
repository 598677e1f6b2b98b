#pragma once

#include "base/instant.h"
#include "engine/yunikorn/partition_context.h"
#include "engine/yunikorn/predicates.h"
#include "engine/yunikorn/queue_snapshot.h"
#include "engine/yunikorn/required_node.h"
#include "engine/yunikorn/rules.h"

#include <vector>

/// Preemption between queues, for a pending pod that may run on any node.
/// Source: apache/yunikorn-core 1.9 pkg/scheduler/objects/preemption.go, queue.go FindEligiblePreemptionVictims.
namespace previct::yunikorn {

/// One of the possible results of an attempt.
struct QueueSolution {
  Rule rule = Rule::no_node_helps;  ///< queue_preempts, or why no pod is evicted
  /// The node that the ask reserves; none unless the rule is queue_preempts or zero_request.
  NodeId node{};
  std::vector<PodId> victims{};  ///< by name
  std::vector<PodId> extra{};    ///< those of `victims` that were added beyond the node's
  bool fits_then = false;        ///< the pod fits the node and the queues once the victims are gone
  Resources freed{};             ///< for short_of_resources: what the victims use
  NodeId freed_on{};             ///< for short_of_resources: the node of the victims
  /// For no_node_helps: the first pod that ended a search for victims, because it uses more than what is left of the
  /// asking queue's guaranteed share.
  PodId too_large{};
  bool searched_all_nodes = false;  ///< that search was not limited to the pod's node
  std::vector<NodeId> kept{};       ///< for no_node_helps: nodes left out because they are reserved for other pods
};

struct QueuePriority {
  QueueId queue;
  std::int64_t priority;  ///< effective priority of the ask below this queue
};

struct QueueAttempt {
  /// Rule::suits, or the precondition that fails: then the scheduler computes nothing of the following. If it is the
  /// delay, and no pod is evicted after it either, `solutions` says why.
  Rule precondition = Rule::suits;
  Instant delay_ends;  ///< creation + preemption.delay
  QueueId fence;
  std::vector<QueuePriority> priorities;  ///< from the ask's leaf up to the fence
  std::vector<Allocation> eligible;       ///< possible victims, by queue
  std::vector<Fate> spared;               ///< YuniKorn's other pods, with the reason
  std::vector<QueueSolution> solutions;   ///< all results found; the first is for input order
  std::size_t orders_tried = 0;           ///< number of orders tried; orders are sampled, not proven
  bool all_orders = true;                 ///< there are no other orders
};

/// Attempts preemption between queues. `nodes_tried`: the ask was already tried on all nodes, so nodes with enough free
/// resources can be skipped.
/// Cost: about (eligible pods × depth of queues) per order that is tried.
[[nodiscard]] auto attempt_queue_preemption(const PartitionContext& core, const Allocation& ask, Predicates& predicates,
                                            bool ask_triggered, bool nodes_tried, Moment& now) -> QueueAttempt;

/// Returns Rule::suits, or why no pod of another queue is ever evicted.
[[nodiscard]] auto preempts_between_queues(const PartitionContext& core) -> Rule;

/// Returns Rule::suits, or what keeps the ask from trying; `delay_ends` as in QueueAttempt.
[[nodiscard]] auto precondition(const PartitionContext& core, const Allocation& ask, bool triggered, Instant delay_ends,
                                Moment& now) -> Rule;

/// Returns Rule::suits, or the most lasting reason why the ask evicts no pod now, if these are its possible victims.
[[nodiscard]] auto obstacle(const PartitionContext& core, const Allocation& ask, bool triggered, Instant delay_ends,
                            const std::vector<const Allocation*>& eligible, Moment& now) -> Rule;

/// Determines only the eligible victims and what that depends on, for pods that do not get as far as preemption.
[[nodiscard]] auto look_at_queues(const PartitionContext& core, const Allocation& ask) -> QueueAttempt;

}  // namespace previct::yunikorn
