// One task, and the rooms and GPUs that it may go to.

#include "base/go.h"
#include "cluster/matching.h"
#include "engine/kai/actions/placing_attempt.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace previct::kai {
namespace {

constexpr double kFitsNow = 1'000;
constexpr double kCpuOnlyRoom = 10;
constexpr double kSharesGpu = 10'000;
constexpr double kPreference = 1'000'000;
constexpr double kNominated = 10'000'000;
constexpr double kPack = 9;

}  // namespace

struct Placing::Demand {
  TaskId task;
  std::size_t resource = kCpu;  // the one that packing looks at
  bool spread = false;
  std::string_view nominated{};
  bool has_nominated = false;
  std::vector<double> preferences{};              // by room; empty: none
  const std::vector<double>* topology = nullptr;  // by room, below 0: not to be used
};

auto Placing::place_task(Attempt& attempt, std::uint32_t set, CopyId id, std::span<const RoomId> rooms) -> bool {
  const TaskId task = session_.copy(id).task;
  const Settings& settings = pool_.settings();
  if (hopeless({id}) != Rule::candidate) return false;
  if (settings.plugins.predicates) filters_.begin(task);
  Demand demand{.task = task};
  const bool wants_gpu = pool_.gpu(task).needs_gpu();
  demand.resource = wants_gpu ? kGpu : kCpu;
  demand.spread = wants_gpu ? settings.gpu_spread : settings.cpu_spread;
  const Symbol nominated = pool_.cluster().pod(pool_.task(task).pod).status.nominated_node_name;
  demand.has_nominated = nominated && settings.plugins.nominated_node;
  demand.nominated = pool_.cluster().text(nominated);
  if (settings.plugins.pod_affinity) demand.preferences = preferences_.points(task);
  demand.topology = topology_.scores_for(attempt.view, set);

  refused_.clear();
  while (true) {
    const RoomId room = best_room(demand, rooms);
    if (!room) return false;
    if (put_on(attempt, id, room)) return true;
    refused_.push_back(room);
  }
}

auto Placing::put_on(Attempt& attempt, CopyId id, RoomId room) -> bool {
  const TaskId task = session_.copy(id).task;
  if (pool_.gpu(task).is_shared()) {
    SharedChoice choice = choose_gpus(task, room, attempt.only_reserve);
    if (choice.gpus.empty()) return false;
    for (GpuGroupId& gpu : choice.gpus) {
      if (!gpu) gpu = session_.new_gpu();
    }
    if (attempt.only_reserve || choice.only_later) {
      return session_.pipeline(attempt.statement, id, room, false, std::move(choice.gpus));
    }
    session_.allocate(attempt.statement, id, room, std::move(choice.gpus));
    return true;
  }
  if (!attempt.only_reserve && fits(task, room, false)) {
    session_.allocate(attempt.statement, id, room);
    return true;
  }
  return session_.pipeline(attempt.statement, id, room, !attempt.only_reserve);
}

// ---- one task and the rooms

// The room with the highest score, ties by name, among those that take the task.
auto Placing::best_room(const Demand& demand, std::span<const RoomId> rooms) -> RoomId {
  double low = std::numeric_limits<double>::infinity();
  double high = 0;
  for (const RoomId room : rooms) {
    if (pool_.allocatable(room)[demand.resource] == 0) continue;
    const double free = session_.free_later(room, demand.resource);
    low = std::min(low, free);
    high = std::max(high, free);
  }
  RoomId best;
  double best_score = 0;
  for (const RoomId room : rooms) {
    if (demand.topology != nullptr && (*demand.topology)[room.index] < 0) continue;
    if (!fits(demand.task, room, true)) continue;
    const double points = score(demand, room, low, high);
    if (best && (points < best_score || (points == best_score && best < room))) continue;
    if (!accepts(demand.task, room)) continue;
    if (!refused_.empty() && std::find(refused_.begin(), refused_.end(), room) != refused_.end()) continue;
    best = room;
    best_score = points;
  }
  return best;
}

auto Placing::score(const Demand& demand, RoomId id, double low, double high) const -> double {
  const Plugins& on = pool_.settings().plugins;
  const Room& room = pool_.rooms()[id];
  const double* allocatable = pool_.allocatable(id);
  const GpuRequest& gpu = pool_.gpu(demand.task);
  double points = on.node_availability && fits(demand.task, id, false) ? kFitsNow : 0;
  const bool cpu_only_room = room.mig == Room::Mig::off && allocatable[kGpu] <= 0 && !room.has_dra_gpus;
  if (on.resource_type && !gpu.needs_gpu() && cpu_only_room) points += kCpuOnlyRoom;
  if (!demand.preferences.empty()) points += kPreference * demand.preferences[id.index];
  if (demand.has_nominated && demand.nominated == room.name) points += kNominated;
  if (demand.topology != nullptr) points += (*demand.topology)[id.index];
  const double free = session_.free_later(id, demand.resource);
  if (on.node_placement && demand.spread) {
    const double total = demand.resource == kGpu ? static_cast<double>(room.gpu_count) : allocatable[demand.resource];
    points += total != 0 ? free / total : 0;
  } else if (on.node_placement && allocatable[demand.resource] != 0 && high != 0) {
    points += low == high ? kPack : kPack * (1 - (free - low) / (high - low));
  }
  if (!on.gpu_sharing_order) return points;
  const std::int64_t memory = room.gpu.memory_for(gpu);
  const auto& gpus = session_.shared_gpus(id).gpus();
  const bool shares = std::any_of(gpus.begin(), gpus.end(), [&](const SharedGpus::Gpu& each) {
    return SharedGpus::has_room(each, room.gpu.memory, memory);
  });
  return points + (shares ? kSharesGpu : 0);
}

// Source: api/node_info isTaskAllocatableOnNonAllocatedResources.
auto Placing::fits(TaskId task, RoomId id, bool later) const -> bool {
  const GpuRequest& gpu = pool_.gpu(task);
  const double* request = pool_.request(task);
  const double* idle = session_.idle(id);
  const double* releasing = session_.releasing(id);
  for (std::size_t i = 0; i < pool_.dims(); ++i) {
    if (i == kGpu && gpu.is_shared()) continue;
    if (request[i] > (later ? idle[i] + releasing[i] : idle[i])) return false;
  }
  if (!gpu.is_shared()) return true;
  const Room& room = pool_.rooms()[id];
  const double portion = room.gpu.portion_for(gpu);
  if (portion > 1 && (std::isinf(portion) || portion != std::trunc(portion))) return false;
  const std::int64_t memory = room.gpu.memory_for(gpu);
  const auto& gpus = session_.shared_gpus(id).gpus();
  // Of shared ones no more count than it asks for (but one always does), also where a node owes whole ones.
  const std::int64_t with_room = std::count_if(gpus.begin(), gpus.end(), [&](const SharedGpus::Gpu& each) {
    return SharedGpus::has_room(each, room.gpu.memory, memory);
  });
  const std::int64_t shared = std::min(with_room, std::max<std::int64_t>(gpu.devices, 1));
  const double whole = std::floor(later ? idle[kGpu] + releasing[kGpu] : idle[kGpu]);
  return static_cast<std::int64_t>(whole) + shared >= gpu.devices;
}

// The best GPUs first: shared ones with room, and whole ones. Ties among shared ones are left to chance upstream.
// Source: framework/session.go FittingGPUs; gpu_sharing GetNodePreferableGpuForSharing.
auto Placing::choose_gpus(TaskId task, RoomId id, bool only_reserve) const -> SharedChoice {
  const Room& room = pool_.rooms()[id];
  const GpuRequest& asked = pool_.gpu(task);
  const Plugins& on = pool_.settings().plugins;
  const std::int64_t memory = room.gpu.memory_for(asked);
  struct Option {
    double score;
    const SharedGpus::Gpu* gpu;  // null: a whole one
  };
  std::vector<Option> options;
  const bool scored = on.gpu_pack || on.gpu_spread;
  for (const SharedGpus::Gpu& each : session_.shared_gpus(id).gpus()) {
    if (!SharedGpus::has_room(each, room.gpu.memory, memory)) continue;
    if (scored && room.gpu.memory < GpuModel().memory) continue;
    const double used = static_cast<double>(each.used) / static_cast<double>(room.gpu.memory);
    options.push_back({(on.gpu_pack ? used : 0) + (on.gpu_spread ? 1 - used : 0), &each});
  }
  const double idle = session_.idle(id)[kGpu];
  const double releasing = session_.releasing(id)[kGpu];
  const std::int64_t whole = static_cast<std::int64_t>(idle) + static_cast<std::int64_t>(releasing);
  for (std::int64_t i = 0; (idle > 0 || releasing > 0) && i < whole; ++i) {
    options.push_back({on.gpu_spread ? 1.0 : 0.0, nullptr});
  }
  std::stable_sort(options.begin(), options.end(), [](const Option& a, const Option& b) { return a.score > b.score; });
  const bool fits_now = fits(task, id, false);
  SharedChoice choice;
  for (const Option& option : options) {
    const bool free =
        fits_now &&
        (option.gpu == nullptr ? !only_reserve : SharedGpus::has_room_now(*option.gpu, room.gpu.memory, memory));
    choice.only_later = choice.only_later || !free;
    choice.gpus.push_back(option.gpu == nullptr ? GpuGroupId() : option.gpu->id);
    if (static_cast<std::int64_t>(choice.gpus.size()) == asked.devices) return choice;
  }
  return {};
}

auto Placing::kind_of_gpu_suits(TaskId task, const Room& room) const -> bool {
  const GpuRequest& gpu = pool_.gpu(task);
  if (gpu.legacy_mig) return false;
  if (!gpu.needs_gpu()) return true;
  if (room.has_dra_gpus && gpu.is_shared()) return false;
  const bool mig = gpu.kind == GpuRequest::Kind::mig;
  switch (room.mig) {
    case Room::Mig::off: return !mig;
    case Room::Mig::single: return gpu.kind == GpuRequest::Kind::whole;
    case Room::Mig::mixed: return mig && !room.has_legacy_mig;
    case Room::Mig::any: return !mig || !room.has_legacy_mig;
  }
  return true;
}

// A pod that makes a shared GPU needs a second slot, for the pod that reserves it. GPUs count as new unless their names
// are plain numbers. Source: plugins/predicates checkMaxPodsWithGpuGroupReservation.
auto Placing::has_slots(TaskId task, RoomId room) const -> bool {
  const double slots = session_.free_later(room, kPods);
  if (!pool_.gpu(task).is_shared()) return slots > 0;
  if (slots >= 2) return true;
  SharedChoice choice = choose_gpus(task, room, false);
  if (choice.gpus.empty() || choice.only_later) choice = choose_gpus(task, room, true);
  return !choice.gpus.empty() && std::all_of(choice.gpus.begin(), choice.gpus.end(), [&](GpuGroupId gpu) {
    return gpu && go::parse_int(pool_.gpu_group_name(gpu), 64).has_value();
  });
}

auto Placing::accepts(TaskId task, RoomId id) -> bool {
  if (!pool_.settings().plugins.predicates) return true;
  const Room& room = pool_.rooms()[id];
  if (!room.available) return false;
  const GpuRequest& gpu = pool_.gpu(task);
  Share share = pool_.request_share(task);
  if (gpu.kind != GpuRequest::Kind::mig) {
    share[kGpu] = static_cast<double>(gpu.devices) * room.gpu.portion_of(room.gpu.memory_for(gpu));
  } else {
    share[kGpu] = gpu.quota();
  }
  if (over_capacity(pool_.task(task).group, share)) return false;
  if (!kind_of_gpu_suits(task, room) || (gpu.memory > 0 && !room.gpu.memory_known) || !has_slots(task, id))
    return false;
  if (pool_.settings().restrict_nodes && !(gpu.needs_gpu() ? room.is_gpu_worker : room.is_cpu_worker)) return false;
  const Snapshot& cluster = pool_.cluster();
  const Pod& pod = cluster.pod(pool_.task(task).pod);
  const Node& node = cluster.node(room.node);
  return matches_required_affinity(pod.spec, node, cluster) &&
         first_untolerated_taint(pod.spec, node, cluster.known()) == nullptr && filters_.accept(task, id);
}

}  // namespace previct::kai
