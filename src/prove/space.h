#pragma once

#include "base/instant.h"
#include "cluster/snapshot.h"
#include "prove/form.h"
#include "prove/requested.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace previct::prove {

/// Priorities, both ends included.
struct Priorities {
  std::int64_t least = INT32_MIN;
  std::int64_t most = INT32_MAX;

  friend auto operator==(const Priorities&, const Priorities&) -> bool = default;
};

/// The preemptors that an invariant is about.
///
/// Without forms, they have nothing but requests. Each may run on one node only and, unless `tolerates_taints` is
/// false, tolerates all taints. A pod with fewer tolerations, or with other selectors, evicts no other pods on a node
/// than these do: the scheduler either does not try the node, or decides about it in the same way.
///
/// With forms, they have everything of one of these, and may run on all nodes that it allows, or on some of them.
struct Space {
  Priorities priorities{};
  std::vector<Requested> requests{};
  Instant from{};
  Instant to{};                  ///< included
  std::vector<NodeId> nodes{};   ///< where the preemptors may run
  bool tolerates_taints = true;  ///< of preemptors without a form
  std::vector<Form> forms{};
  std::size_t forms_left_out = 0;  ///< number of other forms that the statement is about, and that are not tried
  std::string ns = "default";      ///< of preemptors without a form
  /// that victims request and nodes offer, and that do not vary: preemptors without a form do not request them
  std::vector<std::string> other_resources{};
};

/// Returns the resources beyond `requests` of which these pods request some, and a node has some: a preemptor that
/// requests them may evict these pods for them. `devices`: those that devices of a DeviceClass serve.
struct OtherResources {
  std::vector<std::string> all;
  bool devices = false;
};
[[nodiscard]] auto other_resources(const Snapshot& cluster, std::span<const PodId> victims,
                                   const std::vector<Requested>& requests) -> OtherResources;

/// Returns what a statement about preemptors without a form leaves out, for its first line:
/// ` Not covered: preemptors with pod affinity, host ports or volumes, or that running pods repel.`; otherwise nothing.
[[nodiscard]] auto not_covered(const Space& space) -> std::string;

/// Returns the parts of `all` that a pod can have: users create classes up to 1,000,000,000; the two system classes
/// have fixed values.
/// Source: kubernetes: pkg/apis/scheduling/types.go HighestUserDefinablePriority, SystemCriticalPriority; v1.35.4.
[[nodiscard]] auto possible(const Priorities& all) -> std::vector<Priorities>;

/// Returns the priority that follows this one among those that a pod can have; 0 for the highest.
[[nodiscard]] auto next_possible(std::int64_t priority) -> std::int64_t;

/// Returns the parts of `all` in each of which the scheduler treats all preemptors on this node alike. It compares a
/// preemptor's priority only with those of pods on the node or nominated to it, and with the
/// minimum-preemptable-priority of their classes. `nominees`: the pending pods that are nominated to some node.
[[nodiscard]] auto intervals_on(const Snapshot& cluster, NodeId node, std::span<const PodId> nominees,
                                const Priorities& all) -> std::vector<Priorities>;

}  // namespace previct::prove
