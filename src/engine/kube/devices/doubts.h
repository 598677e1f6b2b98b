#pragma once

#include "cluster/snapshot.h"
#include "engine/kube/devices/findings.h"
#include "engine/verdict.h"

#include <vector>

namespace previct::kube::devices {

/// What is not known of the choice of devices for a pod and takes part in its decision: every node that was asked for
/// devices was one that takes the pod otherwise.
[[nodiscard]] auto gaps_of(const Findings& findings, const Snapshot& cluster) -> std::vector<Gap>;

}  // namespace previct::kube::devices
