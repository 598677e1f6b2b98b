#include "base/go.h"
#include "engine/kai/snapshot/pool_builder.h"

#include <algorithm>

namespace previct::kai {
namespace {

auto go_bool(std::string_view text) -> bool {
  constexpr std::array<std::string_view, 6> kTrue = {"1", "t", "T", "TRUE", "true", "True"};
  return std::find(kTrue.begin(), kTrue.end(), text) != kTrue.end();
}

auto lower(std::string_view text) -> std::string {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return out;
}

}  // namespace

auto Pool::Builder::label(const ObjectMeta& meta, std::string_view key) const -> std::optional<std::string_view> {
  const Symbol symbol = cluster_.symbol(key);
  if (!symbol || !meta.labels.has(symbol)) return {};
  return text(meta.labels.get(symbol));
}

static auto is_available(const Snapshot& cluster, const Node& node) -> bool {
  if (node.spec.unschedulable) return false;
  return std::all_of(node.status.conditions.begin(), node.status.conditions.end(), [&](const NodeCondition& c) {
    const std::string_view type = cluster.text(c.type);
    const std::string_view status = cluster.text(c.status);
    const bool trouble =
        type == "MemoryPressure" || type == "DiskPressure" || type == "PIDPressure" || type == "NetworkUnavailable";
    return type == "Ready" ? status == "True" : !trouble || status == "False";
  });
}

void Pool::Builder::add_rooms() {
  const std::size_t dims = pool_.dims();
  pool_.largest_.assign(dims, 0);
  for (const NodeId id : pool_.nodes_) {
    const std::vector<double> allocatable = pool_.resources_.of_node(cluster_.node(id));
    for (std::size_t i = 0; i < dims; ++i) pool_.largest_[i] = std::max(pool_.largest_[i], allocatable[i]);
    pool_.allocatable_.insert(pool_.allocatable_.end(), allocatable.begin(), allocatable.end());
    const RoomId room = pool_.rooms_.add({});
    pool_.rooms_[room] = room_of(id);
    room_of_.emplace(cluster_.node(id).meta.name.index, room);
    pool_.shared_gpus_.add({});
    pool_.residents_.add({});
    foreign_.emplace_back();
    const std::int64_t memory = pool_.rooms_[room].gpu.memory;
    if (memory <= GpuModel().memory) continue;
    std::int64_t& least = pool_.least_gpu_memory_;
    least = least == 0 ? memory : std::min(least, memory);
    pool_.most_gpu_memory_ = std::max(pool_.most_gpu_memory_, memory);
  }
  pool_.idle_ = pool_.allocatable_;
  pool_.releasing_.assign(pool_.allocatable_.size(), 0);
}

// Called when the room's allocatable is known. Source: api/node_info IsMIGEnabled, GetMigStrategy.
auto Pool::Builder::room_of(NodeId id) const -> Room {
  const Node& node = cluster_.node(id);
  Room room{.node = id, .name = text(node.meta.name), .available = is_available(cluster_, node)};
  room.gpu = gpu_model(cluster_, node);
  const double* allocatable = &pool_.allocatable_[pool_.allocatable_.size() - pool_.dims()];
  const auto counted = label(node.meta, "nvidia.com/gpu.count");
  const auto count = counted ? go::parse_int(*counted, 64) : std::nullopt;
  room.gpu_count = count.value_or(static_cast<std::int64_t>(allocatable[kGpu]));
  room.is_gpu_worker = label(node.meta, pool_.settings_.gpu_worker_key).has_value();
  room.is_cpu_worker = label(node.meta, pool_.settings_.cpu_worker_key).has_value();

  bool mig = false;
  if (const auto enabled = label(node.meta, pool_.settings_.mig_worker_key)) {
    mig = go_bool(*enabled);
  } else {
    for (std::size_t i = kShared; i < pool_.dims(); ++i) {
      mig = mig || (is_mig(pool_.resources_.name(i)) && allocatable[i] > 0);
    }
  }
  if (!mig) return room;
  const std::string_view strategy = label(node.meta, "nvidia.com/mig.strategy").value_or("");
  room.mig = strategy == "single" ? Room::Mig::single : strategy == "mixed" ? Room::Mig::mixed : Room::Mig::any;
  return room;
}

// Source: cache/cluster_info populateDRAGPUs.
void Pool::Builder::add_dra_gpus() {
  for (const ResourceSlice& slice : objects().resource_slices) {
    const auto room = room_of_.find(slice.spec.node_name.index);
    if (room == room_of_.end() || slice.spec.devices.empty()) continue;
    if (lower(text(slice.spec.driver)).find("gpu") == std::string::npos) continue;
    const std::size_t at = room->second.index * pool_.dims() + kGpu;
    pool_.allocatable_[at] += static_cast<double>(slice.spec.devices.size());
    pool_.idle_[at] += static_cast<double>(slice.spec.devices.size());
    pool_.largest_[kGpu] = std::max(pool_.largest_[kGpu], pool_.allocatable_[at]);
    Room& of = pool_.rooms_[room->second];
    of.has_dra_gpus = true;
    if (!label(cluster_.node(of.node).meta, "nvidia.com/gpu.count")) {
      of.gpu_count = static_cast<std::int64_t>(pool_.allocatable_[at]);
    }
  }
}

}  // namespace previct::kai
