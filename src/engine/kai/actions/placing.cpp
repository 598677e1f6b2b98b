#include "engine/kai/actions/placing.h"

#include "base/go.h"
#include "cluster/matching.h"

#include <algorithm>
#include <limits>

namespace previct::kai {
namespace {

constexpr double kFitsNow = 1000;
constexpr double kCpuOnlyRoom = 10;
constexpr double kNominated = 1e7;
constexpr double kPack = 9;

}  // namespace

struct Placing::Demand {
  TaskId task;
  std::size_t resource = kCpu;  // the one that packing looks at
  bool spread = false;
  std::string_view nominated{};
  bool has_nominated = false;
};

Placing::Placing(Session& session) : session_(session), pool_(session.pool()), filters_(session) {
  const Snapshot& cluster = pool_.cluster();
  const Symbol label = cluster.symbol("nvidia.com/gpu.count");
  for (const RoomId id : pool_.rooms().ids()) {
    all_rooms_.push_back(id);
    const SymbolMap& labels = cluster.node(pool_.rooms()[id].node).meta.labels;
    const auto count = label ? go::parse_int(cluster.text(labels.get(label)), 64) : std::nullopt;
    gpu_count_.push_back(count ? static_cast<double>(*count) : -1);
  }
}

auto Placing::over_capacity(GroupId id, const Share& request) const -> bool {
  const Group& group = pool_.group(id);
  if (!group.queue) return false;
  for (const QueueId queue : pool_.queue(group.queue).path) {
    const Share& limit = pool_.queue(queue).limit;
    const Share& allocated = session_.allocated(queue);
    for (std::size_t r = 0; r < kShared; ++r) {
      if (limit[r] != kUnlimited && request[r] != 0 && limit[r] < allocated[r] + request[r]) return true;
    }
  }
  return over_quota(id, request);
}

auto Placing::over_quota(GroupId id, const Share& request) const -> bool {
  const Group& group = pool_.group(id);
  if (group.preemptible || !group.queue) return false;
  for (const QueueId queue : pool_.queue(group.queue).path) {
    const Share& deserved = pool_.queue(queue).deserved;
    const Share& held = session_.non_preemptible(queue);
    for (std::size_t r = 0; r < kShared; ++r) {
      if (deserved[r] != kUnlimited && request[r] != 0 && deserved[r] < held[r] + request[r]) return true;
    }
  }
  return false;
}

auto Placing::too_large(const std::vector<CopyId>& chunk) const -> bool {
  for (const CopyId id : chunk) {
    const double* request = pool_.request(session_.copy(id).task);
    for (std::size_t i = 0; i < pool_.dims(); ++i) {
      if (request[i] > 0 && request[i] > pool_.largest()[i]) return true;
    }
  }
  return false;
}

auto Placing::request_of(const std::vector<CopyId>& chunk) const -> Share {
  Share sum{};
  for (const CopyId id : chunk) add_to(sum, pool_.shared_request(session_.copy(id).task));
  return sum;
}

auto Placing::place(Statement& statement, std::span<const RoomId> rooms, GroupId group, const GroupView& view,
                    const std::vector<CopyId>& chunk, bool only_reserve) -> bool {
  if (chunk.empty() || over_capacity(group, request_of(chunk))) return false;
  const std::size_t checkpoint = statement.size();
  for (const CopyId copy : placing_order(session_, view, chunk)) {
    if (place_task(statement, rooms, copy, only_reserve)) continue;
    session_.roll_back(statement, checkpoint);
    return false;
  }
  return true;
}

auto Placing::place_task(Statement& statement, std::span<const RoomId> rooms, CopyId id, bool only_reserve) -> bool {
  const TaskId task = session_.copy(id).task;
  if (too_large({id}) || over_capacity(pool_.task(task).group, pool_.shared_request(task))) return false;
  Demand demand{.task = task};
  const Settings& settings = pool_.settings();
  const bool wants_gpu = pool_.request(task)[kGpu] > 0;
  demand.resource = wants_gpu ? kGpu : kCpu;
  demand.spread = wants_gpu ? settings.gpu_spread : settings.cpu_spread;
  const Symbol nominated = pool_.cluster().pod(pool_.task(task).pod).status.nominated_node_name;
  demand.has_nominated = static_cast<bool>(nominated);
  demand.nominated = pool_.cluster().text(nominated);

  refused_.clear();
  while (true) {
    const RoomId room = best_room(demand, rooms);
    if (!room) return false;
    if (!only_reserve && fits(task, room, false)) {
      session_.allocate(statement, id, room);
      return true;
    }
    if (session_.pipeline(statement, id, room, !only_reserve)) return true;
    refused_.push_back(room);
  }
}

auto Placing::fits(TaskId task, RoomId room, bool later) const -> bool {
  const double* request = pool_.request(task);
  const double* idle = session_.idle(room);
  const double* releasing = session_.releasing(room);
  for (std::size_t i = 0; i < pool_.dims(); ++i) {
    if (request[i] > (later ? idle[i] + releasing[i] : idle[i])) return false;
  }
  return true;
}

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
    if (!fits(demand.task, room, true) || session_.free_later(room, kPods) <= 0) continue;
    const double points = score(demand, room, low, high);
    if (best && (points < best_score || (points == best_score && best < room))) continue;
    if (!accepts(demand.task, room)) continue;
    if (!refused_.empty() && std::find(refused_.begin(), refused_.end(), room) != refused_.end()) continue;
    best = room;
    best_score = points;
  }
  return best;
}

auto Placing::score(const Demand& demand, RoomId room, double low, double high) const -> double {
  const double* allocatable = pool_.allocatable(room);
  double points = fits(demand.task, room, false) ? kFitsNow : 0;
  if (demand.resource != kGpu && allocatable[kGpu] <= 0) points += kCpuOnlyRoom;
  if (demand.has_nominated && demand.nominated == pool_.rooms()[room].name) points += kNominated;
  const double free = session_.free_later(room, demand.resource);
  if (demand.spread) {
    double total = allocatable[demand.resource];
    if (demand.resource == kGpu && gpu_count_[room.index] >= 0) total = gpu_count_[room.index];
    return points + (total != 0 ? free / total : 0);
  }
  if (allocatable[demand.resource] == 0 || high == 0) return points;
  return points + (low == high ? kPack : kPack * (1 - (free - low) / (high - low)));
}

auto Placing::accepts(TaskId task, RoomId room) -> bool {
  if (!pool_.rooms()[room].available) return false;
  const Snapshot& cluster = pool_.cluster();
  const Pod& pod = cluster.pod(pool_.task(task).pod);
  const Node& node = cluster.node(pool_.rooms()[room].node);
  return matches_required_affinity(pod.spec, node, cluster) &&
         first_untolerated_taint(pod.spec, node, cluster.known()) == nullptr && filters_.accept(task, room);
}

}  // namespace previct::kai
