#pragma once

#include "cluster/pod_ends.h"
#include "engine/kube/account.h"

#include <optional>

namespace previct::kube {

/// Returns the first end of a running pod after `now`, before Decision::next_change, on a node where evicting pods may
/// help: its resources are free from then on, or at the end of its grace period if a taint deletes it. None if the pod
/// does not wait for resources.
[[nodiscard]] auto next_end(const EngineTrace& account, Instant now) -> std::optional<PodEnd>;

}  // namespace previct::kube
