#pragma once

#include "engine/kai/actions/node_placement.h"
#include "engine/kube/rules.h"

#include <optional>
#include <utility>
#include <vector>

namespace previct::kai {

/// Why a node rejects a pod, whatever is evicted. `reason`: what a filter that KAI shares with kube-scheduler says.
struct NodeRefusal {
  Rule rule = Rule::candidate;  ///< Rule::candidate: the node does not
  std::optional<kube::Reason> reason{};
};

/// The nodes of the shard for one pending pod, in the state of the session.
struct NodeRefusals {
  TaskId task;
  IdVector<ShardNodeId, NodeRefusal> of{};
  std::size_t suitable = 0;  ///< number of nodes that do not reject it
  bool all_worded = true;    ///< false: more nodes reject it than are asked for reasons
};

/// Returns the refusals for the pending pod of the group that the fewest nodes accept, of one pod per pod set; none if
/// the group has no pending pod or the plugin predicates is off. `with_filters`: also runs PodFilters, which look at
/// all pods, and adds reasons.
[[nodiscard]] auto node_refusals(const Session& session, GroupId group, bool with_filters)
    -> std::optional<NodeRefusals>;

}  // namespace previct::kai
