#pragma once

#include "engine/kai/session/chance.h"
#include "engine/kai/snapshot/cluster_info.h"

#include <array>
#include <optional>
#include <vector>

namespace previct::kai {

/// A task as some part of the cycle sees it. The first copies are the tasks themselves (same index). A scenario that
/// names a task twice evicts a second copy of it, as upstream does (spec §19).
struct Copy {
  TaskId task;
  Status status = Status::pending;
  bool simulated = false;  ///< the status comes from a simulation: an evicted pod may be placed again
  ShardNodeId shard_node;  ///< none: no node, or a node outside the shard
  bool on_node = false;
  std::vector<GpuGroupId> gpus{};  ///< the shared GPUs that it uses or will use
};

struct SetCounts {
  std::int32_t allocated = 0;  ///< active-allocated
  std::int32_t used = 0;       ///< active-used
  std::int32_t alive = 0;
  std::int32_t gated = 0;

  void count(Status status, std::int32_t sign);
};

/// One step of a statement, with the data to roll it back.
struct Operation {
  enum class Kind : std::uint8_t { evict, pipeline, allocate, unevict } kind;
  CopyId copy;
  Status before = Status::pending;
  bool simulated_before = false;
  bool in_force = true;
  bool on_node_before = false;
  ShardNodeId shard_node_before{};
  std::uint32_t undoes = 0;  ///< unevict: index of the evict operation that it rolls back
  std::vector<GpuGroupId> gpus_before{};
};
using Statement = std::vector<Operation>;

/// The mutable state of a cycle. Every change is part of a statement and can be rolled back; nothing is copied.
/// Source: kai-scheduler/KAI-Scheduler pkg/scheduler/framework/statement.go, api/podgroup_info, api/node_info.
class Session {
 public:
  explicit Session(const ClusterInfo& cluster_info, MapOrder chance = MapOrder());

  [[nodiscard]] auto cluster_info() const -> const ClusterInfo& { return cluster_info_; }
  /// The map orders of everything that is decided on this session.
  [[nodiscard]] auto chance() const -> MapOrder& { return chance_; }

  // ---- tasks and groups
  [[nodiscard]] auto copy(CopyId id) const -> const Copy& { return copies_[id]; }
  /// Returns the copy that represents a task now: the one last written.
  [[nodiscard]] auto current(TaskId id) const -> CopyId { return current_[cluster_info_.task(id).slot]; }
  [[nodiscard]] auto status(TaskId id) const -> Status { return copies_[current(id)].status; }
  /// Returns the current copies of a pod set, in task order; for a set without pods, the end of the list.
  [[nodiscard]] auto slots(SetId set) const -> const CopyId* {
    return current_.data() + cluster_info_.sets()[set].begin;
  }
  [[nodiscard]] auto counts(SetId set) const -> const SetCounts& { return set_counts_[set]; }
  /// Returns the number of tasks indexed under a status; see update() in session.cpp.
  [[nodiscard]] auto indexed(GroupId group, Status status) const -> std::int32_t {
    return groups_[group].indexed[static_cast<std::size_t>(status)];
  }
  [[nodiscard]] auto has_pending(GroupId group) const -> bool { return indexed(group, Status::pending) > 0; }
  /// Returns upstream's running count of active-allocated tasks; like upstream's, it drifts when a task is evicted
  /// twice.
  [[nodiscard]] auto active(GroupId group) const -> std::int32_t { return groups_[group].active; }
  [[nodiscard]] auto has_allocated(GroupId group) const -> bool;
  [[nodiscard]] auto used(GroupId group) const -> std::int64_t;
  /// Returns the sum of the requests of its held tasks, as written in the pods.
  [[nodiscard]] auto held(GroupId group) const -> const Share& { return groups_[group].held; }
  [[nodiscard]] auto last_start(GroupId group) const -> const std::optional<Instant>& {
    return groups_[group].last_start;
  }
  [[nodiscard]] auto last_eviction(GroupId group) const -> const std::optional<Instant>& {
    return groups_[group].last_eviction;
  }
  void started(GroupId group, Instant at) {
    groups_[group].last_start = at;
    note_change(group);
  }
  /// Returns the groups that started, or of which a task changed its status, in the order of the changes. A group that
  /// changes again after a call of this function is listed again.
  [[nodiscard]] auto changed_groups() -> const std::vector<GroupId>& {
    changes_read_ = changed_groups_.size();
    return changed_groups_;
  }

  // ---- nodes and queues
  [[nodiscard]] auto idle(ShardNodeId shard_node) const -> const double* {
    return &idle_[shard_node.index * cluster_info_.dims()];
  }
  [[nodiscard]] auto releasing(ShardNodeId shard_node) const -> const double* {
    return &releasing_[shard_node.index * cluster_info_.dims()];
  }
  [[nodiscard]] auto free_later(ShardNodeId shard_node, std::size_t dim) const -> double {
    return idle(shard_node)[dim] + releasing(shard_node)[dim];
  }
  /// Returns how many more pods the node takes while evicted pods are still there.
  [[nodiscard]] auto free_places(ShardNodeId shard_node) const -> double {
    return idle(shard_node)[kPods] - pipelined_[shard_node];
  }
  [[nodiscard]] auto is_on(TaskId task, ShardNodeId shard_node) const -> bool;
  [[nodiscard]] auto shared_gpus(ShardNodeId shard_node) const -> const SharedGpus& { return shared_gpus_[shard_node]; }
  /// GPUs of all kinds, including fractions of shared ones.
  struct FreeGpus {
    double idle = 0;
    double releasing = 0;
    [[nodiscard]] auto sum() const -> double { return idle + releasing; }
  };
  [[nodiscard]] auto free_gpus(ShardNodeId shard_node) const -> const FreeGpus&;
  [[nodiscard]] auto free_gpu_memory(ShardNodeId shard_node) const -> std::int64_t;
  /// Returns the id of a new shared GPU that no pod uses yet.
  auto new_gpu() -> GpuGroupId { return {next_gpu_++}; }
  /// Returns the tasks that are on a node now but were not at the start.
  [[nodiscard]] auto newcomers(ShardNodeId shard_node) const -> const std::vector<TaskId>& {
    return newcomers_[shard_node];
  }
  /// Changes whenever the newcomers of some node change.
  [[nodiscard]] auto newcomers_version() const -> std::uint64_t { return newcomers_version_; }
  /// Changes whenever something on some node may be free, or become free, that was not before.
  [[nodiscard]] auto freed_version() const -> std::uint64_t { return freed_version_; }
  [[nodiscard]] auto allocated(QueueId queue) const -> const Share& { return allocated_[queue]; }
  [[nodiscard]] auto non_preemptible(QueueId queue) const -> const Share& { return non_preemptible_[queue]; }
  [[nodiscard]] auto requested(QueueId queue) const -> const Share& { return requested_[queue]; }

  // ---- statements
  /// Returns false, and changes nothing, if the pod's node is outside the shard.
  auto evict(Statement& statement, CopyId copy) -> bool;
  /// Reserves resources for when they are free. A task that this statement evicted from the same node is un-evicted
  /// instead, unless `update`; returns false if the task is on the node for another reason.
  /// A task that is to use other shared GPUs of the node (`gpus`) is moved instead of un-evicted.
  auto pipeline(Statement& statement, CopyId copy, ShardNodeId shard_node, bool update,
                std::vector<GpuGroupId> gpus = {}) -> bool;
  void allocate(Statement& statement, CopyId copy, ShardNodeId shard_node, std::vector<GpuGroupId> gpus = {});
  /// Rolls back everything from `checkpoint` on.
  void roll_back(Statement& statement, std::size_t checkpoint = 0);
  /// Rolls back one allocation in the middle of a statement; the caller removes the operation.
  void undo_allocation(const Operation& operation);
  /// Makes an eviction final: the pod may not be placed again.
  void confirm_eviction(const Operation& operation, Instant now);
  /// Evicts a pod without a statement. Nothing is freed on a node outside the shard.
  void evict_permanently(CopyId copy);

  /// Adds another copy of a task in its current state; it exists until release(mark).
  auto add_copy(TaskId task) -> CopyId;
  [[nodiscard]] auto mark() const -> std::size_t { return copies_.size(); }
  /// Removes the copies added since the mark; call only after the statement that used them was rolled back completely.
  void release(std::size_t mark) { copies_.items().resize(mark); }

  /// Cached values that orders need often (see task_selection.h). They are dropped when a task of the group changes its
  /// status but, as upstream, not when an eviction becomes final.
  struct Chunk {
    std::vector<CopyId> tasks;  ///< empty: not computed
    bool need_known = false;
    Ask need{};
  };
  [[nodiscard]] auto chunk(GroupId group) -> Chunk& { return groups_[group].chunk; }

 private:
  struct GroupState {
    std::int32_t active = 0;
    std::array<std::int32_t, kStatuses> indexed{};
    Share held{};
    std::optional<Instant> last_start;
    std::optional<Instant> last_eviction;
    std::size_t change = 0;  // number of its last change in changed_groups_, from 1; 0: none
    Chunk chunk;
  };
  // A pod is on a node at most once; a moved pod may be on several nodes.
  struct Stay {
    ShardNodeId shard_node;
    Status status = Status::running;
    std::uint32_t next = kNoStay;
    std::vector<GpuGroupId> gpus{};
  };
  static constexpr std::uint32_t kNoStay = 0xffff'ffff;

  void sum_up();
  void note_change(GroupId group) {
    std::size_t& change = groups_[group].change;
    if (change > changes_read_) return;
    changed_groups_.push_back(group);
    change = changed_groups_.size();
  }
  void update(CopyId copy, Status status);
  void charge(TaskId task, ShardNodeId shard_node, double sign);
  void move(TaskId task, const Stay& stay, double sign);
  [[nodiscard]] auto stay_on(TaskId task, ShardNodeId shard_node) const -> std::uint32_t;
  auto stand(const Copy& copy, ShardNodeId shard_node, Status status) -> bool;
  auto leave(TaskId task, ShardNodeId shard_node) -> bool;
  void update_stay(const Copy& copy, ShardNodeId shard_node, Status status);
  void forget_stay(TaskId task, ShardNodeId shard_node);
  void apply_eviction(const Operation& operation);
  void undo(const Operation& operation);

  const ClusterInfo& cluster_info_;
  mutable MapOrder chance_;
  IdVector<CopyId, Copy> copies_;
  std::vector<CopyId> current_;                    // by slot
  IdVector<TaskId, std::uint16_t> indexed_under_;  // statuses under which the group's index contains the task
  IdVector<SetId, SetCounts> set_counts_;
  IdVector<GroupId, GroupState> groups_;
  std::vector<GroupId> changed_groups_;
  std::size_t changes_read_ = 0;
  IdVector<TaskId, std::uint32_t> stays_;  // head of each task's list
  std::vector<Stay> stay_pool_;
  std::vector<std::uint32_t> free_stays_;
  IdVector<ShardNodeId, std::vector<TaskId>> newcomers_;
  std::uint64_t newcomers_version_ = 0;
  std::vector<double> idle_;
  std::vector<double> releasing_;
  mutable IdVector<ShardNodeId, std::optional<FreeGpus>> free_gpus_;  // none: changed since it was asked for
  std::uint64_t freed_version_ = 0;
  IdVector<ShardNodeId, double> pipelined_;  // number of pods
  IdVector<ShardNodeId, SharedGpus> shared_gpus_;
  std::uint32_t next_gpu_ = kFirstNewGpuGroup;
  IdVector<QueueId, Share> allocated_;
  IdVector<QueueId, Share> non_preemptible_;
  IdVector<QueueId, Share> requested_;
};

}  // namespace previct::kai
