#pragma once

#include "engine/kai/session/task_selection.h"

#include <string_view>
#include <vector>

namespace previct::kai {

/// Upstream's quick check that each part of a group with a topology constraint finds a domain with enough GPUs: the
/// parts, from the largest down, are put on the first of the freest domains with enough GPUs. Levels of pod sets are
/// ignored.
/// Source: actions/common/solvers/accumulated_scenario_filters/idle_gpus/topology_aware_idle_gpus.go.
class TopologyCheck {
 public:
  TopologyCheck(const Session& session, const GroupView& view);

  /// Records that a victim on the node was named; a task counts once.
  void free(TaskId task, ShardNodeId shard_node);
  [[nodiscard]] auto passes() -> bool;

 private:
  struct Level {
    std::string_view topology;
    std::string_view label;
    std::vector<double> needs;            // descending
    std::vector<double> capacity;         // by domain
    std::vector<std::uint32_t> freest;    // domains, descending
    std::vector<std::int32_t> domain_of;  // by node; -1: without a value
  };
  auto level_of(const TopologyTerm& term) -> Level&;
  [[nodiscard]] static auto fits(const Level& level) -> bool;

  const Session& session_;
  std::vector<Level> levels_;
  std::vector<char> freed_;  // by task
};

}  // namespace previct::kai
