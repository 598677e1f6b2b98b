#include "tell/kai/devices.h"

#include "base/text.h"
#include "report/rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace previct::kai {
namespace {

constexpr std::size_t kShownUsers = 3;
constexpr double kHundred = 100;

auto key_of(const ClusterInfo& cluster_info, TaskId task) -> std::string {
  return cluster_info.cluster().key(cluster_info.task(task).pod);
}

auto portion_on(const ClusterInfo& cluster_info, TaskId task, ShardNodeId shard_node) -> double {
  return cluster_info.shard_nodes()[shard_node].gpu.portion_for(cluster_info.gpu(task));
}

auto is_new(GpuGroupId id) -> bool {
  return id.index >= kFirstNewGpuGroup;
}

auto device_name(const ClusterInfo& cluster_info, ShardNodeId shard_node, GpuGroupId id) -> std::string {
  return fmt::format("{}/{}", cluster_info.shard_nodes()[shard_node].name, cluster_info.gpu_group_name(id));
}

auto shared_amount(const ClusterInfo& cluster_info, TaskId task, ShardNodeId shard_node, std::size_t count)
    -> std::string {
  const std::string each = fmt::format("{:g} GPU", portion_on(cluster_info, task, shard_node));
  return count == 1 ? each : fmt::format("{} × {}", count, each);
}

// Returns the other pods on the GPUs at the start that are not evicted in `after`.
auto sharers(const ClusterInfo& cluster_info, TaskId task, ShardNodeId shard_node, const std::vector<GpuGroupId>& ids,
             const Session* after) -> std::vector<std::string> {
  std::vector<std::string> names;
  for (const TaskId other : cluster_info.tasks().ids()) {
    if (other == task || cluster_info.task(other).shard_node != shard_node) continue;
    if (after != nullptr && !kActiveAllocated.has(after->status(other))) continue;
    const std::vector<GpuGroupId>& theirs = cluster_info.gpu_groups(other);
    const bool shares = std::find_first_of(theirs.begin(), theirs.end(), ids.begin(), ids.end()) != theirs.end();
    if (shares) names.push_back(key_of(cluster_info, other));
  }
  std::sort(names.begin(), names.end());
  return names;
}

auto words(const ClusterInfo& cluster_info, TaskId task, ShardNodeId shard_node, const std::vector<GpuGroupId>& ids,
           const Session* after = nullptr) -> std::string {
  if (!shard_node || ids.empty()) return {};
  std::vector<std::string> names;
  for (const GpuGroupId id : ids) {
    if (!is_new(id)) names.push_back(device_name(cluster_info, shard_node, id));
  }
  if (const std::size_t fresh = ids.size() - names.size(); fresh > 0) {
    names.push_back(
        fmt::format("{} on {}", counted(fresh, "free GPU", "free GPUs"), cluster_info.shard_nodes()[shard_node].name));
  }
  std::vector<std::string> others = sharers(cluster_info, task, shard_node, ids, after);
  const std::string shared =
      others.empty() ? "" : fmt::format(", shared with {}", joined_up_to(kShownUsers, std::move(others)));
  return fmt::format("{} of {}{}", shared_amount(cluster_info, task, shard_node, ids.size()), joined(names, ", "),
                     shared);
}

}  // namespace

auto devices(const ClusterInfo& cluster_info) -> std::vector<Device> {
  std::map<std::pair<std::uint32_t, std::uint32_t>, Device> found;
  for (const TaskId id : cluster_info.tasks().ids()) {
    const Task& task = cluster_info.task(id);
    if (!task.shard_node) continue;
    for (const GpuGroupId group : cluster_info.gpu_groups(id)) {
      Device& device = found[{task.shard_node.index, group.index}];
      device.shard_node = task.shard_node;
      device.id = group;
      device.users.push_back(id);
      device.used += portion_on(cluster_info, id, task.shard_node);
    }
  }
  std::vector<Device> out;
  for (auto& [key, device] : found) {
    device.used = std::round(device.used * kHundred) / kHundred;
    std::sort(device.users.begin(), device.users.end(),
              [&](TaskId a, TaskId b) { return key_of(cluster_info, a) < key_of(cluster_info, b); });
    out.push_back(std::move(device));
  }
  std::sort(out.begin(), out.end(), [&](const Device& a, const Device& b) {
    return std::tuple(cluster_info.shard_nodes()[a.shard_node].name, cluster_info.gpu_group_name(a.id)) <
           std::tuple(cluster_info.shard_nodes()[b.shard_node].name, cluster_info.gpu_group_name(b.id));
  });
  return out;
}

auto device_words(const ClusterInfo& cluster_info, TaskId task) -> std::string {
  return words(cluster_info, task, cluster_info.task(task).shard_node, cluster_info.gpu_groups(task));
}

auto planned_device_words(const Explained& e, TaskId task) -> std::string {
  const Session& session = e.decision.cycle.session();
  const Copy& copy = session.copy(session.current(task));
  return words(e.cluster_info(), task, copy.shard_node, copy.gpus, &session);
}

auto shared_devices(const Explained& e, const std::vector<ShardNodeId>& shard_nodes) -> std::vector<SharedDevice> {
  const ClusterInfo& cluster_info = e.cluster_info();
  const Session& after = e.decision.cycle.session();
  std::map<std::tuple<bool, std::string, std::string, std::uint32_t>, SharedDevice> found;  // known ones first
  const auto use = [&](ShardNodeId shard_node, GpuGroupId id, TaskId task) -> SharedDevice::Use& {
    const std::string node(cluster_info.shard_nodes()[shard_node].name);
    const std::string name = is_new(id) ? std::string() : device_name(cluster_info, shard_node, id);
    SharedDevice& device = found[{is_new(id), node, name, id.index}];
    device.node = node;
    device.name = name;
    const PodId pod = cluster_info.task(task).pod;
    for (SharedDevice::Use& each : device.uses) {
      if (each.pod == pod) return each;
    }
    return device.uses.emplace_back(SharedDevice::Use{pod});
  };
  const auto is_shown = [&](ShardNodeId shard_node) {
    return shard_node && std::find(shard_nodes.begin(), shard_nodes.end(), shard_node) != shard_nodes.end();
  };
  for (const TaskId id : cluster_info.tasks().ids()) {
    const ShardNodeId before = cluster_info.task(id).shard_node;
    if (is_shown(before)) {
      for (const GpuGroupId gpu : cluster_info.gpu_groups(id))
        use(before, gpu, id).now = portion_on(cluster_info, id, before);
    }
    const Copy& copy = after.copy(after.current(id));
    const bool stays = kActiveAllocated.has(copy.status);
    if (!stays || !is_shown(copy.shard_node)) continue;
    for (const GpuGroupId gpu : copy.gpus)
      use(copy.shard_node, gpu, id).then = portion_on(cluster_info, id, copy.shard_node);
  }
  std::vector<SharedDevice> out;
  for (auto& [key, device] : found) {
    std::sort(device.uses.begin(), device.uses.end(), [&](const auto& a, const auto& b) {
      return cluster_info.cluster().key(a.pod) < cluster_info.cluster().key(b.pod);
    });
    out.push_back(std::move(device));
  }
  return out;
}

auto device_table(const ClusterInfo& cluster_info, const std::vector<ShardNodeId>& shard_nodes) -> Table {
  std::vector<Device> shown = devices(cluster_info);
  std::erase_if(shown, [&](const Device& device) {
    return std::find(shard_nodes.begin(), shard_nodes.end(), device.shard_node) == shard_nodes.end();
  });
  return table_of(shown, [&](Row& row, const Device& device) {
    std::vector<std::string> users;
    for (const TaskId user : device.users) {
      users.push_back(
          fmt::format("{} {:g}", key_of(cluster_info, user), portion_on(cluster_info, user, device.shard_node)));
    }
    row.text("SHARED GPU", device_name(cluster_info, device.shard_node, device.id));
    row.number("USED", fmt::format("{:g}", device.used));
    row.text("BY", joined(users, ", "));
  });
}

auto device_json(const ClusterInfo& cluster_info) -> Json {
  Json out = Json::array();
  for (const Device& device : devices(cluster_info)) {
    Json pods = Json::array();
    for (const TaskId user : device.users) {
      const GpuModel& gpu = cluster_info.shard_nodes()[device.shard_node].gpu;
      pods.push_back({{"pod", key_of(cluster_info, user)},
                      {"portion", portion_on(cluster_info, user, device.shard_node)},
                      {"memoryMiB", gpu.memory_for(cluster_info.gpu(user))},
                      {"terminating", cluster_info.task(user).status == Status::releasing}});
    }
    out.push_back({{"node", std::string(cluster_info.shard_nodes()[device.shard_node].name)},
                   {"gpuGroup", std::string(cluster_info.gpu_group_name(device.id))},
                   {"used", device.used},
                   {"pods", std::move(pods)}});
  }
  return out;
}

}  // namespace previct::kai
