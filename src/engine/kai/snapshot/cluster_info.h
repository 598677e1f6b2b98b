#pragma once

#include "base/instant.h"
#include "cluster/snapshot.h"
#include "engine/kai/snapshot/config_maps.h"
#include "engine/kai/snapshot/queue_tree.h"
#include "engine/kai/snapshot/resources.h"
#include "engine/kai/snapshot/shared_gpus.h"
#include "engine/kai/snapshot/types.h"

#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace previct::kai {

/// A node of the shard.
struct ShardNode {
  NodeId node;
  std::string_view name;
  /// Not cordoned, Ready, and no pressure or network condition other than False.
  bool available = true;
  GpuModel gpu{};
  std::int64_t gpu_count = 0;  ///< from the label nvidia.com/gpu.count, else as allocatable
  enum class Mig : std::uint8_t { off, single, mixed, any } mig = Mig::off;
  bool has_legacy_mig = false;  ///< a pod here requested MIG devices by annotation
  bool has_dra_gpus = false;    ///< ResourceSlices report GPUs of the node
  bool is_gpu_worker = false;   ///< has the labels that restrict-node-scheduling requires
  bool is_cpu_worker = false;
};

/// What a group, or a part of it, requests of a topology; aliases of levels are resolved.
struct TopologyTerm {
  bool given = false;
  std::string_view topology;
  std::string_view required;  ///< node label of the level; empty: none
  std::string_view preferred;
};

/// A pod set of a group: `min` of its pods run together, or none runs.
struct PodSet {
  std::string_view name;
  std::int32_t min = 1;
  TopologyTerm topology{};
  std::uint32_t begin = 0;  ///< slots [begin, end): one per pod of the set, in task order
  std::uint32_t end = 0;
};

/// The tree of a group's pod sets, if there is more than one set or a constraint above it. Parents come before
/// children.
struct SubGroupTree {
  struct Inner {
    std::string_view name;
    std::optional<std::int32_t> min;  ///< absent: all children
    std::vector<std::uint32_t> inners;
    std::vector<std::uint32_t> sets;  ///< indexes within the group
    TopologyTerm topology{};

    [[nodiscard]] auto threshold() const -> std::int64_t {
      return min ? *min : static_cast<std::int64_t>(inners.size() + sets.size());
    }
  };
  std::vector<Inner> inners;  ///< the first is the root
};

/// A PodGroup in the snapshot; the state that a cycle changes is in Session.
struct Group {
  const PodGroup* object = nullptr;  ///< null: assumed, see AssumedGroup
  std::string_view name;
  std::string_view ns;
  std::string_view queue_name;
  QueueId queue;  ///< none: no such queue; the group is never scheduled and never a victim
  std::int32_t priority = 0;
  bool preemptible = false;
  bool semi_preemptible = false;  ///< in releases that know it; `preemptible` is then by its priority
  Instant created;
  std::optional<Instant> last_start;
  std::optional<Instant> last_eviction;
  std::optional<Instant> stale_since;
  std::int64_t preemption_delay = 0;  ///< nanoseconds; 0: none
  std::optional<std::int64_t> stale_grace;
  std::uint32_t rank = 0;     ///< order by creation, then name
  std::uint32_t by_name = 0;  ///< its place in ClusterInfo::groups_by_name
  SetId first_set;
  std::uint32_t sets = 0;
  /// Index into ClusterInfo::trees; -1: one set without constraints and nothing else.
  std::int32_t tree = -1;
  bool elastic = false;      ///< some pod set has min < pods, counting pods in every state
  bool shares_gpus = false;  ///< some pod requests a part of a GPU

  [[nodiscard]] auto set(std::uint32_t index) const -> SetId { return SetId{first_set.index + index}; }
};

/// A pod of a group.
struct Task {
  PodId pod;
  GroupId group;
  SetId set;
  std::uint32_t slot = 0;
  Status status = Status::pending;
  ShardNodeId shard_node;  ///< none: no node yet, or none of the shard
  Symbol lost_node;        ///< name of its node, if outside the shard
  bool on_node = false;    ///< has a node, of the shard or not
  bool reserves = false;   ///< reservation pod of a shared GPU: its own GPU is not counted
  bool charged = true;     ///< false: held on a node outside the shard, so it counts in no queue
  /// The same number for tasks of a set whose order among each other the input does not show; 0: the order is known.
  std::uint32_t tie = 0;
};

/// The group that the pod-grouper would create for a pod without a group.
struct AssumedGroup {
  std::string name;
  std::string ns;
  std::string queue;
  std::string priority_class;  ///< empty: the global default
  std::string preemptibility;
  std::int32_t min_member = 1;
  std::int64_t preemption_delay = 0;
  std::vector<PodId> pods;
};

/// The part of the cluster that one shard's scheduler sees at the start of a cycle. Immutable.
///
/// As upstream, the key of a group is its name alone: if several PodGroups have the same name, the last one counts,
/// with the pods of all of them.
/// Source: kai-scheduler/KAI-Scheduler pkg/scheduler/cache/cluster_info.
class ClusterInfo {
 public:
  /// `now` is asked when pods become stuck in releasing.
  /// `assumed` may be null; otherwise the group is added, and must outlive this object.
  ClusterInfo(const Snapshot& cluster, const Settings& settings, Moment& now, const AssumedGroup* assumed);

  [[nodiscard]] auto cluster() const -> const Snapshot& { return cluster_; }
  [[nodiscard]] auto settings() const -> const Settings& { return settings_; }
  [[nodiscard]] auto tree() const -> const QueueTree& { return queues_; }
  [[nodiscard]] auto queue(QueueId id) const -> const TreeQueue& { return queues_[id]; }
  [[nodiscard]] auto shard_nodes() const -> const IdVector<ShardNodeId, ShardNode>& { return shard_nodes_; }
  [[nodiscard]] auto groups() const -> const IdVector<GroupId, Group>& { return groups_; }
  [[nodiscard]] auto group(GroupId id) const -> const Group& { return groups_[id]; }
  [[nodiscard]] auto groups_by_name() const -> const std::vector<GroupId>& { return by_name_; }
  /// Returns the groups with pending tasks at the start; no other group has any later. By name.
  [[nodiscard]] auto groups_with_pending() const -> const std::vector<GroupId>& { return with_pending_; }
  [[nodiscard]] auto tasks() const -> const IdVector<TaskId, Task>& { return tasks_; }
  [[nodiscard]] auto task(TaskId id) const -> const Task& { return tasks_[id]; }
  [[nodiscard]] auto sets() const -> const IdVector<SetId, PodSet>& { return sets_; }
  [[nodiscard]] auto sub_groups(const Group& group) const -> const SubGroupTree* {
    return group.tree < 0 ? nullptr : &trees_[static_cast<std::size_t>(group.tree)];
  }
  /// Returns the tasks of a pod set, in task order.
  [[nodiscard]] auto tasks_of(SetId set) const -> std::span<const TaskId> {
    return std::span(slots_).subspan(sets_[set].begin, sets_[set].end - sets_[set].begin);
  }
  [[nodiscard]] auto slots() const -> const std::vector<TaskId>& { return slots_; }
  /// Returns the semi-preemptible groups that have pods and a queue, as keys, by name.
  [[nodiscard]] auto semi_preemptible_groups() const -> std::vector<std::string>;
  /// Returns true if some group shares GPUs (Group::shares_gpus).
  [[nodiscard]] auto shares_gpus() const -> bool { return shares_gpus_; }

  /// Number of resource dimensions (`cpu`, `memory`, `gpu`, `pods`, …).
  [[nodiscard]] auto dims() const -> std::size_t { return resources_.count(); }
  [[nodiscard]] auto resources() const -> const Resources& { return resources_; }
  /// As requested, with fractions of GPUs if requested by portion; a request for GPU memory is only in `gpu`.
  [[nodiscard]] auto request(TaskId id) const -> const double* { return &requests_[id.index * dims()]; }
  [[nodiscard]] auto gpu(TaskId id) const -> const GpuRequest& { return gpus_[id]; }
  /// cpu, memory and all kinds of GPU, as requested.
  [[nodiscard]] auto request_share(TaskId id) const -> Share;
  /// The same as counted on the node of the task: what queues are charged.
  [[nodiscard]] auto share_on(TaskId id, ShardNodeId shard_node) const -> Share {
    return need_on(id, shard_node).amount;
  }
  [[nodiscard]] auto need_on(TaskId id, ShardNodeId shard_node) const -> Ask;
  /// Returns the GPUs, without MIG devices, that the task uses on the node: a portion of each device that it shares.
  [[nodiscard]] auto gpus_on(TaskId id, ShardNodeId shard_node) const -> double;
  /// Returns the GPUs of all kinds that are freed when the task leaves.
  [[nodiscard]] auto quota_on(TaskId id, ShardNodeId shard_node) const -> double;
  /// Return the smallest and the largest GPU memory of any node that reports it; 0 if no node does.
  [[nodiscard]] auto least_gpu_memory() const -> std::int64_t { return least_gpu_memory_; }
  [[nodiscard]] auto most_gpu_memory() const -> std::int64_t { return most_gpu_memory_; }
  [[nodiscard]] auto allocatable(ShardNodeId id) const -> const double* { return &allocatable_[id.index * dims()]; }
  /// By node, with the pods of the snapshot.
  [[nodiscard]] auto idle() const -> const std::vector<double>& { return idle_; }
  [[nodiscard]] auto releasing() const -> const std::vector<double>& { return releasing_; }
  [[nodiscard]] auto shared_gpus() const -> const IdVector<ShardNodeId, SharedGpus>& { return shared_gpus_; }
  /// Returns the shared GPUs that a task uses at the start.
  [[nodiscard]] auto gpu_groups(TaskId id) const -> const std::vector<GpuGroupId>&;
  /// Returns the name of a shared GPU that the input contains; empty for new ones.
  [[nodiscard]] auto gpu_group_name(GpuGroupId id) const -> std::string_view;
  /// Returns the pods on the node at the start, those of all schedulers.
  [[nodiscard]] auto residents(ShardNodeId id) const -> const std::vector<PodId>& { return residents_[id]; }
  /// Returns the largest allocatable amount of any node, per dimension.
  [[nodiscard]] auto largest() const -> const std::vector<double>& { return largest_; }
  /// Returns what queues share: the allocatable amounts of available nodes, less the requests of other schedulers' pods
  /// there.
  [[nodiscard]] auto total() const -> const Share& { return total_; }

  [[nodiscard]] auto find_group(std::string_view ns, std::string_view name) const -> GroupId;
  /// Finds the group as a pod does: by name alone.
  [[nodiscard]] auto find_group_by_name(std::string_view name) const -> GroupId;
  /// `namespace/name`, not escaped.
  [[nodiscard]] auto key(GroupId id) const -> std::string;
  [[nodiscard]] auto config_maps() const -> const ConfigMaps& { return config_maps_; }
  /// Groups that are omitted from the snapshot until their schedulingBackoff ends.
  [[nodiscard]] auto backing_off() const -> const std::vector<const PodGroup*>& { return backing_off_; }
  /// Queues that are their own ancestors and have groups with pods: upstream's cycle never ends.
  [[nodiscard]] auto endless_queues() const -> const std::vector<std::string_view>& { return endless_queues_; }
  /// Names of PodGroups that exist in several namespaces.
  [[nodiscard]] auto colliding() const -> const std::vector<std::string>& { return colliding_; }

 private:
  class Builder;

  const Snapshot& cluster_;
  const Settings& settings_;
  QueueTree queues_;
  std::vector<NodeId> nodes_;  // by node
  Resources resources_;
  IdVector<ShardNodeId, ShardNode> shard_nodes_;
  IdVector<GroupId, Group> groups_;
  std::vector<GroupId> by_name_;
  std::vector<GroupId> with_pending_;  // by name
  IdVector<TaskId, Task> tasks_;
  IdVector<SetId, PodSet> sets_;
  std::vector<SubGroupTree> trees_;
  std::vector<TaskId> slots_;
  bool shares_gpus_ = false;
  std::vector<double> requests_;
  IdVector<TaskId, GpuRequest> gpus_;
  std::unordered_map<std::uint32_t, std::vector<GpuGroupId>> gpu_groups_;  // by task; most have none
  std::vector<double> allocatable_;
  std::vector<double> idle_;
  std::vector<double> releasing_;
  IdVector<ShardNodeId, SharedGpus> shared_gpus_;
  IdVector<ShardNodeId, std::vector<PodId>> residents_;
  ConfigMaps config_maps_;
  std::int64_t least_gpu_memory_ = 0;
  std::int64_t most_gpu_memory_ = 0;
  std::vector<double> largest_;
  Share total_{};
  std::vector<std::string> colliding_;
  std::vector<const PodGroup*> backing_off_;
  std::vector<std::string_view> endless_queues_;
};

/// Returns true if a BindRequest that has not failed names the pod and a node of the input.
[[nodiscard]] auto is_being_bound(const Snapshot& cluster, PodId pod) -> bool;

}  // namespace previct::kai
