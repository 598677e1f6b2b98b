#include "engine/kai/snapshot/cluster_info.h"

#include "engine/kai/snapshot/cluster_info_builder.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct::kai {
namespace {

// Returns the nodes of the shard, ordered by name; with restrict-node-scheduling only those marked as workers.
auto nodes_of(const Snapshot& cluster, const Settings& settings) -> std::vector<NodeId> {
  const Symbol gpu_worker = cluster.symbol(settings.gpu_worker_key);
  const Symbol cpu_worker = cluster.symbol(settings.cpu_worker_key);
  std::vector<NodeId> mine;
  for (const NodeId id : cluster.nodes().ids()) {
    const SymbolMap& labels = cluster.node(id).meta.labels;
    const bool worker = (gpu_worker && labels.has(gpu_worker)) || (cpu_worker && labels.has(cpu_worker));
    if (in_shard(cluster, settings, labels) && (worker || !settings.restrict_nodes)) mine.push_back(id);
  }
  std::sort(mine.begin(), mine.end(), [&](NodeId a, NodeId b) { return cluster.name(a) < cluster.name(b); });
  return mine;
}

}  // namespace

ClusterInfo::ClusterInfo(const Snapshot& cluster, const Settings& settings, Moment& now, const AssumedGroup* assumed)
    : cluster_(cluster),
      settings_(settings),
      queues_(cluster, settings, now.now()),
      nodes_(nodes_of(cluster, settings)),
      resources_(cluster, nodes_, settings.running.release),
      config_maps_(cluster, settings.config_maps_exist, settings.running.release) {
  Builder(*this, now).build(assumed);
}

void ClusterInfo::Builder::build(const AssumedGroup* assumed) {
  add_shard_nodes();
  add_dra_gpus();
  add_groups();
  if (assumed != nullptr) add_assumed(*assumed);
  add_pods(assumed);
  order_tasks();
  rank_groups();
  sum_up();
  find_endless_queues();
}

auto ClusterInfo::request_share(TaskId id) const -> Share {
  const double* r = request(id);
  Share share{r[kCpu], r[kMemory], 0};
  for (std::size_t i = kGpu; i < dims(); ++i) share[kGpu] += resources_.gpus_per_unit()[i] * r[i];
  return share;
}

auto ClusterInfo::gpus_on(TaskId id, ShardNodeId shard_node) const -> double {
  const GpuRequest& asked = gpus_[id];
  if (asked.kind == GpuRequest::Kind::mig) return 0;
  if (!asked.is_shared()) return asked.gpus();
  return GpuRequest::parts(asked.devices, shard_nodes_[shard_node].gpu.portion_for(asked));
}

auto ClusterInfo::need_on(TaskId id, ShardNodeId shard_node) const -> Ask {
  Ask need{request_share(id), gpus_on(id, shard_node)};
  need.amount[kGpu] += need.gpus - request(id)[kGpu];
  return need;
}

auto ClusterInfo::quota_on(TaskId id, ShardNodeId shard_node) const -> double {
  const GpuRequest& asked = gpus_[id];
  return asked.kind == GpuRequest::Kind::mig ? asked.mig : gpus_on(id, shard_node);
}

auto ClusterInfo::gpu_groups(TaskId id) const -> const std::vector<GpuGroupId>& {
  static const std::vector<GpuGroupId> kNone;
  const auto found = gpu_groups_.find(id.index);
  return found == gpu_groups_.end() ? kNone : found->second;
}

auto ClusterInfo::gpu_group_name(GpuGroupId id) const -> std::string_view {
  return id.index < kFirstNewGpuGroup ? cluster_.text(Symbol{id.index}) : std::string_view();
}

auto ClusterInfo::semi_preemptible_groups() const -> std::vector<std::string> {
  std::vector<std::string> keys;
  for (const GroupId id : by_name_) {
    const Group& group = groups_[id];
    bool has_pods = false;
    for (std::uint32_t i = 0; i < group.sets; ++i) has_pods = has_pods || !tasks_of(group.set(i)).empty();
    if (group.semi_preemptible && group.queue && has_pods) keys.push_back(key(id));
  }
  return keys;
}

auto ClusterInfo::find_group_by_name(std::string_view name) const -> GroupId {
  const auto found = std::lower_bound(by_name_.begin(), by_name_.end(), name,
                                      [&](GroupId id, std::string_view wanted) { return groups_[id].name < wanted; });
  if (found == by_name_.end() || groups_[*found].name != name) return {};
  return *found;
}

auto ClusterInfo::find_group(std::string_view ns, std::string_view name) const -> GroupId {
  const GroupId found = find_group_by_name(name);
  return found && groups_[found].ns == ns ? found : GroupId{};
}

auto ClusterInfo::key(GroupId id) const -> std::string {
  return fmt::format("{}/{}", groups_[id].ns, groups_[id].name);
}

}  // namespace previct::kai
