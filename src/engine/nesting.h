#pragma once

#include <cstddef>

namespace previct {

/// The deepest nesting of queues and groups that is read. Upstream has no limit; previct walks such trees by recursion.
inline constexpr std::size_t kDeepest = 1000;

/// The maximum number of levels of a Topology. Source: kai-scheduler/KAI-Scheduler
/// deployments/kai-scheduler/crds/kai.scheduler_topologies.yaml (d5bc503a); kubernetes-sigs/kueue
/// apis/kueue/v1beta2/topology_types.go TopologySpec (0.19.0).
inline constexpr std::size_t kMostLevels = 16;

}  // namespace previct
