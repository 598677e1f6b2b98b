#pragma once

#include "base/diagnostics.h"
#include "cluster/snapshot.h"

#include <cstddef>

namespace previct::kai {

/// Queues below queues, and sub-groups below sub-groups. Upstream has no limit; trees are walked by recursion here.
inline constexpr std::size_t kDeepest = 1000;
/// Levels of a Topology.
/// Source: kai-scheduler/KAI-Scheduler deployments/kai-scheduler/crds/kai.scheduler_topologies.yaml (d5bc503a).
inline constexpr std::size_t kMostLevels = 16;

/// Errors: one of them is deeper than that.
[[nodiscard]] auto check_nesting(const Snapshot& cluster) -> Result<void>;

}  // namespace previct::kai
