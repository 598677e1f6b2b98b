#pragma once

#include "tell/kube/explain.h"
#include "tell/kube/messages.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace previct::kube {

/// The result of a node for the pod, in the order in which nodes are shown.
enum class Standing : std::uint8_t { chosen, tied, candidate, fits, nominated, later, shielded, no, hopeless };

[[nodiscard]] auto standing_of(const Decision& decision, NodeId node) -> Standing;

/// Returns true if no pod on the node may be evicted: none has a lower priority, or all of them tolerate the
/// preemption.
[[nodiscard]] auto lacks_victims(const NodeVerdict& verdict) -> bool;

/// Returns why a node where preemption was tried rejects the pod: the status after all potential victims are evicted.
[[nodiscard]] auto status_after_preemption(const NodeVerdict& verdict) -> const Status&;

/// Returns true if that status is of a filter that the node passes as it is: the pod needs one of the potential
/// victims.
[[nodiscard]] auto fails_without_victims(const NodeVerdict& verdict) -> bool;

/// Returns the other pending pods of the same queue that are nominated to the node and have at least the pod's
/// priority: the pod cannot use what they request.
inline constexpr std::size_t kNominatedShown = 3;
[[nodiscard]] auto nominated_before(const Explained& explained, NodeId node) -> std::vector<std::string>;

/// `; ml/a there is terminating, until 12:00:20`, for pods that preemption cannot remove; empty if there are none. The
/// time is the latest end of their grace periods.
[[nodiscard]] auto terminating_there(const Explained& explained, NodeId node) -> std::string;

/// Returns all nodes, the closest to fitting first.
[[nodiscard]] auto ranked_nodes(const Explained& explained) -> std::vector<NodeId>;

/// Nodes that reject the pod for the same reason.
struct Obstacle {
  enum class Kind : std::uint8_t {
    /// Pods that tolerate the preemption use the capacity, some of them for a limited time.
    tolerated,
    tolerated_forever,  ///< the same, without an end
    not_kept,           ///< the scheduler's arguments leave no candidate
    used,               ///< capacity is used by pods that cannot be preempted
    other,              ///< another filter; the pods on the node, or the node, must change
    unresolvable,       ///< preemption cannot change it
    too_small           ///< the node has less than the pod requests
  };
  Kind kind = Kind::other;
  Reason reason{};              ///< operands that differ between nodes are 0
  ReasonRange range{};          ///< all operands
  std::vector<NodeId> nodes{};  ///< as in ranked_nodes()
  /// For kind `used`: another reason that only applies without the potential victims, such as the pod's affinity to
  /// one of them.
  std::optional<ReasonRange> without_victims{};
  std::optional<Instant> first_change{};  ///< for kind `tolerated`: the first time at which a node becomes a candidate
  /// For kinds `used`: the largest free amount on one of the nodes, in units of the resource.
  std::int64_t most_free = 0;
  std::int64_t most_after = 0;     ///< the same after all potential victims are evicted
  std::int64_t most_capacity = 0;  ///< for kind `too_small`: the largest capacity of one of the nodes
};

/// Returns why no node fits the pod, the closest to fitting first. Empty if a node fits, or if no node was tried.
[[nodiscard]] auto obstacles(const Explained& explained) -> std::vector<Obstacle>;

/// Returns the resource that nodes lack, for a reason about capacity: `cpu`, `places for pods`; empty for other
/// reasons.
[[nodiscard]] auto lacking_resource(const Reason& reason, const NodeInfoSnapshot& node_infos) -> std::string;

/// `node-a and node-b lack cpu (500m requested, at most 100m free), 9 nodes have the taint a=b:NoSchedule; no pod of
/// lower priority to evict`, for a line of `width` columns; the rest is only counted.
[[nodiscard]] auto obstacle_words(const Explained& explained, const Words& words, std::size_t width) -> std::string;

/// Returns the obstacle on the nodes that are closest to fitting; none if there is no obstacle.
[[nodiscard]] auto cause_of(const Explained& explained, const Words& words) -> Cause;

/// ` until 23:34:45 (in 10m) at the earliest`; empty if neither the end of a toleration nor that of terminating pods
/// can make the pod schedulable.
[[nodiscard]] auto until_words(const Explained& explained) -> std::string;

}  // namespace previct::kube
