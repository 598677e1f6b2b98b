#pragma once

#include "base/diagnostics.h"
#include "cluster/snapshot.h"

#include <cstddef>

namespace previct::kai {

/// The maximum number of levels of a Topology.
/// Source: kai-scheduler/KAI-Scheduler deployments/kai-scheduler/crds/kai.scheduler_topologies.yaml (d5bc503a).
inline constexpr std::size_t kMostLevels = 16;

/// Errors: a Topology has more levels, or queues or sub-groups are nested deeper than kDeepest.
[[nodiscard]] auto check_nesting(const Snapshot& cluster) -> Result<void>;

}  // namespace previct::kai
