#pragma once

#include "engine/kube/profile.h"

#include <optional>
#include <vector>

namespace previct::kube {

/// How one of the feasible nodes is chosen.
enum class SelectedBy : std::uint8_t {
  nominated,         ///< the pod fits on its nominated node
  only_node,         ///< the pod fits on no other node
  no_score_plugins,  ///< nothing scores nodes: the first feasible node found
  scores,
  sample  ///< scores, among the first feasible nodes found
};

/// The choice among the nodes on which a pod fits.
/// Source: kubernetes/kubernetes: pkg/scheduler/schedule_one.go schedulePod, prioritizeNodes, selectHost;
/// framework/runtime/framework.go RunPreScorePlugins, RunScorePlugins; v1.31 to v1.37.
struct Selection {
  SelectedBy by = SelectedBy::scores;
  /// Nodes with the best total, any of which may be chosen, in the order of the scheduler's list.
  std::vector<NodeId> best;
  /// The most likely of them: up to 1.34 a random one of equal nodes is chosen, since 1.35 mostly the first.
  NodeId first;

  /// The scores of one plugin.
  struct Given {
    const ScorePlugin* plugin = nullptr;
    bool skipped = false;
    std::vector<std::int64_t> scores;  ///< as returned by Score, by index in `nodes`
    std::vector<std::int64_t> normalized;
  };
  /// The nodes on which the pod fits, in the order of the scheduler's list; empty if not all of them are scored.
  std::vector<NodeId> nodes;
  std::vector<Given> given;          ///< in the order in which plugins run; without plugins that are not modeled
  std::vector<std::int64_t> totals;  ///< by index in `nodes`

  /// With a sample: the best nodes for some of the positions at which the search may start. No input shows that
  /// position.
  struct Sample {
    std::vector<NodeId> best;
    std::size_t starts = 0;
  };
  std::vector<Sample> samples;  ///< empty: there are too many to list
  std::size_t sample_size = 0;  ///< number of feasible nodes at which the search stops
  std::size_t starts = 0;       ///< number of positions at which the search may start
  /// By index in `best`: the share of the start positions that lead to the node; empty: every position leads to it.
  std::vector<double> shares;

  /// What is not known and may change the choice; then any of `possible` may be chosen.
  std::vector<Gap> doubts;
  std::vector<NodeId> possible;

  /// Returns true if only some of these nodes are scored and it is not known which.
  [[nodiscard]] auto leaves_out_some() const -> bool { return by == SelectedBy::sample && nodes.empty(); }
};

/// Whether an attempt chooses among several feasible nodes.
enum class Chooses : std::uint8_t {
  never,       ///< looks only for errors of score plugins; Decision::selection is not set
  if_certain,  ///< not among samples if a score is in doubt: then only `doubts` and `possible` are set
  always
};

/// The input of select_node(). `feasible` is in the order of the input; `nodes_to_find`: where the search stops. The
/// result is an error if PreScore or Score of a plugin fails, which ends the attempt.
struct SelectionRequest {
  const Incoming& incoming;
  const Profile& profile;
  const std::vector<NodeId>& feasible;
  std::size_t nodes_to_find = 0;
  const std::vector<char>& searched;  ///< by node: whether PreFilter leaves it
  Chooses chooses = Chooses::always;
};
struct SelectionResult {
  std::optional<Selection> selection;
  std::optional<Reason> error;
};
[[nodiscard]] auto select_node(const SelectionRequest& request) -> SelectionResult;

/// Returns the nodes in the order of upstream's snapshot: one of each zone in turn, with zones and nodes in cluster
/// order.
/// Source: pkg/scheduler/backend/cache/node_tree.go list; component-helpers node/topology GetZoneKey; v1.35.4.
[[nodiscard]] auto snapshot_order(const Snapshot& cluster) -> const std::vector<NodeId>&;

}  // namespace previct::kube
