#pragma once

#include "tell/kai/explain.h"

#include <string>
#include <vector>

namespace previct::kai {

/// A GPU that pods share, as in the snapshot.
struct Device {
  ShardNodeId shard_node;
  GpuGroupId id;
  std::vector<TaskId> users;  ///< by name
  double used = 0;            ///< sum of all portions, including those of terminating pods
};
/// Returns the devices by node, then by GPU group.
[[nodiscard]] auto devices(const ClusterInfo& cluster_info) -> std::vector<Device>;

/// Returns the pod's part of shared GPUs: `0.5 GPU of gpu-1/ab12, shared with ml/b-0`; empty if it shares none.
[[nodiscard]] auto device_words(const ClusterInfo& cluster_info, TaskId task) -> std::string;

/// The same for a pod that the cycle places.
[[nodiscard]] auto planned_device_words(const Explained& explained, TaskId task) -> std::string;

/// Returns the shared devices of these nodes, now and after the cycle's decisions are carried out.
[[nodiscard]] auto shared_devices(const Explained& explained, const std::vector<ShardNodeId>& shard_nodes)
    -> std::vector<SharedDevice>;

/// Return the shared GPUs: of some nodes, for display; of all nodes, as JSON.
[[nodiscard]] auto device_table(const ClusterInfo& cluster_info, const std::vector<ShardNodeId>& shard_nodes) -> Table;
[[nodiscard]] auto device_json(const ClusterInfo& cluster_info) -> Json;

}  // namespace previct::kai
