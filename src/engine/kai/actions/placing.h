#pragma once

#include "engine/kai/actions/pod_filters.h"
#include "engine/kai/session/chunks.h"

#include <span>

namespace previct::kai {

/// Puts chunks of groups onto rooms.
/// Source: kai-scheduler/KAI-Scheduler pkg/scheduler/actions/common/allocate.go; plugins nodeplacement, resourcetype,
/// nodeavailability, nominatednode, proportion/capacity_policy.
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

  /// Does some task of the chunk ask more of a resource than the largest room has?
  [[nodiscard]] auto too_large(const std::vector<CopyId>& chunk) const -> bool;

  [[nodiscard]] auto request_of(const std::vector<CopyId>& chunk) const -> Share;

  /// Every room of the shard.
  [[nodiscard]] auto all_rooms() const -> const std::vector<RoomId>& { return all_rooms_; }

  /// May the task be on the room at all: room available, node selector and affinity, taints, ports, pod affinity,
  /// volumes.
  [[nodiscard]] auto accepts(TaskId task, RoomId room) -> bool;

 private:
  struct Demand;

  auto place_task(Statement& statement, std::span<const RoomId> rooms, CopyId copy, bool only_reserve) -> bool;
  [[nodiscard]] auto best_room(const Demand& demand, std::span<const RoomId> rooms) -> RoomId;
  [[nodiscard]] auto score(const Demand& demand, RoomId room, double low, double high) const -> double;
  [[nodiscard]] auto fits(TaskId task, RoomId room, bool later) const -> bool;

  Session& session_;
  const Pool& pool_;
  PodFilters filters_;
  std::vector<RoomId> all_rooms_;
  std::vector<double> gpu_count_;  ///< by room: label nvidia.com/gpu.count, -1 if it does not parse
  std::vector<RoomId> refused_;    ///< of the task at hand
};

}  // namespace previct::kai
