#include "base/ascii.h"
#include "base/go.h"
#include "engine/kai/snapshot/cluster_info_builder.h"

#include <algorithm>

namespace previct::kai {
namespace {

auto go_bool(std::string_view text) -> bool {
  constexpr std::array<std::string_view, 6> kTrue = {"1", "t", "T", "TRUE", "true", "True"};
  return std::find(kTrue.begin(), kTrue.end(), text) != kTrue.end();
}

}  // namespace

auto ClusterInfo::Builder::label(const ObjectMeta& meta, std::string_view key) const
    -> std::optional<std::string_view> {
  return label(meta, cluster_.symbol(key));
}

auto ClusterInfo::Builder::label(const ObjectMeta& meta, Symbol key) const -> std::optional<std::string_view> {
  if (!key || !meta.labels.has(key)) return {};
  return text(meta.labels.get(key));
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

void ClusterInfo::Builder::add_shard_nodes() {
  const std::size_t dims = cluster_info_.dims();
  cluster_info_.largest_.assign(dims, 0);
  for (const NodeId id : cluster_info_.nodes_) {
    const std::vector<double> allocatable = cluster_info_.resources_.of_node(cluster_.node(id));
    for (std::size_t i = 0; i < dims; ++i)
      cluster_info_.largest_[i] = std::max(cluster_info_.largest_[i], allocatable[i]);
    cluster_info_.allocatable_.insert(cluster_info_.allocatable_.end(), allocatable.begin(), allocatable.end());
    const ShardNodeId shard_node = cluster_info_.shard_nodes_.add({});
    cluster_info_.shard_nodes_[shard_node] = shard_node_of(id);
    shard_node_of_.emplace(cluster_.node(id).meta.name.index, shard_node);
    cluster_info_.shared_gpus_.add({});
    cluster_info_.residents_.add({});
    foreign_.emplace_back();
    const std::int64_t memory = cluster_info_.shard_nodes_[shard_node].gpu.memory;
    if (memory <= GpuModel().memory) continue;
    std::int64_t& least = cluster_info_.least_gpu_memory_;
    least = least == 0 ? memory : std::min(least, memory);
    cluster_info_.most_gpu_memory_ = std::max(cluster_info_.most_gpu_memory_, memory);
  }
  cluster_info_.idle_ = cluster_info_.allocatable_;
  cluster_info_.releasing_.assign(cluster_info_.allocatable_.size(), 0);
}

// Call it after the node's allocatable is known. Source: api/node_info IsMIGEnabled, GetMigStrategy.
auto ClusterInfo::Builder::shard_node_of(NodeId id) const -> ShardNode {
  const Node& node = cluster_.node(id);
  ShardNode shard_node{.node = id, .name = text(node.meta.name), .available = is_available(cluster_, node)};
  shard_node.gpu = gpu_model(cluster_, node);
  const double* allocatable = &cluster_info_.allocatable_[cluster_info_.allocatable_.size() - cluster_info_.dims()];
  const auto counted = label(node.meta, "nvidia.com/gpu.count");
  const auto count = counted ? go::parse_int(*counted, 64) : std::nullopt;
  shard_node.gpu_count = count.value_or(static_cast<std::int64_t>(allocatable[kGpu]));
  shard_node.is_gpu_worker = label(node.meta, cluster_info_.settings_.gpu_worker_key).has_value();
  shard_node.is_cpu_worker = label(node.meta, cluster_info_.settings_.cpu_worker_key).has_value();

  bool mig = false;
  if (const auto enabled = label(node.meta, cluster_info_.settings_.mig_worker_key)) {
    mig = go_bool(*enabled);
  } else {
    for (std::size_t i = kShared; i < cluster_info_.dims(); ++i) {
      mig = mig || (is_mig(cluster_info_.resources_.name(i)) && allocatable[i] > 0);
    }
  }
  if (!mig) return shard_node;
  const std::string_view strategy = label(node.meta, "nvidia.com/mig.strategy").value_or("");
  shard_node.mig = strategy == "single"  ? ShardNode::Mig::single
                   : strategy == "mixed" ? ShardNode::Mig::mixed
                                         : ShardNode::Mig::any;
  return shard_node;
}

// Source: cache/cluster_info populateDRAGPUs.
void ClusterInfo::Builder::add_dra_gpus() {
  if (!cluster_info_.settings_.running.release.has(Change::gpus_of_slices)) return;
  for (const ResourceSlice& slice : objects().resource_slices) {
    const auto shard_node = shard_node_of_.find(slice.spec.node_name.index);
    if (shard_node == shard_node_of_.end() || slice.spec.devices.empty()) continue;
    if (lower_case(text(slice.spec.driver)).find("gpu") == std::string::npos) continue;
    const std::size_t at = shard_node->second.index * cluster_info_.dims() + kGpu;
    cluster_info_.allocatable_[at] += static_cast<double>(slice.spec.devices.size());
    cluster_info_.idle_[at] += static_cast<double>(slice.spec.devices.size());
    cluster_info_.largest_[kGpu] = std::max(cluster_info_.largest_[kGpu], cluster_info_.allocatable_[at]);
    ShardNode& of = cluster_info_.shard_nodes_[shard_node->second];
    of.has_dra_gpus = true;
    if (!label(cluster_.node(of.node).meta, "nvidia.com/gpu.count")) {
      of.gpu_count = static_cast<std::int64_t>(cluster_info_.allocatable_[at]);
    }
  }
}

}  // namespace previct::kai
