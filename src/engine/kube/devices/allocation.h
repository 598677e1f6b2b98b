#pragma once

#include "engine/kube/devices/findings.h"
#include "engine/kube/devices/plan.h"
#include "engine/kube/devices/search.h"

namespace previct::kube::devices {

/// Can these claims be allocated on the node? What releases before 1.36 walk in the order of a map is told only where
/// no order would change it.
[[nodiscard]] auto allocate(const Snapshot& cluster, const Inventory& inventory, const Rules& rules, const Node& node,
                            std::span<const Wanted> claims) -> Found;

}  // namespace previct::kube::devices
