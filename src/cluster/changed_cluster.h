#pragma once

#include "api/objects.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

namespace previct {

/// A cluster that is changed for a while: a try of `fit`, a play of `sequence`, the state of then for a post-mortem. It
/// changes the objects themselves and puts them back in the end, so that a change costs no copy of the input. Pods are
/// changed and added, never erased, so their ids hold. Snapshots made meanwhile must not outlive it.
///
/// The one place that knows what else moves when a pod comes to a node, leaves it, or goes.
class ChangedCluster {
 public:
  explicit ChangedCluster(Objects& objects);
  ~ChangedCluster();
  ChangedCluster(const ChangedCluster&) = delete;
  auto operator=(const ChangedCluster&) -> ChangedCluster& = delete;

  [[nodiscard]] auto objects() const -> Objects& { return objects_; }

  /// An object of the input, to be changed. The reference holds until something is added.
  [[nodiscard]] auto pod(PodId id) -> Pod&;
  [[nodiscard]] auto node(NodeId id) -> Node&;
  [[nodiscard]] auto budget(std::size_t index) -> PodDisruptionBudget&;
  /// Claims may also be added and taken away.
  [[nodiscard]] auto resource_claims() -> std::vector<ResourceClaim>&;
  [[nodiscard]] auto kai_group(std::size_t index) -> kai::PodGroup&;
  [[nodiscard]] auto cluster_queue(std::size_t index) -> kueue::ClusterQueue&;
  [[nodiscard]] auto kueue_workload(std::size_t index) -> kueue::Workload&;

  /// The pod as it was before its first change.
  [[nodiscard]] auto before(PodId id) const -> const Pod&;
  /// How many pods there were: the ids from here on are those of added ones.
  [[nodiscard]] auto pods_before() const -> std::size_t { return pods_; }

  auto add(Pod pod) -> PodId { return objects_.pods.add(std::move(pod)); }
  auto add(Node node) -> NodeId { return objects_.nodes.add(std::move(node)); }
  /// Takes nodes away. Ids of nodes do not hold behind it, so nodes are neither changed nor added besides.
  void remove_nodes(const std::function<bool(const Node&)>& which);

  /// The pod runs on this node since `at`, of which the API server keeps whole seconds.
  void bind(PodId pod, Symbol node, Instant at);
  /// The pod waits for a node, as if it had never had one.
  void release(PodId pod);
  /// To a scheduler, the pod is not there: a pod that has finished is invisible to it.
  void hide(PodId pod);
  /// The pod is gone, and budgets that speak of it allow one disruption less.
  void evict(PodId pod);

  /// Changes by how many pods of a budget are healthy. Returns what it allows now, never less than 0.
  /// Source: kubernetes pkg/controller/disruption/disruption.go updatePdbStatus.
  auto shift_budget(std::size_t index, std::int32_t by) -> std::int32_t;
  /// Those that speak of the pod, where it counts as healthy. Is there one?
  auto shift_budgets_of(const Pod& pod, std::int32_t by) -> bool;

 private:
  Objects& objects_;
  std::size_t pods_;
  std::size_t nodes_;
  std::unordered_map<std::uint32_t, Pod> pods_before_;  ///< added ones, too: see before()
  std::unordered_map<std::uint32_t, Node> nodes_before_;
  std::unordered_map<std::size_t, PodDisruptionBudget> budgets_before_;
  std::unordered_map<std::size_t, kai::PodGroup> kai_groups_before_;
  std::unordered_map<std::size_t, kueue::ClusterQueue> cluster_queues_before_;
  std::unordered_map<std::size_t, kueue::Workload> kueue_workloads_before_;
  std::vector<Node> all_nodes_before_;  ///< if any was taken away
  std::optional<std::vector<ResourceClaim>> claims_before_;
};

}  // namespace previct
