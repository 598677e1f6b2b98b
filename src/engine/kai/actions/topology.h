#pragma once

#include "engine/kai/session/task_selection.h"
#include "engine/kai/snapshot/topology_tree.h"

#include <map>
#include <span>

namespace previct::kai {

/// Where the pods below a topology constraint may be placed: lists of nodes to try in order, and the nodes preferred
/// among them.
/// Source: kai-scheduler/KAI-Scheduler pkg/scheduler/plugins/topology/job_filtering.go, node_scoring.go.
class TopologyPlugin {
 public:
  explicit TopologyPlugin(const Session& session);

  /// Clears the preferences before the next group is placed.
  void begin_group() { scores_.clear(); }

  /// Returns the node lists for the tasks below one node of a group's tree, which is called `name`. `sets`: its pod
  /// sets that contain the tasks. Empty: no node is suitable.
  [[nodiscard]] auto candidates(const TopologyTerm& term, std::string_view name, const std::vector<CopyId>& tasks,
                                const std::vector<const SetView*>& sets, std::span<const ShardNodeId> shard_nodes)
      -> std::vector<std::vector<ShardNodeId>>;

  /// Returns points by node for the tasks of a pod set: its own, or those of the nearest tree node above it; null if
  /// there are none. A node with a negative number must not be used.
  [[nodiscard]] auto scores_for(const GroupView& view, std::uint32_t set) const -> const std::vector<double>*;

 private:
  struct State;  // of one call

  [[nodiscard]] auto state_of(TopologyTree& tree, const std::vector<CopyId>& tasks,
                              std::span<const ShardNodeId> shard_nodes) const -> State;
  [[nodiscard]] auto lists_of(const State& state, const std::vector<std::int32_t>& levels,
                              const std::vector<char>& usable) const -> std::vector<std::vector<ShardNodeId>>;
  void sum_free(State& state, std::uint32_t domain) const;
  auto count_pods(State& state, std::uint32_t domain) const -> std::int64_t;
  [[nodiscard]] auto pods_in(const State& state, ShardNodeId shard_node) const -> std::int64_t;
  [[nodiscard]] auto ratio(const State& state, std::uint32_t domain) const -> double;
  [[nodiscard]] auto fits(const State& state, std::uint32_t domain) const -> bool;
  void sort_below(const State& state, std::uint32_t domain, std::int32_t deepest);
  void score(const State& state, std::string_view name, std::int32_t level);
  [[nodiscard]] auto start_of(const State& state, const TopologyTerm& term) const -> std::int64_t;
  [[nodiscard]] auto levels_to_try(const State& state, const TopologyTerm& term) const -> std::vector<std::int32_t>;
  void keep_to_running(const State& state, const std::vector<const SetView*>& sets, std::int32_t required,
                       std::vector<char>& usable) const;

  const Session& session_;
  const ClusterInfo& cluster_info_;
  std::vector<TopologyTree> trees_;                                      // children in the order last sorted
  std::map<std::string_view, std::vector<double>, std::less<>> scores_;  // by name
};

}  // namespace previct::kai
