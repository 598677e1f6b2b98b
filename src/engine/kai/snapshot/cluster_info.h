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
  std::int64_t gpu_count = 0;  ///< by the label nvidia.com/gpu.count, else as allocatable
  enum class Mig : std::uint8_t { off, single, mixed, any } mig = Mig::off;
  bool has_legacy_mig = false;  ///< a pod runs here that asked for MIG devices by annotation
  bool has_dra_gpus = false;    ///< GPUs that ResourceSlices tell of
  bool is_gpu_worker = false;   ///< the labels that restrict-node-scheduling asks for
  bool is_cpu_worker = false;
};

/// What a group, or a part of it, asks of a topology; aliases of levels are resolved.
struct TopologyTerm {
  bool given = false;
  std::string_view topology;
  std::string_view required;  ///< node label of the level; empty: none
  std::string_view preferred;
};

/// A pod set of a group: `min` of its pods run together or not at all.
struct PodSet {
  std::string_view name;
  std::int32_t min = 1;
  TopologyTerm topology{};
  std::uint32_t begin = 0;  ///< slots [begin, end): one per pod of the set, in task order
  std::uint32_t end = 0;
};

/// How the pod sets of a group hang together, if there is more to it than one set. Parents stand before children.
struct SubGroupTree {
  struct Inner {
    std::string_view name;
    std::optional<std::int32_t> min;  ///< absent: all children
    std::vector<std::uint32_t> inners;
    std::vector<std::uint32_t> sets;  ///< counted within the group
    TopologyTerm topology{};

    [[nodiscard]] auto threshold() const -> std::int64_t {
      return min ? *min : static_cast<std::int64_t>(inners.size() + sets.size());
    }
  };
  std::vector<Inner> inners;  ///< the first is the root
};

/// A PodGroup as a snapshot has it; what a cycle changes is in Session.
struct Group {
  const PodGroup* object = nullptr;  ///< null: assumed, see AssumedGroup
  std::string_view name;
  std::string_view ns;
  std::string_view queue_name;
  QueueId queue;  ///< none: no such queue; never scheduled, never a victim
  std::int32_t priority = 0;
  bool preemptible = false;
  Instant created;
  std::optional<Instant> last_start;
  std::optional<Instant> last_eviction;
  std::optional<Instant> stale_since;
  std::int64_t preemption_delay = 0;  ///< nanoseconds; 0: none
  std::optional<std::int64_t> stale_grace;
  std::uint32_t rank = 0;  ///< by creation, then name
  SetId first_set;
  std::uint32_t sets = 0;
  std::int32_t tree = -1;  ///< index into ClusterInfo::trees; -1: one set without constraints, nothing else
  bool elastic = false;    ///< some pod set has min < pods, pods of every state counted

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
  Symbol lost_node;        ///< its node, if it is none of the shard
  bool on_node = false;    ///< has a node, of the shard or not
  bool reserves = false;   ///< holds a place for pods that share a GPU: its own GPU is not counted
  bool charged = true;     ///< false: held on a node outside the shard, so it counts in no queue
};

/// The group that the pod-grouper would make for a pod that has none yet.
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

/// The part of the cluster that one shard's scheduler sees, at the start of a cycle. Immutable.
///
/// Groups are keyed by name alone, as upstream: of several PodGroups of one name the last counts, with the pods of all.
/// Source: kai-scheduler/KAI-Scheduler pkg/scheduler/cache/cluster_info.
class ClusterInfo {
 public:
  /// `now` is asked when pods become stuck in releasing.
  /// `assumed` may be null; else it is added and must outlive it.
  ClusterInfo(const Snapshot& cluster, const Settings& settings, Moment& now, const AssumedGroup* assumed);

  [[nodiscard]] auto cluster() const -> const Snapshot& { return cluster_; }
  [[nodiscard]] auto settings() const -> const Settings& { return settings_; }
  [[nodiscard]] auto tree() const -> const QueueTree& { return queues_; }
  [[nodiscard]] auto queue(QueueId id) const -> const TreeQueue& { return queues_[id]; }
  [[nodiscard]] auto shard_nodes() const -> const IdVector<ShardNodeId, ShardNode>& { return shard_nodes_; }
  [[nodiscard]] auto groups() const -> const IdVector<GroupId, Group>& { return groups_; }
  [[nodiscard]] auto group(GroupId id) const -> const Group& { return groups_[id]; }
  [[nodiscard]] auto groups_by_name() const -> const std::vector<GroupId>& { return by_name_; }
  [[nodiscard]] auto tasks() const -> const IdVector<TaskId, Task>& { return tasks_; }
  [[nodiscard]] auto task(TaskId id) const -> const Task& { return tasks_[id]; }
  [[nodiscard]] auto sets() const -> const IdVector<SetId, PodSet>& { return sets_; }
  [[nodiscard]] auto sub_groups(const Group& group) const -> const SubGroupTree* {
    return group.tree < 0 ? nullptr : &trees_[static_cast<std::size_t>(group.tree)];
  }
  /// The tasks of a pod set, in task order.
  [[nodiscard]] auto tasks_of(SetId set) const -> std::span<const TaskId> {
    return std::span(slots_).subspan(sets_[set].begin, sets_[set].end - sets_[set].begin);
  }
  [[nodiscard]] auto slots() const -> const std::vector<TaskId>& { return slots_; }

  /// Number of resource dimensions (`cpu`, `memory`, `gpu`, `pods`, …).
  [[nodiscard]] auto dims() const -> std::size_t { return resources_.count(); }
  [[nodiscard]] auto resources() const -> const Resources& { return resources_; }
  /// As asked, with parts of GPUs asked by portion; memory of GPUs is in `gpu` only.
  [[nodiscard]] auto request(TaskId id) const -> const double* { return &requests_[id.index * dims()]; }
  [[nodiscard]] auto gpu(TaskId id) const -> const GpuRequest& { return gpus_[id]; }
  /// cpu, memory and all kinds of GPU as asked.
  [[nodiscard]] auto request_share(TaskId id) const -> Share;
  /// The same where it stands: what queues are charged.
  [[nodiscard]] auto share_on(TaskId id, ShardNodeId shard_node) const -> Share {
    return need_on(id, shard_node).amount;
  }
  [[nodiscard]] auto need_on(TaskId id, ShardNodeId shard_node) const -> Ask;
  /// GPUs by themselves that it takes on the node: a portion of each device that it shares.
  [[nodiscard]] auto gpus_on(TaskId id, ShardNodeId shard_node) const -> double;
  /// All kinds of GPU that are freed when it leaves.
  [[nodiscard]] auto quota_on(TaskId id, ShardNodeId shard_node) const -> double;
  /// The smallest and the largest GPU memory of any node that tells it; 0 if none does.
  [[nodiscard]] auto least_gpu_memory() const -> std::int64_t { return least_gpu_memory_; }
  [[nodiscard]] auto most_gpu_memory() const -> std::int64_t { return most_gpu_memory_; }
  [[nodiscard]] auto allocatable(ShardNodeId id) const -> const double* { return &allocatable_[id.index * dims()]; }
  /// ShardNode by node, as the pods of the snapshot leave it.
  [[nodiscard]] auto idle() const -> const std::vector<double>& { return idle_; }
  [[nodiscard]] auto releasing() const -> const std::vector<double>& { return releasing_; }
  [[nodiscard]] auto shared_gpus() const -> const IdVector<ShardNodeId, SharedGpus>& { return shared_gpus_; }
  /// The shared GPUs that a task is on at the start.
  [[nodiscard]] auto gpu_groups(TaskId id) const -> const std::vector<GpuGroupId>&;
  /// The text of a group that the input holds; empty for new ones.
  [[nodiscard]] auto gpu_group_name(GpuGroupId id) const -> std::string_view;
  /// The pods that stand on the node at the start, of whatever scheduler.
  [[nodiscard]] auto residents(ShardNodeId id) const -> const std::vector<PodId>& { return residents_[id]; }
  /// The largest allocatable of any node, per dimension.
  [[nodiscard]] auto largest() const -> const std::vector<double>& { return largest_; }
  /// What queues share out: allocatable of available nodes less what other schedulers' pods take there.
  [[nodiscard]] auto total() const -> const Share& { return total_; }

  [[nodiscard]] auto find_group(std::string_view ns, std::string_view name) const -> GroupId;
  /// As a pod finds it: by name alone.
  [[nodiscard]] auto find_group_by_name(std::string_view name) const -> GroupId;
  /// `namespace/name`, not escaped.
  [[nodiscard]] auto key(GroupId id) const -> std::string;
  [[nodiscard]] auto config_maps() const -> const ConfigMaps& { return config_maps_; }
  /// Groups left out of the snapshot until their schedulingBackoff ends.
  [[nodiscard]] auto backing_off() const -> const std::vector<const PodGroup*>& { return backing_off_; }
  /// Queues below themselves that have groups with pods: upstream's cycle never ends.
  [[nodiscard]] auto endless_queues() const -> const std::vector<std::string_view>& { return endless_queues_; }
  /// Names of PodGroups that several namespaces share.
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
  IdVector<TaskId, Task> tasks_;
  IdVector<SetId, PodSet> sets_;
  std::vector<SubGroupTree> trees_;
  std::vector<TaskId> slots_;
  std::vector<double> requests_;
  IdVector<TaskId, GpuRequest> gpus_;
  std::unordered_map<std::uint32_t, std::vector<GpuGroupId>> gpu_groups_;  // by task; none for most
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

}  // namespace previct::kai
