#pragma once

#include "cluster/snapshot.h"

#include <string>

namespace previct::sequence {

/// Returns why the API server does not evict the running pod now; empty: it does.
/// Source: kubernetes v1.35.4 pkg/registry/core/pod/storage/eviction.go Create, canIgnorePDB, checkAndDecrement,
/// getPodDisruptionBudgets.
[[nodiscard]] auto refusal_to_evict(const Snapshot& cluster, PodId pod) -> std::string;

}  // namespace previct::sequence
