#pragma once

#include "engine/kai/snapshot/cluster_info.h"

#include <string>
#include <string_view>
#include <vector>

namespace previct::kai {

/// The nodes of the shard by the levels of one Topology. Nodes without the label of any one level are in no domain.
/// Source: kai-scheduler/KAI-Scheduler pkg/scheduler/plugins/topology/topology_plugin.go.
struct TopologyTree {
  static constexpr std::int32_t kRoot = -1;

  struct Domain {
    std::string id;  ///< values of its level and of the levels above, joined by dots
    std::int32_t level = kRoot;
    std::vector<std::uint32_t> children{};
    std::vector<ShardNodeId> shard_nodes{};
  };
  std::string_view name;
  std::vector<std::string_view> levels;  ///< node labels, the widest first
  std::vector<Domain> domains;           ///< the first is the root; parents come before children

  [[nodiscard]] auto find(std::int32_t level, std::string_view id) const -> std::int64_t;
  /// Returns kRoot - 1 if there is no such level.
  [[nodiscard]] auto level_of(std::string_view label) const -> std::int32_t;
};

[[nodiscard]] auto topology_trees(const ClusterInfo& cluster_info) -> std::vector<TopologyTree>;

}  // namespace previct::kai
