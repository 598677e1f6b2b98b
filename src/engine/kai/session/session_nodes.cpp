// Pods on the nodes of a session, and free resources.

#include "engine/kai/session/session.h"

#include <algorithm>

namespace previct::kai {

// Adds the resources of a pod to a node (sign 1), or removes them (-1).
void Session::move(TaskId task, const Stay& stay, double sign) {
  free_gpus_[stay.shard_node].reset();
  if (sign < 0) ++freed_version_;  // also of a pod that begins to terminate
  const std::size_t dims = cluster_info_.dims();
  const double* request = cluster_info_.request(task);
  const double* allocatable = cluster_info_.allocatable(stay.shard_node);
  double* idle = &idle_[stay.shard_node.index * dims];
  double* releasing = &releasing_[stay.shard_node.index * dims];
  SharedGpus& shared = shared_gpus_[stay.shard_node];
  const GpuRequest& gpu = cluster_info_.gpu(task);
  const bool whole_gpus = gpu.kind == GpuRequest::Kind::whole && !cluster_info_.task(task).reserves;
  if (stay.status == Status::pipelined) pipelined_[stay.shard_node] += sign;
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
  const ShardNode& shard_node = cluster_info_.shard_nodes()[stay.shard_node];
  const SharedGpus::Whole whole{idle[kGpu], releasing[kGpu], shard_node.gpu_count, shard_node.gpu.memory};
  if (sign > 0) {
    shared.add(stay.status, stay.gpus, shard_node.gpu.memory_for(gpu), whole);
  } else {
    shared.remove(stay.status, stay.gpus, shard_node.gpu.memory_for(gpu), whole);
  }
}

// Source: api/node_info GetSumOfIdleGPUs, GetSumOfReleasingGPUs.
auto Session::free_gpus(ShardNodeId shard_node) const -> const FreeGpus& {
  std::optional<FreeGpus>& known = free_gpus_[shard_node];
  if (known) return *known;
  const std::vector<double>& gpus = cluster_info_.resources().gpus_per_unit();
  const GpuModel& model = cluster_info_.shard_nodes()[shard_node].gpu;
  double idle_parts = 0;
  double releasing_parts = 0;
  for (const SharedGpus::Gpu& gpu : shared_gpus_[shard_node].gpus()) {
    if (gpu.allocated > 0) idle_parts += 1 - model.portion_of(gpu.allocated);
    const bool leaves_whole = gpu.used != 0 && gpu.releasing == gpu.used;
    if (gpu.releasing > 0 && !leaves_whole) releasing_parts += model.portion_of(gpu.releasing);
  }
  double idle_whole = 0;
  double releasing_whole = 0;
  for (std::size_t i = kGpu; i < cluster_info_.dims(); ++i) {
    idle_whole += gpus[i] * idle(shard_node)[i];
    releasing_whole += gpus[i] * releasing(shard_node)[i];
  }
  return known.emplace(FreeGpus{idle_parts + idle_whole, releasing_parts + releasing_whole});
}

auto Session::free_gpu_memory(ShardNodeId shard_node) const -> std::int64_t {
  const std::vector<double>& gpus = cluster_info_.resources().gpus_per_unit();
  const std::int64_t each = cluster_info_.shard_nodes()[shard_node].gpu.memory;
  std::int64_t sum = 0;
  for (const SharedGpus::Gpu& gpu : shared_gpus_[shard_node].gpus()) {
    if (gpu.allocated > 0) sum += each - gpu.allocated;
    const bool leaves_whole = gpu.used != 0 && gpu.releasing == gpu.used;
    if (gpu.releasing > 0 && !leaves_whole) sum += gpu.releasing;
  }
  double idle_whole = 0;
  double releasing_whole = 0;
  for (std::size_t i = kGpu; i < cluster_info_.dims(); ++i) {
    idle_whole += gpus[i] * idle(shard_node)[i];
    releasing_whole += gpus[i] * releasing(shard_node)[i];
  }
  return sum + static_cast<std::int64_t>(idle_whole) * each + static_cast<std::int64_t>(releasing_whole) * each;
}

auto Session::stay_on(TaskId task, ShardNodeId shard_node) const -> std::uint32_t {
  std::uint32_t at = stays_[task];
  while (at != kNoStay && stay_pool_[at].shard_node != shard_node) at = stay_pool_[at].next;
  return at;
}

auto Session::is_on(TaskId task, ShardNodeId shard_node) const -> bool {
  return stay_on(task, shard_node) != kNoStay;
}

auto Session::stand(const Copy& copy, ShardNodeId shard_node, Status status) -> bool {
  const TaskId task = copy.task;
  if (is_on(task, shard_node)) return false;
  std::uint32_t at = static_cast<std::uint32_t>(stay_pool_.size());
  if (free_stays_.empty()) {
    stay_pool_.emplace_back();
  } else {
    at = free_stays_.back();
    free_stays_.pop_back();
  }
  stay_pool_[at] = {shard_node, status, stays_[task], copy.gpus};
  stays_[task] = at;
  move(task, stay_pool_[at], 1);
  if (cluster_info_.task(task).shard_node != shard_node) {
    newcomers_[shard_node].push_back(task);
    ++newcomers_version_;
  }
  return true;
}

auto Session::leave(TaskId task, ShardNodeId shard_node) -> bool {
  const std::uint32_t at = stay_on(task, shard_node);
  if (at == kNoStay) return false;
  move(task, stay_pool_[at], -1);
  forget_stay(task, shard_node);
  return true;
}

// Removes the record of a pod on a node without returning its resources.
void Session::forget_stay(TaskId task, ShardNodeId shard_node) {
  std::uint32_t* link = &stays_[task];
  while (*link != kNoStay && stay_pool_[*link].shard_node != shard_node) link = &stay_pool_[*link].next;
  if (*link == kNoStay) return;
  const std::uint32_t at = *link;
  *link = stay_pool_[at].next;
  free_stays_.push_back(at);
  if (cluster_info_.task(task).shard_node != shard_node) {
    std::erase(newcomers_[shard_node], task);
    ++newcomers_version_;
  }
}

void Session::update_stay(const Copy& copy, ShardNodeId shard_node, Status status) {
  if (leave(copy.task, shard_node)) stand(copy, shard_node, status);
}

}  // namespace previct::kai
