#pragma once

#include "engine/kai/actions/pod_filters.h"
#include "engine/kai/actions/preferences.h"
#include "engine/kai/actions/topology.h"
#include "engine/kai/rules.h"
#include "engine/kai/session/task_selection.h"

#include <span>

namespace previct::kai {

/// Return the rule by which a node rejects a task whatever is evicted, or Rule::candidate: the state of the node and
/// its GPUs; the labels, affinity and taints. PodFilters come after both. Source: plugins/predicates;
/// api/node_info/node_info.go PredicateByNodeResourcesType.
[[nodiscard]] auto node_refusal(const ClusterInfo& cluster_info, TaskId task, ShardNodeId shard_node) -> Rule;
[[nodiscard]] auto label_refusal(const ClusterInfo& cluster_info, TaskId task, ShardNodeId shard_node) -> Rule;

/// Places chunks of groups onto nodes.
/// Source: kai-scheduler/KAI-Scheduler pkg/scheduler/actions/common/allocate.go, gpu_sharing/gpuSharing.go; plugins
/// nodeplacement, resourcetype, nodeavailability, nominatednode, gpusharingorder, gpupack, gpuspread,
/// proportion/capacity_policy.
class NodePlacer {
 public:
  explicit NodePlacer(Session& session);

  /// Places the whole chunk, or nothing. With `only_reserve`, all tasks are pipelined, as in simulations; otherwise the
  /// tasks that fit now are allocated. `view` orders the pod sets. If it returns false, the statement is unchanged.
  auto place(Statement& statement, std::span<const ShardNodeId> shard_nodes, GroupId group, const GroupView& view,
             const std::vector<CopyId>& chunk, bool only_reserve) -> bool;

  /// Returns true if these requests would put the queue or an ancestor above its limit, or a non-preemptible group
  /// above the quota.
  [[nodiscard]] auto over_capacity(GroupId group, const Share& request) const -> bool;
  [[nodiscard]] auto over_quota(GroupId group, const Share& request) const -> bool;
  /// Returns what a chunk counts against limits and quotas: GPU memory as parts of the largest GPU of any node.
  [[nodiscard]] auto request_of(const std::vector<CopyId>& chunk) const -> Share;

  /// Returns true if some task of the chunk requests more of a resource than the largest node has.
  [[nodiscard]] auto too_large(const std::vector<CopyId>& chunk) const -> bool;
  /// Returns the rule that rejects a task of the chunk on every node whatever is evicted, or Rule::candidate.
  [[nodiscard]] auto hopeless(const std::vector<CopyId>& chunk) -> Rule;

  /// Every node of the shard.
  [[nodiscard]] auto all_shard_nodes() const -> const std::vector<ShardNodeId>& { return all_shard_nodes_; }

 private:
  struct Demand;
  struct Attempt;

  auto place_inner(Attempt& attempt, std::uint32_t inner, const std::vector<CopyId>& tasks,
                   std::span<const ShardNodeId> shard_nodes) -> bool;
  auto place_members(Attempt& attempt, std::uint32_t inner, const std::vector<CopyId>& tasks,
                     std::span<const ShardNodeId> shard_nodes) -> bool;
  auto place_set(Attempt& attempt, std::uint32_t set, const std::vector<CopyId>& tasks,
                 std::span<const ShardNodeId> shard_nodes) -> bool;
  auto place_task(Attempt& attempt, std::uint32_t set, CopyId copy, std::span<const ShardNodeId> shard_nodes) -> bool;
  auto put_on(Attempt& attempt, CopyId copy, ShardNodeId shard_node) -> bool;
  [[nodiscard]] auto best_shard_node(const Demand& demand, std::span<const ShardNodeId> shard_nodes) -> ShardNodeId;
  // Returns true if the task may run on the node at all: checks whether the node is available, the kind of GPU, node
  // selector and affinity, taints, ports, pod affinity, volumes, and the limits of its queue.
  [[nodiscard]] auto accepts(TaskId task, ShardNodeId shard_node) -> bool;
  [[nodiscard]] auto score(const Demand& demand, ShardNodeId shard_node, double low, double high) const -> double;
  [[nodiscard]] auto fits(TaskId task, ShardNodeId shard_node, bool later) const -> bool;
  [[nodiscard]] auto has_slots(TaskId task, ShardNodeId shard_node) const -> bool;
  // Returns true if a task that requests no more than this one of anything fits on no node of the shard.
  [[nodiscard]] auto is_full_for(TaskId task) -> bool;

  // Shared GPUs for a task on a node.
  struct SharedChoice {
    std::vector<GpuGroupId> gpus{};  ///< empty: not enough GPUs
    bool only_later = false;         ///< true: they are not free yet
  };
  [[nodiscard]] auto choose_gpus(TaskId task, ShardNodeId shard_node, bool only_reserve) const -> SharedChoice;

  Session& session_;
  const ClusterInfo& cluster_info_;
  PodFilters filters_;
  Preferences preferences_;
  TopologyPlugin topology_;
  std::vector<ShardNodeId> all_shard_nodes_;
  std::vector<ShardNodeId> refused_;  ///< nodes that rejected the current task
  std::vector<TaskId> too_many_;      ///< some tasks that fit on no node since `full_since_`; none shares a GPU
  std::uint64_t full_since_ = 0;      ///< Session::freed_version()
};

}  // namespace previct::kai
