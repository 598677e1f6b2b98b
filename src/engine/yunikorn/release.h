#pragma once

#include "base/instant.h"
#include "engine/yunikorn/partition_context.h"
#include "engine/yunikorn/predicates.h"
#include "engine/yunikorn/queue_preemption.h"
#include "engine/yunikorn/required_node.h"

#include <optional>
#include <string>
#include <vector>

/// One pending pod's way through the scheduler, as released.
/// Source: apache/yunikorn-core 1.9 pkg/scheduler/objects/application.go tryAllocate, tryRequiredNode,
/// tryNodes.
namespace previct::yunikorn {

enum class ReleaseOutcome : std::uint8_t {
  allocated,  ///< there is room
  preempted,  ///< somebody goes
  reserved,   ///< a node is reserved, nobody goes
  pending,    ///< not even that
  varies,     ///< open orders decide whether somebody goes
  foreign     ///< the scheduler does not know the pod
};
[[nodiscard]] auto outcome_word(ReleaseOutcome outcome) -> std::string_view;

/// A node and why a filter keeps the pod off it.
struct Unsuited {
  NodeId node;
  kube::Reason why;
};

/// Places that are held for the gang of the pod, one of which it takes.
struct Replacement {
  std::vector<PodId> large_enough;
  std::vector<PodId> too_small;  ///< let go as soon as they are looked at
  std::vector<NodeId> nodes;     ///< any of them, by the order in which places are met; none: it waits
  bool elsewhere = false;        ///< no place suits: its node is the first one with room
};

struct ReleaseDecision {
  ReleaseOutcome outcome = ReleaseOutcome::pending;
  Rule rule = Rule::no_headroom;
  Allocation ask;
  Resources headroom;
  QueueId full;                                 ///< runs as many applications as it may
  LimitHit limit;                               ///< of a user or group, that is reached
  NodeId node;                                  ///< the required node, or where the pod would go; none if neither
  NodeRoom room;                                ///< of `node`
  std::vector<Unsuited> unsuited;               ///< nodes with room that do not suit
  std::optional<Unsuited> not_reserved;         ///< the node that is not reserved, as it does not suit
  std::optional<Replacement> replacement;       ///< for pods of a gang that has places
  std::optional<RequiredNodeAttempt> required;  ///< for pods with a required node that is there
  std::optional<QueueAttempt> queue;            ///< for all others; without solutions if they do not get so far
  NodeId reserved;                              ///< the node that is reserved if nobody goes
  std::optional<kube::Reason> not_then;         ///< why its required node does not suit it even without the victims
};

struct ReleaseOptions {
  bool ask_triggered = false;       ///< assumed: it has triggered preemption before
  bool volumes_everywhere = false;  ///< every node reaches its volumes
};

/// `ask` is a pod of ours that is known and waiting.
[[nodiscard]] auto decide_release(const PartitionContext& core, PodId ask, const ReleaseOptions& options, Moment& now)
    -> ReleaseDecision;

}  // namespace previct::yunikorn
