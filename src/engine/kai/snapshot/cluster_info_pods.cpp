#include "engine/kai/snapshot/cluster_info_builder.h"

#include <algorithm>

namespace previct::kai {
namespace {

auto pair_key(Symbol a, Symbol b) -> std::uint64_t {
  return (static_cast<std::uint64_t>(a.index) << 32U) | b.index;
}

// Source: api/bindrequest_info IsFailed.
auto has_failed(const Snapshot& cluster, const BindRequest& request) -> bool {
  if (cluster.text(request.status.phase) != "Failed") return false;
  return !request.spec.backoff_limit || request.status.failed_attempts >= *request.spec.backoff_limit;
}

constexpr std::string_view kScalingApp = "scaling-pod";

}  // namespace

auto is_being_bound(const Snapshot& cluster, PodId id) -> bool {
  const Pod& pod = cluster.pod(id);
  bool bound_soon = false;
  for (const BindRequest& request : cluster.objects().kai_bind_requests) {
    if (request.meta.ns == pod.meta.ns && request.spec.pod_name == pod.meta.name &&
        cluster.find_node(request.spec.selected_node))
      bound_soon = !has_failed(cluster, request);
  }
  return bound_soon;
}

void ClusterInfo::Builder::add_pods(const AssumedGroup* assumed) {
  for (const BindRequest& request : objects().kai_bind_requests) {
    const auto shard_node = shard_node_of_.find(request.spec.selected_node.index);
    if (shard_node == shard_node_of_.end()) continue;
    const std::uint64_t key = pair_key(request.meta.ns, request.spec.pod_name);
    // If a pod has several requests, the last one counts, even if it has failed.
    binding_.insert_or_assign(key, has_failed(cluster_, request) ? Binding{} : Binding{shard_node->second, &request});
  }
  app_key_ = cluster_.symbol("app");
  group_key_ = cluster_.symbol("pod-group-name");
  sub_group_key_ = cluster_.symbol("kai.scheduler/subgroup-name");
  std::vector<bool> in_assumed(cluster_.pods().size(), false);
  if (assumed != nullptr) {
    for (const PodId pod : assumed->pods) in_assumed[pod.index] = true;
  }
  const Release& release = cluster_info_.settings_.running.release;
  cluster_info_.tasks_.items().reserve(cluster_.pods().size());
  cluster_info_.gpus_.items().reserve(cluster_.pods().size());
  cluster_info_.requests_.reserve(cluster_.pods().size() * cluster_info_.dims());
  for (const PodId id : cluster_.pods().ids()) {
    const Symbol phase = cluster_.pod(id).status.phase;
    if (phase == cluster_.known().failed) continue;
    if (phase == cluster_.known().succeeded && release.has(Change::succeeded_pods_are_left_out)) continue;
    add_pod(id, in_assumed[id.index]);
  }
}

void ClusterInfo::Builder::add_pod(PodId id, bool in_assumed) {
  const Pod& pod = cluster_.pod(id);
  Task task;
  task.pod = id;
  const auto found = binding_.find(pair_key(pod.meta.ns, pod.meta.name));
  const Binding* binding = found != binding_.end() && found->second.request != nullptr ? &found->second : nullptr;
  task.status = status_of(pod, binding != nullptr);
  task.on_node = pod.spec.node_name || binding != nullptr;
  if (pod.spec.node_name) {
    const auto shard_node = shard_node_of_.find(pod.spec.node_name.index);
    if (shard_node != shard_node_of_.end()) {
      task.shard_node = shard_node->second;
    } else {
      task.lost_node = pod.spec.node_name;
    }
  } else if (binding != nullptr) {
    task.shard_node = binding->shard_node;
  }
  const bool succeeded = task.status == Status::succeeded;
  if (succeeded) {
    task.on_node = false;
    task.shard_node = {};
    task.lost_node = {};
  }
  task.reserves = label(pod.meta, app_key_) == cluster_info_.settings_.reservation_app;
  task.charged = static_cast<bool>(task.shard_node) && kActiveUsed.has(task.status);
  const Resources::OfPod asked = cluster_info_.resources_.of_pod(pod, counted_of(pod, succeeded, in_assumed));
  const std::vector<GpuGroupId> groups = asked.gpu.is_shared() ? groups_of(pod, binding) : std::vector<GpuGroupId>();
  if (task.charged) {
    settle(task, asked, groups, pod);
    cluster_info_.residents_[task.shard_node].push_back(id);
  }
  if (!join(task, pod, in_assumed)) return;
  cluster_info_.requests_.insert(cluster_info_.requests_.end(), asked.request.begin(), asked.request.end());
  const TaskId joined = cluster_info_.tasks_.add(task);
  cluster_info_.gpus_.add(asked.gpu);
  if (!groups.empty()) cluster_info_.gpu_groups_.emplace(joined.index, groups);
}

auto ClusterInfo::Builder::status_of(const Pod& pod, bool bound_soon) const -> Status {
  const std::string_view phase = text(pod.status.phase);
  const std::optional<Instant>& deleting = pod.meta.deleting;
  if (phase == "Running") {
    if (!deleting) return Status::running;
    if (!cluster_info_.settings_.running.release.has(Change::stuck_pods)) return Status::releasing;
    // Strictly more than the threshold.
    return now_.reached(deleting->plus_nanos(cluster_info_.settings_.stuck_threshold).plus_nanos(1))
               ? Status::stuck
               : Status::releasing;
  }
  if (phase == "Pending" || phase.empty()) {
    if (deleting) return Status::releasing;
    if (pod.spec.node_name) return Status::bound;
    if (bound_soon) return Status::binding;
    return pod.spec.scheduling_gates.empty() ? Status::pending : Status::gated;
  }
  return phase == "Succeeded" ? Status::succeeded : Status::unknown;
}

auto ClusterInfo::Builder::counted_of(const Pod& pod, bool succeeded, bool in_assumed) const -> Resources::Counted {
  if (succeeded) return Resources::Counted::slot;
  const bool grouped = in_assumed || (group_key_ && !text(pod.meta.annotations.get(group_key_)).empty());
  const bool needs_a_group = cluster_info_.settings_.running.release.has(Change::gpu_annotations_need_a_group);
  return grouped || !needs_a_group ? Resources::Counted::all : Resources::Counted::containers;
}

auto ClusterInfo::Builder::groups_of(const Pod& pod, const Binding* binding) const -> std::vector<GpuGroupId> {
  std::vector<GpuGroupId> groups;
  if (binding != nullptr && !binding->request->spec.gpu_groups.empty()) {
    for (const Symbol group : binding->request->spec.gpu_groups) groups.push_back({group.index});
    return groups;
  }
  for (const Symbol group : gpu_groups_of(cluster_, pod)) groups.push_back({group.index});
  return groups;
}

// Subtracts the pod's requests from its node. Dimensions that the node does not have are not charged; a shared GPU is
// charged to its GPU group.
void ClusterInfo::Builder::settle(const Task& task, const Resources::OfPod& asked, std::span<const GpuGroupId> groups,
                                  const Pod& pod) {
  ShardNode& shard_node = cluster_info_.shard_nodes_[task.shard_node];
  const std::size_t at = task.shard_node.index * cluster_info_.dims();
  SharedGpus& shared = cluster_info_.shared_gpus_[task.shard_node];
  const bool whole_gpus = asked.gpu.kind == GpuRequest::Kind::whole && !task.reserves;
  for (std::size_t i = 0; i < cluster_info_.dims(); ++i) {
    if (cluster_info_.allocatable_[at + i] == 0 || (i == kGpu && !whole_gpus)) continue;
    cluster_info_.idle_[at + i] -= asked.request[i];
    if (task.status == Status::releasing) cluster_info_.releasing_[at + i] += asked.request[i];
    if (i == kGpu) shared.use_whole(asked.request[i]);
  }
  if (asked.gpu.is_shared()) {
    shared.add(task.status, groups, shard_node.gpu.memory_for(asked.gpu),
               {cluster_info_.idle_[at + kGpu], cluster_info_.releasing_[at + kGpu], shard_node.gpu_count,
                shard_node.gpu.memory});
  }
  shard_node.has_legacy_mig = shard_node.has_legacy_mig || asked.gpu.legacy_mig;
  const bool utility = task.reserves || label(pod.meta, app_key_) == kScalingApp;
  if (utility || text(pod.spec.scheduler_name) == cluster_info_.settings_.scheduler_name) return;
  Share& foreign = foreign_[task.shard_node.index];
  foreign[kCpu] += asked.request[kCpu];
  foreign[kMemory] += asked.request[kMemory];
  for (std::size_t i = kGpu; i < cluster_info_.dims(); ++i) {
    foreign[kGpu] += cluster_info_.resources_.gpus_per_unit()[i] * asked.request[i];
  }
}

// Adds the pod to its group; returns false if it has none.
auto ClusterInfo::Builder::join(Task& task, const Pod& pod, bool in_assumed) -> bool {
  if (in_assumed) {
    task.group = assumed_;
  } else {
    const Symbol name = group_key_ ? pod.meta.annotations.get(group_key_) : Symbol{};
    const auto found = name ? group_of_.find(name.index) : group_of_.end();
    if (found == group_of_.end()) return false;
    task.group = found->second;
  }
  const Group& group = cluster_info_.groups_[task.group];
  std::string_view wanted = sub_group_key_ ? text(pod.meta.labels.get(sub_group_key_)) : std::string_view();
  const Release& release = cluster_info_.settings_.running.release;
  if (wanted.empty() || !release.has(Change::pods_of_other_sub_groups_are_left_out)) wanted = "default";
  for (std::uint32_t i = 0; i < group.sets; ++i) {
    if (cluster_info_.sets_[group.set(i)].name == wanted) task.set = group.set(i);
  }
  return static_cast<bool>(task.set);
}

// Source: plugins/proportion getNodeResources.
void ClusterInfo::Builder::sum_up() {
  for (const ShardNodeId id : cluster_info_.shard_nodes_.ids()) {
    const ShardNode& shard_node = cluster_info_.shard_nodes_[id];
    if (!shard_node.available) continue;
    const double* allocatable = cluster_info_.allocatable(id);
    Share& total = cluster_info_.total_;
    total[kCpu] += allocatable[kCpu];
    total[kMemory] += allocatable[kMemory];
    const bool twice = cluster_info_.settings_.running.release.has(Change::mig_devices_count_twice);
    const bool gpus = shard_node.is_gpu_worker || !cluster_info_.settings_.restrict_nodes;
    for (std::size_t i = kGpu; gpus && i < cluster_info_.dims(); ++i) {
      const double times = twice && i != kGpu ? 2 : 1;
      total[kGpu] += times * cluster_info_.resources_.gpus_per_unit()[i] * allocatable[i];
    }
    take_from(total, foreign_[id.index]);
  }
}

}  // namespace previct::kai
