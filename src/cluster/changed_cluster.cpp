#include "cluster/changed_cluster.h"

#include "cluster/claim_users.h"
#include "cluster/matching.h"

#include <algorithm>
#include <utility>

namespace previct {
namespace {

// Returns the object for modification, and keeps its state before the first one.
template <class Object>
auto kept(std::size_t index, std::vector<Object>& objects, std::unordered_map<std::size_t, Object>& before) -> Object& {
  before.try_emplace(index, objects[index]);
  return objects[index];
}

template <class Object>
void restore(std::unordered_map<std::size_t, Object>& before, std::vector<Object>& objects) {
  for (auto& [index, object] : before) objects[index] = std::move(object);
}

// Returns the list for modification: a copy, while `before` keeps the list itself, into which snapshots may point.
template <class Object>
auto kept(std::vector<Object>& objects, std::optional<std::vector<Object>>& before) -> std::vector<Object>& {
  if (!before) {
    std::vector<Object> copy = objects;
    before = std::exchange(objects, std::move(copy));
  }
  return objects;
}

template <class Object>
void restore(std::optional<std::vector<Object>>& before, std::vector<Object>& objects) {
  if (before) objects = *std::move(before);
}

}  // namespace

ChangedCluster::ChangedCluster(Objects& objects)
    : objects_(objects),
      pods_(objects.pods.size()),
      nodes_(objects.nodes.size()),
      removed_running_before_(objects.overlaid.removed_running),
      removed_nodes_before_(objects.overlaid.removed_nodes.size()) {
  ++objects.changes;
  // If no pod runs any more, the changes are the cause.
  const auto runs = [](const Pod& pod) { return bool{pod.spec.node_name}; };
  objects.overlaid.removed_running =
      removed_running_before_ || std::any_of(objects.pods.begin(), objects.pods.end(), runs);
}

ChangedCluster::~ChangedCluster() {
  objects_.overlaid.removed_running = removed_running_before_;
  objects_.overlaid.removed_nodes.resize(removed_nodes_before_);
  for (auto& [index, pod] : pods_before_) objects_.pods.items()[index] = std::move(pod);
  objects_.pods.items().resize(pods_);
  if (all_nodes_before_.empty()) {
    objects_.nodes.items().resize(nodes_);
    for (auto& [index, node] : nodes_before_) objects_.nodes.items()[index] = std::move(node);
  } else {
    objects_.nodes.items() = std::move(all_nodes_before_);
  }
  restore(claims_before_, objects_.resource_claims);
  restore(volume_claims_before_, objects_.persistent_volume_claims);
  restore(volumes_before_, objects_.persistent_volumes);
  restore(attachments_before_, objects_.volume_attachments);
  restore(slices_before_, objects_.resource_slices);
  restore(csi_nodes_before_, objects_.csi_nodes);
  restore(budgets_before_, objects_.disruption_budgets);
  restore(classes_before_, objects_.priority_classes);
  restore(kai_groups_before_, objects_.kai_pod_groups);
  restore(kai_queues_before_, objects_.kai_queues);
  restore(cluster_queues_before_, objects_.cluster_queues);
  restore(cohorts_before_, objects_.cohorts);
  restore(local_queues_before_, objects_.local_queues);
  restore(kueue_workloads_before_, objects_.kueue_workloads);
}

auto ChangedCluster::pod(PodId id) -> Pod& {
  Pod& pod = objects_.pods[id];
  pods_before_.try_emplace(id.index, pod);
  return pod;
}

auto ChangedCluster::node(NodeId id) -> Node& {
  Node& node = objects_.nodes[id];
  if (id.index < nodes_) nodes_before_.try_emplace(id.index, node);
  return node;
}

auto ChangedCluster::budget(std::size_t index) -> PodDisruptionBudget& {
  return kept(index, objects_.disruption_budgets, budgets_before_);
}

auto ChangedCluster::resource_claims() -> std::vector<ResourceClaim>& {
  return kept(objects_.resource_claims, claims_before_);
}

auto ChangedCluster::volume_claims() -> std::vector<PersistentVolumeClaim>& {
  return kept(objects_.persistent_volume_claims, volume_claims_before_);
}

auto ChangedCluster::volumes() -> std::vector<PersistentVolume>& {
  return kept(objects_.persistent_volumes, volumes_before_);
}

auto ChangedCluster::volume_attachments() -> std::vector<VolumeAttachment>& {
  return kept(objects_.volume_attachments, attachments_before_);
}

auto ChangedCluster::resource_slices() -> std::vector<ResourceSlice>& {
  return kept(objects_.resource_slices, slices_before_);
}

auto ChangedCluster::csi_nodes() -> std::vector<CsiNode>& {
  return kept(objects_.csi_nodes, csi_nodes_before_);
}

auto ChangedCluster::priority_class(std::size_t index) -> PriorityClass& {
  return kept(index, objects_.priority_classes, classes_before_);
}

auto ChangedCluster::kai_group(std::size_t index) -> kai::PodGroup& {
  return kept(index, objects_.kai_pod_groups, kai_groups_before_);
}

auto ChangedCluster::kai_queue(std::size_t index) -> kai::Queue& {
  return kept(index, objects_.kai_queues, kai_queues_before_);
}

auto ChangedCluster::cluster_queue(std::size_t index) -> kueue::ClusterQueue& {
  return kept(index, objects_.cluster_queues, cluster_queues_before_);
}

auto ChangedCluster::cohort(std::size_t index) -> kueue::Cohort& {
  return kept(index, objects_.cohorts, cohorts_before_);
}

auto ChangedCluster::local_queue(std::size_t index) -> kueue::LocalQueue& {
  return kept(index, objects_.local_queues, local_queues_before_);
}

auto ChangedCluster::kueue_workload(std::size_t index) -> kueue::Workload& {
  return kept(index, objects_.kueue_workloads, kueue_workloads_before_);
}

auto ChangedCluster::before(PodId id) const -> const Pod& {
  const auto found = pods_before_.find(id.index);
  return found == pods_before_.end() ? objects_.pods[id] : found->second;
}

auto ChangedCluster::changed_pods() const -> std::vector<PodId> {
  std::vector<PodId> pods;
  for (const auto& [index, pod] : pods_before_) pods.push_back(PodId{index});
  for (std::size_t i = pods_; i < objects_.pods.size(); ++i) pods.push_back(PodId{static_cast<std::uint32_t>(i)});
  std::sort(pods.begin(), pods.end());
  pods.erase(std::unique(pods.begin(), pods.end()), pods.end());
  return pods;
}

void ChangedCluster::remove_nodes(const std::function<bool(const Node&)>& which) {
  std::vector<Node>& nodes = objects_.nodes.items();
  if (std::none_of(nodes.begin(), nodes.end(), which)) return;
  all_nodes_before_ = nodes;
  std::erase_if(nodes, which);
}

void ChangedCluster::bind(PodId id, Symbol node, Instant at) {
  Symbols& symbols = objects_.symbols;
  const Instant written{at.seconds, 0};
  const Symbol type = symbols.intern("PodScheduled");
  Pod& changed = pod(id);
  changed.spec.node_name = node;
  changed.status.nominated_node_name = {};
  changed.status.phase = symbols.intern("Running");
  changed.status.start_time = written;
  erase_if(changed.status.conditions, [&](const Condition& c) { return c.type == type; });
  changed.status.conditions.push_back(
      {.type = type, .status = symbols.intern("True"), .reason = {}, .last_transition = written});
}

void ChangedCluster::release(PodId id) {
  const auto uses = [&](const ResourceClaim& claim) { return is_reserved_for(claim, objects_.pods[id]); };
  if (std::any_of(objects_.resource_claims.begin(), objects_.resource_claims.end(), uses)) {
    for (ResourceClaim& claim : resource_claims()) leave(objects_.pods[id], claim);
  }
  Pod& changed = pod(id);
  changed.meta.deleting.reset();
  changed.meta.deletion_grace_seconds.reset();
  changed.spec.node_name = {};
  changed.status = {};
  changed.status.phase = objects_.symbols.intern("Pending");
}

void ChangedCluster::hide(PodId id) {
  pod(id).status.phase = objects_.symbols.intern("Failed");
}

void ChangedCluster::remove(PodId id) {
  const Pod& gone = objects_.pods[id];
  if (uses_claims(gone, objects_)) release_claims_of(gone, resource_claims());
  hide(id);
}

void ChangedCluster::evict(PodId id) {
  shift_budgets_of(objects_.pods[id], -1);
  remove(id);
}

auto ChangedCluster::shift_budget(std::size_t index, std::int32_t by) -> std::int32_t {
  PodDisruptionBudgetStatus& status = budget(index).status;
  std::int64_t surplus = std::int64_t{status.disruptions_allowed} + by;
  // While fewer pods are healthy than desired, a pod that becomes healthy allows no disruption.
  if (status.current_healthy && status.desired_healthy) {
    *status.current_healthy += by;
    surplus = *status.current_healthy - *status.desired_healthy;
  }
  status.disruptions_allowed = static_cast<std::int32_t>(std::clamp<std::int64_t>(surplus, 0, INT32_MAX));
  return status.disruptions_allowed;
}

auto ChangedCluster::shift_budgets_of(const Pod& pod, std::int32_t by) -> bool {
  if (!counts_as_healthy(pod, objects_.symbols)) return false;
  bool any = false;
  for (std::size_t i = 0; i < objects_.disruption_budgets.size(); ++i) {
    const PodDisruptionBudget& each = objects_.disruption_budgets[i];
    if (each.meta.ns != pod.meta.ns || !matches(each.spec.selector, pod.meta.labels, objects_.symbols)) continue;
    shift_budget(i, by);
    any = true;
  }
  return any;
}

}  // namespace previct
