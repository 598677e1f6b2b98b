#pragma once

#include "api/objects.h"
#include "base/diagnostics.h"
#include "input/tape.h"

namespace previct::simulator {

/// Returns true if the value at `index` is an export of kube-scheduler-simulator: a map of lists together with its
/// schedulerConfig.
[[nodiscard]] auto is_snapshot(const Tape& tape, std::uint32_t index) -> bool;

/// Reads such a snapshot. The export lacks the two built-in priority classes, which are added, and it has no
/// PodDisruptionBudgets; previct does not use its scheduler configuration. A warning `simulator-snapshot` says so.
/// Source: kubernetes-sigs/kube-scheduler-simulator simulator/snapshot/snapshot.go ResourcesForSnap, listPcs;
/// kubernetes pkg/apis/scheduling/types.go SystemCriticalPriority.
[[nodiscard]] auto add_snapshot(const Tape& tape, std::uint32_t index, FileId file, Objects& objects) -> Result<void>;

}  // namespace previct::simulator
