#pragma once

#include "engine/kube/victims.h"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace previct::kube {

/// Do two pods of a node request the same?
[[nodiscard]] auto same_size(const NodeInfoSnapshot& node_infos, const PodInfo& a, const PodInfo& b) -> bool;
/// Do they free the same room, as far as filters and budgets look?
[[nodiscard]] auto alike(const NodeInfoSnapshot& node_infos, const PodInfo& a, const PodInfo& b) -> bool;

/// What preemption on a node comes to in all the orders in which the scheduler may hold pods of equal importance. They
/// follow from the history of its cache, which no dump shows.
/// Source: pkg/scheduler/util/utils.go MoreImportantPod; default_preemption.go SelectVictimsOnNode; v1.35.4.
struct NodeOrders {
  NodeId node;
  std::vector<DryRun> runs;               ///< each set of victims once, up to pods that are alike
  std::vector<std::vector<PodId>> kinds;  ///< pods that are alike and of equal importance

  /// Does it go in every one of the runs, or in some, whichever of its kind is taken?
  [[nodiscard]] auto goes_always(PodId pod) const -> bool;
  [[nodiscard]] auto goes_ever(PodId pod) const -> bool;
};

/// Leaves each node the runs with which it may be chosen: those that no other node beats in all of its own. Nodes
/// without any are left out.
[[nodiscard]] auto that_may_be_chosen(std::vector<NodeOrders> nodes) -> std::vector<NodeOrders>;

/// `potential`: the pods that may go, taken from the node on which `trial` stands, where the incoming pod fits then.
/// `steps`: how often a pod may still be put back to try it. None if they do not suffice, if the order decides whose
/// budget is exhausted, or if several pods have not started.
[[nodiscard]] auto in_every_order(const NodeInfoSnapshot& node_infos, const VictimRules& rules, const Budgets& budgets,
                                  NodeTrial& trial, std::span<const PodInfo> nominated,
                                  std::span<const PodInfo* const> potential, std::size_t& steps)
    -> std::optional<NodeOrders>;

}  // namespace previct::kube
