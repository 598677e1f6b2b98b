#pragma once

#include "engine/kube/profile.h"

#include <optional>
#include <vector>

namespace previct::kube {

/// How one of the nodes on which a pod fits is chosen.
enum class SelectedBy : std::uint8_t {
  nominated,         ///< the pod fits on its nominated node
  only_node,         ///< it fits on no other node
  no_score_plugins,  ///< nothing scores nodes: the first one found
  scores,
  sample  ///< scores, among the first nodes found
};

/// Which of the nodes on which a pod fits it gets.
/// Source: kubernetes/kubernetes: pkg/scheduler/schedule_one.go schedulePod, prioritizeNodes, selectHost;
/// framework/runtime/framework.go RunPreScorePlugins, RunScorePlugins; v1.31 to v1.37.
struct Selection {
  SelectedBy by = SelectedBy::scores;
  /// Those that may be chosen, in the order of the scheduler's list: of equal totals.
  std::vector<NodeId> best;
  /// The likeliest of them: up to 1.34 one of equal nodes is drawn, since then it is mostly the first.
  NodeId first;

  /// What a plugin gave.
  struct Given {
    const ScorePlugin* plugin = nullptr;
    bool skipped = false;
    std::vector<std::int64_t> scores;  ///< as Score returned them, by place in `nodes`
    std::vector<std::int64_t> normalized;
  };
  /// The nodes on which the pod fits, in the order of the scheduler's list; empty if not all of them are scored.
  std::vector<NodeId> nodes;
  std::vector<Given> given;          ///< in the order in which plugins run; not modelled ones are left out
  std::vector<std::int64_t> totals;  ///< by place in `nodes`

  /// By sample: the nodes with the best total, for some places in the list at which the search may begin. No input
  /// shows which of them it is.
  struct Sample {
    std::vector<NodeId> best;
    std::size_t starts = 0;
  };
  std::vector<Sample> samples;  ///< empty: they are too many to list
  std::size_t sample_size = 0;  ///< as many nodes are looked for
  std::size_t starts = 0;       ///< places at which the search may begin
  std::vector<double> shares;   ///< by place in `best`: the share of the starts that lead to the node; empty: all do

  /// What would have to be known to say which node it is; `possible` may be chosen then.
  std::vector<Gap> doubts;
  std::vector<NodeId> possible;

  /// Are only some of these nodes scored, which of them is not known?
  [[nodiscard]] auto leaves_out_some() const -> bool { return by == SelectedBy::sample && nodes.empty(); }
};

/// Of `feasible`, in the order of the input; `nodes_to_find`: where the search stops. Fails with what the attempt ends
/// in if a plugin's PreScore or Score does.
struct SelectionRequest {
  const Incoming& incoming;
  const Profile& profile;
  const std::vector<NodeId>& feasible;
  std::size_t nodes_to_find = 0;
  const std::vector<char>& searched;  ///< by node: is it among those that PreFilter leaves?
};
struct SelectionResult {
  std::optional<Selection> selection;
  std::optional<Reason> error;
};
[[nodiscard]] auto select_node(const SelectionRequest& request) -> SelectionResult;

/// The nodes in the order of upstream's snapshot: one of each zone in turn, zones and nodes as the cluster has them.
/// Source: pkg/scheduler/backend/cache/node_tree.go list; component-helpers node/topology GetZoneKey; v1.35.4.
[[nodiscard]] auto snapshot_order(const Snapshot& cluster) -> const std::vector<NodeId>&;

}  // namespace previct::kube
