#pragma once

#include "base/diagnostics.h"
#include "cluster/snapshot.h"

namespace previct::kai {

/// Errors: a Topology has more levels, or queues or sub-groups are nested deeper than kDeepest.
[[nodiscard]] auto check_nesting(const Snapshot& cluster) -> Result<void>;

}  // namespace previct::kai
