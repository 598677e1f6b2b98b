#include "tell/kai/devices.h"

#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace previct::kai {
namespace {

constexpr std::size_t kShownUsers = 3;
constexpr double kHundred = 100;

auto key_of(const Pool& pool, TaskId task) -> std::string {
  return pool.cluster().key(pool.task(task).pod);
}

auto portion_on(const Pool& pool, TaskId task, RoomId room) -> double {
  return pool.rooms()[room].gpu.portion_for(pool.gpu(task));
}

auto is_new(GpuGroupId id) -> bool {
  return id.index >= kFirstNewGpuGroup;
}

auto device_name(const Pool& pool, RoomId room, GpuGroupId id) -> std::string {
  return fmt::format("{}/{}", pool.rooms()[room].name, pool.gpu_group_name(id));
}

// `ml/a, ml/b, ml/c and 2 more`
auto some(std::vector<std::string> names) -> std::string {
  const std::size_t more = names.size() > kShownUsers ? names.size() - kShownUsers : 0;
  names.resize(names.size() - more);
  return joined(names, ", ") + (more == 0 ? "" : fmt::format(" and {} more", more));
}

auto shared_amount(const Pool& pool, TaskId task, RoomId room, std::size_t count) -> std::string {
  const std::string each = fmt::format("{:g} GPU", portion_on(pool, task, room));
  return count == 1 ? each : fmt::format("{} × {}", count, each);
}

// Whoever else is there at the start, and is not evicted by `after`.
auto sharers(const Pool& pool, TaskId task, RoomId room, const std::vector<GpuGroupId>& ids, const Session* after)
    -> std::vector<std::string> {
  std::vector<std::string> names;
  for (const TaskId other : pool.tasks().ids()) {
    if (other == task || pool.task(other).room != room) continue;
    if (after != nullptr && !kActiveAllocated.has(after->status(other))) continue;
    const std::vector<GpuGroupId>& theirs = pool.gpu_groups(other);
    const bool shares = std::find_first_of(theirs.begin(), theirs.end(), ids.begin(), ids.end()) != theirs.end();
    if (shares) names.push_back(key_of(pool, other));
  }
  std::sort(names.begin(), names.end());
  return names;
}

auto words(const Pool& pool, TaskId task, RoomId room, const std::vector<GpuGroupId>& ids,
           const Session* after = nullptr) -> std::string {
  if (!room || ids.empty()) return {};
  std::vector<std::string> names;
  for (const GpuGroupId id : ids) {
    if (!is_new(id)) names.push_back(device_name(pool, room, id));
  }
  if (const std::size_t fresh = ids.size() - names.size(); fresh > 0) {
    names.push_back(fmt::format("{} on {}", counted(fresh, "free GPU", "free GPUs"), pool.rooms()[room].name));
  }
  std::vector<std::string> others = sharers(pool, task, room, ids, after);
  const std::string shared = others.empty() ? "" : fmt::format(", shared with {}", some(std::move(others)));
  return fmt::format("{} of {}{}", shared_amount(pool, task, room, ids.size()), joined(names, ", "), shared);
}

}  // namespace

auto devices(const Pool& pool) -> std::vector<Device> {
  std::map<std::pair<std::uint32_t, std::uint32_t>, Device> found;
  for (const TaskId id : pool.tasks().ids()) {
    const Task& task = pool.task(id);
    if (!task.room) continue;
    for (const GpuGroupId group : pool.gpu_groups(id)) {
      Device& device = found[{task.room.index, group.index}];
      device.room = task.room;
      device.id = group;
      device.users.push_back(id);
      device.used += portion_on(pool, id, task.room);
    }
  }
  std::vector<Device> out;
  for (auto& [key, device] : found) {
    device.used = std::round(device.used * kHundred) / kHundred;
    std::sort(device.users.begin(), device.users.end(),
              [&](TaskId a, TaskId b) { return key_of(pool, a) < key_of(pool, b); });
    out.push_back(std::move(device));
  }
  std::sort(out.begin(), out.end(), [&](const Device& a, const Device& b) {
    return std::tuple(pool.rooms()[a.room].name, pool.gpu_group_name(a.id)) <
           std::tuple(pool.rooms()[b.room].name, pool.gpu_group_name(b.id));
  });
  return out;
}

auto device_words(const Pool& pool, TaskId task) -> std::string {
  return words(pool, task, pool.task(task).room, pool.gpu_groups(task));
}

auto planned_device_words(const Explained& e, TaskId task) -> std::string {
  const Session& session = e.decision.cycle.session();
  const Copy& copy = session.copy(session.current(task));
  return words(e.pool(), task, copy.room, copy.gpus, &session);
}

auto shared_devices(const Explained& e, const std::vector<RoomId>& rooms) -> std::vector<SharedDevice> {
  const Pool& pool = e.pool();
  const Session& after = e.decision.cycle.session();
  std::map<std::tuple<bool, std::string, std::string, std::uint32_t>, SharedDevice> found;  // known ones first, by name
  const auto use = [&](RoomId room, GpuGroupId id, TaskId task) -> SharedDevice::Use& {
    const std::string node(pool.rooms()[room].name);
    const std::string name = is_new(id) ? std::string() : device_name(pool, room, id);
    SharedDevice& device = found[{is_new(id), node, name, id.index}];
    device.node = node;
    device.name = name;
    const PodId pod = pool.task(task).pod;
    for (SharedDevice::Use& each : device.uses) {
      if (each.pod == pod) return each;
    }
    return device.uses.emplace_back(SharedDevice::Use{pod});
  };
  const auto is_shown = [&](RoomId room) { return room && std::find(rooms.begin(), rooms.end(), room) != rooms.end(); };
  for (const TaskId id : pool.tasks().ids()) {
    const RoomId before = pool.task(id).room;
    if (is_shown(before)) {
      for (const GpuGroupId gpu : pool.gpu_groups(id)) use(before, gpu, id).now = portion_on(pool, id, before);
    }
    const Copy& copy = after.copy(after.current(id));
    const bool stays = kActiveAllocated.has(copy.status);
    if (!stays || !is_shown(copy.room)) continue;
    for (const GpuGroupId gpu : copy.gpus) use(copy.room, gpu, id).then = portion_on(pool, id, copy.room);
  }
  std::vector<SharedDevice> out;
  for (auto& [key, device] : found) {
    std::sort(device.uses.begin(), device.uses.end(),
              [&](const auto& a, const auto& b) { return pool.cluster().key(a.pod) < pool.cluster().key(b.pod); });
    out.push_back(std::move(device));
  }
  return out;
}

auto device_table(const Pool& pool, const std::vector<RoomId>& rooms) -> Table {
  Table table{{{"SHARED GPU"}, {.head = "USED", .numeric = true}, {"BY"}}, {}, {}};
  for (const Device& device : devices(pool)) {
    if (std::find(rooms.begin(), rooms.end(), device.room) == rooms.end()) continue;
    std::vector<std::string> users;
    for (const TaskId user : device.users) {
      users.push_back(fmt::format("{} {:g}", key_of(pool, user), portion_on(pool, user, device.room)));
    }
    table.rows.push_back(
        {{device_name(pool, device.room, device.id)}, {fmt::format("{:g}", device.used)}, {joined(users, ", ")}});
  }
  return table;
}

auto device_json(const Pool& pool) -> Json {
  Json out = Json::array();
  for (const Device& device : devices(pool)) {
    Json pods = Json::array();
    for (const TaskId user : device.users) {
      const GpuModel& gpu = pool.rooms()[device.room].gpu;
      pods.push_back({{"pod", key_of(pool, user)},
                      {"portion", portion_on(pool, user, device.room)},
                      {"memoryMiB", gpu.memory_for(pool.gpu(user))},
                      {"terminating", pool.task(user).status == Status::releasing}});
    }
    out.push_back({{"node", std::string(pool.rooms()[device.room].name)},
                   {"gpuGroup", std::string(pool.gpu_group_name(device.id))},
                   {"used", device.used},
                   {"pods", std::move(pods)}});
  }
  return out;
}

}  // namespace previct::kai
