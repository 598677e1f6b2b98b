#pragma once

#include "engine/kube/devices/findings.h"
#include "engine/kube/devices/plan.h"
#include "engine/kube/devices/search.h"

namespace previct::kube::devices {

/// Returns whether these claims can be allocated on the node. Releases before 1.36 walk some things in the order of a
/// map; for these the result has a doubt if the order may change it.
[[nodiscard]] auto allocate(const Snapshot& cluster, const Inventory& inventory, const Rules& rules, const Node& node,
                            std::span<const Wanted> claims) -> Found;

}  // namespace previct::kube::devices
