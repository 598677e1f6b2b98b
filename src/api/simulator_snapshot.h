#pragma once

#include "api/objects.h"
#include "base/diagnostics.h"
#include "input/tape.h"

namespace previct::simulator {

/// Is the value at `index` what kube-scheduler-simulator exports: one map of lists beside its schedulerConfig?
[[nodiscard]] auto is_snapshot(const Tape& tape, std::uint32_t index) -> bool;

/// Reads such a snapshot. The export leaves out the two built-in priority classes, which are added again, and has no
/// PodDisruptionBudgets and no scheduler configuration that previct takes by itself; a warning
/// `simulator-snapshot` says so.
/// Source: kubernetes-sigs/kube-scheduler-simulator simulator/snapshot/snapshot.go ResourcesForSnap, listPcs;
/// kubernetes pkg/apis/scheduling/types.go SystemCriticalPriority.
[[nodiscard]] auto add_snapshot(const Tape& tape, std::uint32_t index, FileId file, Objects& objects) -> Result<void>;

}  // namespace previct::simulator
