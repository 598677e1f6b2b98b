#pragma once

#include "cluster/snapshot.h"

namespace previct::sequence {

/// Returns true if a gang of KAI with running pods has fewer active pods than its minimum. KAI marks such a gang, and
/// evicts its pods when the grace period ends.
/// Source: kai-scheduler/KAI-Scheduler: pkg/scheduler/actions/stalegangeviction/stalegangeviction.go;
/// pkg/scheduler/api/podgroup_info/job_info.go IsStale.
[[nodiscard]] auto has_stale_gang(const Snapshot& cluster) -> bool;

}  // namespace previct::sequence
