#pragma once

#include "engine/kube/attempt.h"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace previct::kube {

/// What a set of victims costs: the first four criteria of the choice among nodes, in their order.
/// Source: preemption/preemption.go pickOneNodeForPreemption.
struct Price {
  std::int64_t violations = 0;    ///< victims that violate a budget, as the scheduler counts them on the node
  std::int64_t highest = 0;       ///< priority of the most important victim
  std::int64_t priority_sum = 0;  ///< Σ (priority + 2³¹)
  std::int64_t count = 0;

  friend auto operator<=>(const Price&, const Price&) = default;
};
[[nodiscard]] auto price_of(const DryRun& run) -> Price;

/// The best sets of pods whose eviction from one node lets a preemptor in, whatever order the scheduler keeps pods in.
/// Unless the search stopped, no other set of any node is better.
struct SmallestSets {
  struct Found {
    NodeId node;
    std::vector<PodId> pods;  ///< highest priority first
    Price price;
  };

  Price scheduler;                ///< of the victims that the scheduler chooses
  std::optional<Found> fewest;    ///< with fewer pods than these; of all such sets, the cheapest with the fewest pods
  std::optional<Found> cheapest;  ///< cheaper than these; of all such sets, the cheapest
  std::size_t nodes = 0;          ///< nodes that were searched
  std::vector<NodeId> open;       ///< of these, where the search stopped, or the order of budgets decides
  std::size_t steps = 2'000'000;  ///< how many times a pod may still be put back on its node, on all nodes
};

/// A potential victim of the searched node.
struct Removable {
  const PodInfo* pod = nullptr;
  bool violating = false;  ///< it violates a budget if it is evicted
};

/// Searches the node that `trial` has entered for better sets than those in `sets`. `pods`: all potential victims,
/// already removed from the node; the incoming pod fits without them.
///
/// A set that is not needed as a whole is never better than the part that is. So the search puts pods back, one after
/// the other, and leaves out branches that cannot become better: with each resource alone, it computes how many of the
/// other pods can be put back at most. It requires that evicting a pod never makes the incoming pod fit less.
void look_for_better_sets(const NodeInfoSnapshot& node_infos, NodeTrial& trial, std::span<const PodInfo> nominated,
                          NodeId node, const std::vector<Removable>& pods, SmallestSets& sets);

/// Returns the best sets for a pod, on all nodes on which `decision` found victims. `decision`: of the pod alone, with
/// a chosen node, and for a pod without required pod affinity.
[[nodiscard]] auto smallest_sets(NodeInfoSnapshot& node_infos, const Budgets& budgets, PodId pod,
                                 const Profile& profile, Instant now, const Decision& decision) -> SmallestSets;

}  // namespace previct::kube
