#pragma once

#include "engine/kai/actions/pod_filters.h"
#include "engine/kai/actions/preferences.h"
#include "engine/kai/actions/topology.h"
#include "engine/kai/rules.h"
#include "engine/kai/session/task_selection.h"

#include <span>

namespace previct::kai {

/// Puts chunks of groups onto nodes.
/// Source: kai-scheduler/KAI-Scheduler pkg/scheduler/actions/common/allocate.go, gpu_sharing/gpuSharing.go; plugins
/// nodeplacement, resourcetype, nodeavailability, nominatednode, gpusharingorder, gpupack, gpuspread,
/// proportion/capacity_policy.
class Placing {
 public:
  explicit Placing(Session& session);

  /// Places the chunk, all or nothing. `only_reserve`: everything is pipelined, as in simulations; otherwise what fits
  /// now is allocated. `view` orders the pod sets. On false the statement is as before.
  auto place(Statement& statement, std::span<const ShardNodeId> shard_nodes, GroupId group, const GroupView& view,
             const std::vector<CopyId>& chunk, bool only_reserve) -> bool;

  /// Would the queue (or one above) pass its limit, or a non-preemptible group its quota, with these requests?
  [[nodiscard]] auto over_capacity(GroupId group, const Share& request) const -> bool;
  [[nodiscard]] auto over_quota(GroupId group, const Share& request) const -> bool;
  /// What a chunk counts there: memory of GPUs as parts of the largest there is.
  [[nodiscard]] auto request_of(const std::vector<CopyId>& chunk) const -> Share;

  /// Does some task of the chunk ask more of a resource than the largest node has?
  [[nodiscard]] auto too_large(const std::vector<CopyId>& chunk) const -> bool;
  /// Is there something that refuses a task of the chunk on every node, whoever is evicted? Rule::candidate if not.
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
  // May the task be on the node at all: available to the shard, kind of GPU, node selector and affinity, taints, ports,
  // pod affinity, volumes, and what its queue may have there.
  [[nodiscard]] auto accepts(TaskId task, ShardNodeId shard_node) -> bool;
  [[nodiscard]] auto score(const Demand& demand, ShardNodeId shard_node, double low, double high) const -> double;
  [[nodiscard]] auto fits(TaskId task, ShardNodeId shard_node, bool later) const -> bool;
  [[nodiscard]] auto kind_of_gpu_suits(TaskId task, const ShardNode& shard_node) const -> bool;
  [[nodiscard]] auto has_slots(TaskId task, ShardNodeId shard_node) const -> bool;

  // Shared GPUs for a task on a node.
  struct SharedChoice {
    std::vector<GpuGroupId> gpus{};  ///< none: not enough
    bool only_later = false;         ///< not free yet
  };
  [[nodiscard]] auto choose_gpus(TaskId task, ShardNodeId shard_node, bool only_reserve) const -> SharedChoice;

  Session& session_;
  const ClusterInfo& cluster_info_;
  PodFilters filters_;
  Preferences preferences_;
  TopologyPlugin topology_;
  std::vector<ShardNodeId> all_shard_nodes_;
  std::vector<ShardNodeId> refused_;  ///< of the task at hand
};

}  // namespace previct::kai
