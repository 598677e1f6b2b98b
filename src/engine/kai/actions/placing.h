#pragma once

#include "engine/kai/actions/pod_filters.h"
#include "engine/kai/actions/preferences.h"
#include "engine/kai/actions/topology.h"
#include "engine/kai/rules.h"
#include "engine/kai/session/chunks.h"

#include <span>

namespace previct::kai {

/// Puts chunks of groups onto rooms.
/// Source: kai-scheduler/KAI-Scheduler pkg/scheduler/actions/common/allocate.go, gpu_sharing/gpuSharing.go; plugins
/// nodeplacement, resourcetype, nodeavailability, nominatednode, gpusharingorder, gpupack, gpuspread,
/// proportion/capacity_policy.
class Placing {
 public:
  explicit Placing(Session& session);

  /// Places the chunk, all or nothing. `only_reserve`: everything is pipelined, as in simulations; otherwise what fits
  /// now is allocated. `view` orders the pod sets. On false the statement is as before.
  auto place(Statement& statement, std::span<const RoomId> rooms, GroupId group, const GroupView& view,
             const std::vector<CopyId>& chunk, bool only_reserve) -> bool;

  /// Would the queue (or one above) pass its limit, or a non-preemptible group its quota, with these requests?
  [[nodiscard]] auto over_capacity(GroupId group, const Share& request) const -> bool;
  [[nodiscard]] auto over_quota(GroupId group, const Share& request) const -> bool;
  /// What a chunk counts there: memory of GPUs as parts of the largest there is.
  [[nodiscard]] auto request_of(const std::vector<CopyId>& chunk) const -> Share;

  /// Does some task of the chunk ask more of a resource than the largest room has?
  [[nodiscard]] auto too_large(const std::vector<CopyId>& chunk) const -> bool;
  /// Is there something that refuses a task of the chunk on every room, whoever is evicted? Rule::candidate if not.
  [[nodiscard]] auto hopeless(const std::vector<CopyId>& chunk) -> Rule;

  /// Every room of the shard.
  [[nodiscard]] auto all_rooms() const -> const std::vector<RoomId>& { return all_rooms_; }

  /// May the task be on the room at all: room available, kind of GPU, node selector and affinity, taints, ports, pod
  /// affinity, volumes, and what its queue may have there.
  [[nodiscard]] auto accepts(TaskId task, RoomId room) -> bool;

 private:
  struct Demand;
  struct Attempt;

  auto place_inner(Attempt& attempt, std::uint32_t inner, const std::vector<CopyId>& tasks,
                   std::span<const RoomId> rooms) -> bool;
  auto place_members(Attempt& attempt, std::uint32_t inner, const std::vector<CopyId>& tasks,
                     std::span<const RoomId> rooms) -> bool;
  auto place_set(Attempt& attempt, std::uint32_t set, const std::vector<CopyId>& tasks, std::span<const RoomId> rooms)
      -> bool;
  auto place_task(Attempt& attempt, std::uint32_t set, CopyId copy, std::span<const RoomId> rooms) -> bool;
  auto put_on(Attempt& attempt, CopyId copy, RoomId room) -> bool;
  [[nodiscard]] auto best_room(const Demand& demand, std::span<const RoomId> rooms) -> RoomId;
  [[nodiscard]] auto score(const Demand& demand, RoomId room, double low, double high) const -> double;
  [[nodiscard]] auto fits(TaskId task, RoomId room, bool later) const -> bool;
  [[nodiscard]] auto kind_of_gpu_suits(TaskId task, const Room& room) const -> bool;
  [[nodiscard]] auto has_slots(TaskId task, RoomId room) const -> bool;

  // Shared GPUs for a task on a room.
  struct SharedChoice {
    std::vector<GpuGroupId> gpus{};  ///< none: not enough
    bool only_later = false;         ///< not free yet
    bool makes_new = false;
  };
  [[nodiscard]] auto choose_gpus(TaskId task, RoomId room, bool only_reserve) const -> SharedChoice;

  Session& session_;
  const Pool& pool_;
  PodFilters filters_;
  Preferences preferences_;
  TopologyPlugin topology_;
  std::vector<RoomId> all_rooms_;
  std::vector<RoomId> refused_;  ///< of the task at hand
};

}  // namespace previct::kai
