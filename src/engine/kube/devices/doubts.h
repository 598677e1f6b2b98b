#pragma once

#include "cluster/snapshot.h"
#include "engine/kube/devices/findings.h"
#include "engine/verdict.h"

#include <vector>

namespace previct::kube::devices {

/// Returns the gaps in the choice of devices that affect the decision for a pod: device filters ran only on nodes that
/// pass all other filters.
[[nodiscard]] auto gaps_of(const Findings& findings, const Snapshot& cluster) -> std::vector<Gap>;

}  // namespace previct::kube::devices
