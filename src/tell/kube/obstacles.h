#pragma once

#include "tell/kube/explain.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace previct::kube {

/// What a node comes to for the pod, in the order in which nodes are shown.
enum class Standing : std::uint8_t { chosen, tied, candidate, fits, nominated, later, shielded, no, hopeless };

[[nodiscard]] auto standing_of(const Decision& decision, NodeId node) -> Standing;

/// No pod there may be evicted: none has a lower priority, or all of them tolerate the preemption.
[[nodiscard]] auto lacks_victims(const NodeVerdict& verdict) -> bool;

/// What keeps the pod off a node where preemption was tried: what is left when all potential victims are evicted.
[[nodiscard]] auto status_after_preemption(const NodeVerdict& verdict) -> const Status&;

/// All nodes, nearest to taking the pod first.
[[nodiscard]] auto ranked_nodes(const Explained& explained) -> std::vector<NodeId>;

/// Nodes that do not take the pod, for the same reason.
struct Obstacle {
  enum class Kind : std::uint8_t {
    tolerated,          ///< pods that tolerate the preemption use the capacity, some of them for a limited time
    tolerated_forever,  ///< the same, without an end
    not_kept,           ///< the scheduler's arguments leave no candidate
    used,               ///< capacity is used by pods that cannot be preempted
    other,              ///< another filter; the pods there or the node must change
    unresolvable,       ///< preemption cannot change it
    too_small           ///< the node has less than the pod requests
  };
  Kind kind = Kind::other;
  Reason reason{};              ///< operands that differ from node to node are 0
  std::vector<NodeId> nodes{};  ///< as in ranked_nodes()
  std::optional<Instant>
      first_change{};          ///< of kind `tolerated`: the first instant at which a node becomes a candidate
  std::int64_t most_free = 0;  ///< of kinds `used`: the most that is free on one of the nodes, in units of the resource
  std::int64_t most_after = 0;     ///< the same, after all potential victims are evicted
  std::int64_t most_capacity = 0;  ///< of kind `too_small`: the most that one of the nodes has
};

/// Why no node takes the pod: nearest first. Empty if a node takes it, or if no node was looked at.
[[nodiscard]] auto obstacles(const Explained& explained) -> std::vector<Obstacle>;

/// What nodes lack by a reason about capacity: `cpu`, `places for pods`; empty: it is about something else.
[[nodiscard]] auto lacking_resource(const Reason& reason, const NodeInfoSnapshot& node_infos) -> std::string;

/// `node-a and node-b lack cpu (500m requested, at most 100m free), 9 nodes have the taint a=b:NoSchedule; no pod of
/// lower priority to evict`, for a line of `width` columns: what does not fit is counted.
[[nodiscard]] auto obstacle_words(const Explained& explained, const Words& words, std::size_t width) -> std::string;

/// The obstacle on the nodes that are nearest to taking the pod; none if there is no obstacle.
[[nodiscard]] auto cause_of(const Explained& explained, const Words& words) -> Cause;

/// ` until 23:34:45 (in 10m) at the earliest`; empty if no toleration ends that would let the pod in.
[[nodiscard]] auto until_words(const Explained& explained) -> std::string;

}  // namespace previct::kube
