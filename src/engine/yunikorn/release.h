#pragma once

#include "base/instant.h"
#include "engine/yunikorn/partition_context.h"
#include "engine/yunikorn/predicates.h"
#include "engine/yunikorn/queue_preemption.h"
#include "engine/yunikorn/required_node.h"

#include <optional>
#include <string>
#include <vector>

/// The path of one pending pod through the scheduler, as released.
/// Source: apache/yunikorn-core 1.9 pkg/scheduler/objects/application.go tryAllocate, tryRequiredNode, tryNodes.
namespace previct::yunikorn {

enum class ReleaseOutcome : std::uint8_t {
  allocated,  ///< fits into free resources
  preempted,  ///< pods are evicted
  reserved,   ///< a node is reserved, no pod is evicted
  pending,    ///< not even a node is reserved
  varies,     ///< whether pods are evicted depends on undefined orders
  foreign     ///< the scheduler does not know the pod
};
[[nodiscard]] auto outcome_word(ReleaseOutcome outcome) -> std::string_view;

/// A node and the reason why a filter rejects it.
struct Unsuited {
  NodeId node;
  kube::Reason why;
};

/// The placeholders of the pod's gang, one of which it replaces.
struct Replacement {
  std::vector<PodId> large_enough;
  std::vector<PodId> too_small;  ///< released as soon as the scheduler looks at them
  std::vector<NodeId> nodes;     ///< possible nodes, depending on the order of placeholders; empty: it waits
  bool elsewhere = false;        ///< no placeholder suits: the pod gets the first node that fits
};

struct ReleaseDecision {
  ReleaseOutcome outcome = ReleaseOutcome::pending;
  Rule rule = Rule::no_headroom;
  Allocation ask;
  Resources headroom;
  QueueId full;                                 ///< queue that already runs its maximum of applications
  LimitHit limit;                               ///< limit of a user or group that is reached
  OverMax over_max;                             ///< queue that does not accept the pod, although a node is suitable
  NodeId node;                                  ///< the required node, or the node that the pod would get; or none
  NodeUsage room;                               ///< of `node`
  std::vector<Unsuited> unsuited;               ///< nodes with enough free resources that fail a filter
  std::optional<Unsuited> not_reserved;         ///< the node that is not reserved because it fails a filter
  std::optional<Replacement> replacement;       ///< for pods of a gang with placeholders
  std::optional<RequiredNodeAttempt> required;  ///< for pods with a required node that exists
  std::optional<QueueAttempt> queue;            ///< for all others; without solutions if they do not get that far
  NodeId reserved;                              ///< node that is reserved if no pod is evicted
  std::optional<kube::Reason>
      refused_without_victims;  ///< why the required node fails a filter even without the victims
};

struct ReleaseOptions {
  bool ask_triggered = false;       ///< assumed: it has already triggered preemption
  bool volumes_everywhere = false;  ///< assume that every node can reach its volumes
};

/// `ask` must be a known pending pod of YuniKorn.
[[nodiscard]] auto decide_release(const PartitionContext& core, PodId ask, const ReleaseOptions& options, Moment& now)
    -> ReleaseDecision;

}  // namespace previct::yunikorn
