#pragma once

#include "tell/kai/explain.h"

#include <string>
#include <vector>

namespace previct::kai {

/// A GPU of which pods take a part each, as the snapshot has it.
struct Device {
  ShardNodeId shard_node;
  GpuGroupId id;
  std::vector<TaskId> users;  ///< by name
  double used = 0;            ///< portions of all, those of leaving pods included
};
/// By node, then GPU group.
[[nodiscard]] auto devices(const ClusterInfo& cluster_info) -> std::vector<Device>;

/// What a pod has of the GPUs that it shares: `0.5 GPU of gpu-1/ab12, shared with ml/b-0`; empty if it shares none.
[[nodiscard]] auto device_words(const ClusterInfo& cluster_info, TaskId task) -> std::string;

/// The same of a pod that the cycle places.
[[nodiscard]] auto planned_device_words(const Explained& explained, TaskId task) -> std::string;

/// The devices of these nodes that pods share, now and when the cycle's decisions are carried out.
[[nodiscard]] auto shared_devices(const Explained& explained, const std::vector<ShardNodeId>& shard_nodes)
    -> std::vector<SharedDevice>;

/// The shared GPUs of some nodes, for people; those of all, for programs.
[[nodiscard]] auto device_table(const ClusterInfo& cluster_info, const std::vector<ShardNodeId>& shard_nodes) -> Table;
[[nodiscard]] auto device_json(const ClusterInfo& cluster_info) -> Json;

}  // namespace previct::kai
