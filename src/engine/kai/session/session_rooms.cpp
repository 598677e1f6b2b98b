// What stands on the rooms of a session, and what is free there.

#include "engine/kai/session/session.h"

#include <algorithm>

namespace previct::kai {

// Books a pod onto a room (sign 1) or off it (-1).
void Session::move(TaskId task, const Stay& stay, double sign) {
  const std::size_t dims = pool_.dims();
  const double* request = pool_.request(task);
  const double* allocatable = pool_.allocatable(stay.room);
  double* idle = &idle_[stay.room.index * dims];
  double* releasing = &releasing_[stay.room.index * dims];
  SharedGpus& shared = shared_gpus_[stay.room];
  const GpuRequest& gpu = pool_.gpu(task);
  const bool whole_gpus = gpu.kind == GpuRequest::Kind::whole && !pool_.task(task).reserves;
  for (std::size_t i = 0; i < dims; ++i) {
    if (allocatable[i] == 0 || (i == kGpu && !whole_gpus)) continue;
    const double amount = request[i] * sign;
    if (i == kGpu) shared.use_whole(amount);
    if (stay.status == Status::pipelined) {
      releasing[i] -= amount;
      continue;
    }
    idle[i] -= amount;
    if (stay.status == Status::releasing) releasing[i] += amount;
  }
  if (!gpu.is_shared()) return;
  const Room& room = pool_.rooms()[stay.room];
  const SharedGpus::Whole whole{idle[kGpu], releasing[kGpu], room.gpu_count, room.gpu.memory};
  if (sign > 0) {
    shared.add(stay.status, stay.gpus, room.gpu.memory_for(gpu), whole);
  } else {
    shared.remove(stay.status, stay.gpus, room.gpu.memory_for(gpu), whole);
  }
}

// Source: api/node_info GetSumOfIdleGPUs, GetSumOfReleasingGPUs.
auto Session::free_gpus(RoomId room) const -> FreeGpus {
  const std::vector<double>& gpus = pool_.resources().gpus_per_unit();
  const GpuModel& model = pool_.rooms()[room].gpu;
  double idle_parts = 0;
  double releasing_parts = 0;
  for (const SharedGpus::Gpu& gpu : shared_gpus_[room].gpus()) {
    if (gpu.allocated > 0) idle_parts += 1 - model.portion_of(gpu.allocated);
    const bool leaves_whole = gpu.used != 0 && gpu.releasing == gpu.used;
    if (gpu.releasing > 0 && !leaves_whole) releasing_parts += model.portion_of(gpu.releasing);
  }
  double idle_whole = 0;
  double releasing_whole = 0;
  for (std::size_t i = kGpu; i < pool_.dims(); ++i) {
    idle_whole += gpus[i] * idle(room)[i];
    releasing_whole += gpus[i] * releasing(room)[i];
  }
  return {idle_parts + idle_whole, releasing_parts + releasing_whole};
}

auto Session::free_gpu_memory(RoomId room) const -> std::int64_t {
  const std::vector<double>& gpus = pool_.resources().gpus_per_unit();
  const std::int64_t each = pool_.rooms()[room].gpu.memory;
  std::int64_t sum = 0;
  for (const SharedGpus::Gpu& gpu : shared_gpus_[room].gpus()) {
    if (gpu.allocated > 0) sum += each - gpu.allocated;
    const bool leaves_whole = gpu.used != 0 && gpu.releasing == gpu.used;
    if (gpu.releasing > 0 && !leaves_whole) sum += gpu.releasing;
  }
  double idle_whole = 0;
  double releasing_whole = 0;
  for (std::size_t i = kGpu; i < pool_.dims(); ++i) {
    idle_whole += gpus[i] * idle(room)[i];
    releasing_whole += gpus[i] * releasing(room)[i];
  }
  return sum + static_cast<std::int64_t>(idle_whole) * each + static_cast<std::int64_t>(releasing_whole) * each;
}

auto Session::stay_on(TaskId task, RoomId room) const -> std::uint32_t {
  std::uint32_t at = stays_[task];
  while (at != kNoStay && stay_pool_[at].room != room) at = stay_pool_[at].next;
  return at;
}

auto Session::is_on(TaskId task, RoomId room) const -> bool {
  return stay_on(task, room) != kNoStay;
}

auto Session::stand(const Copy& copy, RoomId room, Status status) -> bool {
  const TaskId task = copy.task;
  if (is_on(task, room)) return false;
  std::uint32_t at = static_cast<std::uint32_t>(stay_pool_.size());
  if (free_stays_.empty()) {
    stay_pool_.emplace_back();
  } else {
    at = free_stays_.back();
    free_stays_.pop_back();
  }
  stay_pool_[at] = {room, status, stays_[task], copy.gpus};
  stays_[task] = at;
  move(task, stay_pool_[at], 1);
  if (pool_.task(task).room != room) {
    newcomers_[room].push_back(task);
    ++newcomers_version_;
  }
  return true;
}

auto Session::leave(TaskId task, RoomId room) -> bool {
  const std::uint32_t at = stay_on(task, room);
  if (at == kNoStay) return false;
  move(task, stay_pool_[at], -1);
  forget_stay(task, room);
  return true;
}

// The room keeps what was booked.
void Session::forget_stay(TaskId task, RoomId room) {
  std::uint32_t* link = &stays_[task];
  while (*link != kNoStay && stay_pool_[*link].room != room) link = &stay_pool_[*link].next;
  if (*link == kNoStay) return;
  const std::uint32_t at = *link;
  *link = stay_pool_[at].next;
  free_stays_.push_back(at);
  if (pool_.task(task).room != room) {
    std::erase(newcomers_[room], task);
    ++newcomers_version_;
  }
}

void Session::restand(const Copy& copy, RoomId room, Status status) {
  if (leave(copy.task, room)) stand(copy, room, status);
}

}  // namespace previct::kai
