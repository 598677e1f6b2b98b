#pragma once

#include "engine/kube/victims.h"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace previct::kube {

/// Returns true if two pods of a node request the same amounts.
[[nodiscard]] auto same_size(const NodeInfoSnapshot& node_infos, const PodInfo& a, const PodInfo& b) -> bool;
/// Returns true if evicting either pod is the same to filters and budgets.
[[nodiscard]] auto alike(const NodeInfoSnapshot& node_infos, const PodInfo& a, const PodInfo& b) -> bool;

/// The results of preemption on a node in all orders in which the scheduler may keep pods of equal importance. The
/// order follows from the history of its cache, which no dump shows.
/// Source: pkg/scheduler/util/utils.go MoreImportantPod; default_preemption.go SelectVictimsOnNode; v1.35.4.
struct NodeOrders {
  NodeId node;
  std::vector<DryRun> runs;  ///< each set of victims once; sets that differ only in pods that are alike count as one
  std::vector<std::vector<PodId>> kinds;  ///< groups of pods that are alike and of equal importance

  /// Returns true if the pod is evicted in all runs, or in some run, whichever pods of its kind are chosen.
  [[nodiscard]] auto evicted_in_every_order(PodId pod) const -> bool;
  [[nodiscard]] auto evicted_in_some_order(PodId pod) const -> bool;
};

/// Keeps of each node the runs with which it may be chosen: those that no other node beats in all of its runs. Nodes
/// without such runs are removed.
[[nodiscard]] auto keep_choosable(std::vector<NodeOrders> nodes) -> std::vector<NodeOrders>;

/// Returns the results for all orders on the node that `trial` has entered. `potential`: the potential victims, already
/// removed from the node; the incoming pod fits without them. `steps`: how many reprieves may still be tried. Returns
/// nothing if these do not suffice, if the order decides which pods violate a budget, or if several pods have not
/// started.
[[nodiscard]] auto in_every_order(const NodeInfoSnapshot& node_infos, const VictimRules& rules, const Budgets& budgets,
                                  NodeTrial& trial, std::span<const PodInfo> nominated,
                                  std::span<const PodInfo* const> potential, std::size_t& steps)
    -> std::optional<NodeOrders>;

}  // namespace previct::kube
