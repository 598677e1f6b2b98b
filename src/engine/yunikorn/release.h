#pragma once

#include "base/instant.h"
#include "engine/yunikorn/queue_preemption.h"
#include "engine/yunikorn/required_node.h"
#include "engine/yunikorn/world.h"

#include <optional>

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

struct ReleaseDecision {
  ReleaseOutcome outcome = ReleaseOutcome::pending;
  Rule rule = Rule::no_headroom;
  Allocation ask;
  Resources headroom;
  NodeId node;                                  ///< the required node, or where the pod would go; none if neither
  NodeRoom room;                                ///< of `node`
  Rule predicate = Rule::suits;                 ///< of a required node with room: why it does not suit
  std::optional<RequiredNodeAttempt> required;  ///< for pods with a required node that is there
  std::optional<QueueAttempt> queue;            ///< for all others
  NodeId reserved;                              ///< the node that is reserved if nobody goes
};

/// `ask` is a pod of ours that is known and waiting.
[[nodiscard]] auto decide_release(const World& world, PodId ask, bool ask_triggered, Moment& now) -> ReleaseDecision;

}  // namespace previct::yunikorn
