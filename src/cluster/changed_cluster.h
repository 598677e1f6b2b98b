#pragma once

#include "api/objects.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

namespace previct {

/// Temporary changes to a cluster: for an attempt of `fit`, a run of `sequence`, or the earlier state that a
/// post-mortem needs. It changes the objects in place and restores them in its destructor, so that no copy of the input
/// is needed. Pods are changed and added but never erased, so their ids stay valid. Snapshots made in the meantime must
/// not outlive this object.
///
/// All side effects of binding, releasing or evicting a pod are here and nowhere else.
class ChangedCluster {
 public:
  explicit ChangedCluster(Objects& objects);
  ~ChangedCluster();
  ChangedCluster(const ChangedCluster&) = delete;
  auto operator=(const ChangedCluster&) -> ChangedCluster& = delete;

  [[nodiscard]] auto objects() const -> Objects& { return objects_; }

  /// These return an object of the input for modification. The reference is valid until something is added.
  [[nodiscard]] auto pod(PodId id) -> Pod&;
  [[nodiscard]] auto node(NodeId id) -> Node&;
  [[nodiscard]] auto budget(std::size_t index) -> PodDisruptionBudget&;
  /// Of these kinds, objects may also be added and removed. Pointers into the lists of the input stay valid.
  [[nodiscard]] auto resource_claims() -> std::vector<ResourceClaim>&;
  [[nodiscard]] auto volume_claims() -> std::vector<PersistentVolumeClaim>&;
  [[nodiscard]] auto volumes() -> std::vector<PersistentVolume>&;
  [[nodiscard]] auto volume_attachments() -> std::vector<VolumeAttachment>&;
  [[nodiscard]] auto resource_slices() -> std::vector<ResourceSlice>&;
  [[nodiscard]] auto csi_nodes() -> std::vector<CsiNode>&;
  [[nodiscard]] auto priority_class(std::size_t index) -> PriorityClass&;
  [[nodiscard]] auto kai_group(std::size_t index) -> kai::PodGroup&;
  [[nodiscard]] auto kai_queue(std::size_t index) -> kai::Queue&;
  [[nodiscard]] auto cluster_queue(std::size_t index) -> kueue::ClusterQueue&;
  [[nodiscard]] auto cohort(std::size_t index) -> kueue::Cohort&;
  [[nodiscard]] auto local_queue(std::size_t index) -> kueue::LocalQueue&;
  [[nodiscard]] auto kueue_workload(std::size_t index) -> kueue::Workload&;

  /// The pod before its first change.
  [[nodiscard]] auto before(PodId id) const -> const Pod&;
  /// Returns the pods that may have changed, or that were added, by id.
  [[nodiscard]] auto changed_pods() const -> std::vector<PodId>;
  /// Returns true if a disruption budget may have changed.
  [[nodiscard]] auto changes_budgets() const -> bool { return !budgets_before_.empty(); }
  /// The number of pods of the input. Ids from this number on belong to added pods.
  [[nodiscard]] auto pods_before() const -> std::size_t { return pods_; }

  auto add(Pod pod) -> PodId { return objects_.pods.add(std::move(pod)); }
  auto add(Node node) -> NodeId { return objects_.nodes.add(std::move(node)); }
  /// Removes nodes. This invalidates node ids, so do not combine it with changing or adding nodes.
  void remove_nodes(const std::function<bool(const Node&)>& which);

  /// The pod runs on this node since `at`, truncated to whole seconds as in the API server.
  void bind(PodId pod, Symbol node, Instant at);
  /// The pod becomes pending, as if it had never had a node. Devices that only it uses are deallocated.
  void release(PodId pod);
  /// Hides the pod from schedulers: its phase becomes that of a finished pod.
  void hide(PodId pod);
  /// The pod is gone: devices that only it uses are deallocated, and its own claims are deleted.
  void remove(PodId pod);
  /// As remove(). Budgets that select the pod allow one disruption less.
  void evict(PodId pod);

  /// Changes the number of healthy pods of a budget by `by`. Returns the disruptions that it allows now, at least 0.
  /// Source: kubernetes pkg/controller/disruption/disruption.go updatePdbStatus.
  auto shift_budget(std::size_t index, std::int32_t by) -> std::int32_t;
  /// As shift_budget(), for all budgets that select the pod, if it counts as healthy. Returns true if there is such a
  /// budget.
  auto shift_budgets_of(const Pod& pod, std::int32_t by) -> bool;

 private:
  Objects& objects_;
  std::size_t pods_;
  std::size_t nodes_;
  bool removed_running_before_;
  std::size_t removed_nodes_before_;
  std::unordered_map<std::uint32_t, Pod> pods_before_;  ///< includes added pods, see before()
  std::unordered_map<std::uint32_t, Node> nodes_before_;
  std::unordered_map<std::size_t, PodDisruptionBudget> budgets_before_;
  std::unordered_map<std::size_t, PriorityClass> classes_before_;
  std::unordered_map<std::size_t, kai::PodGroup> kai_groups_before_;
  std::unordered_map<std::size_t, kai::Queue> kai_queues_before_;
  std::unordered_map<std::size_t, kueue::ClusterQueue> cluster_queues_before_;
  std::unordered_map<std::size_t, kueue::Cohort> cohorts_before_;
  std::unordered_map<std::size_t, kueue::LocalQueue> local_queues_before_;
  std::unordered_map<std::size_t, kueue::Workload> kueue_workloads_before_;
  std::vector<Node> all_nodes_before_;  ///< set if nodes were removed
  std::optional<std::vector<ResourceClaim>> claims_before_;
  std::optional<std::vector<PersistentVolumeClaim>> volume_claims_before_;
  std::optional<std::vector<PersistentVolume>> volumes_before_;
  std::optional<std::vector<VolumeAttachment>> attachments_before_;
  std::optional<std::vector<ResourceSlice>> slices_before_;
  std::optional<std::vector<CsiNode>> csi_nodes_before_;
};

}  // namespace previct
