#pragma once

#include "engine/engine.h"
#include "engine/kueue/account.h"

#include <vector>

namespace previct::kueue {

/// Returns the pods of a workload that gets quota, as its job creates them then: with the labels of their flavors as
/// nodeSelector, and the flavors' tolerations; those that exist already are without Kueue's gates.
/// Source: pkg/podset/podset.go FromAssignment.
[[nodiscard]] auto released_by(const EngineTrace& account) -> std::vector<ReleasedPods>;

/// Returns the pending workloads, queue by queue, then those in no queue: they are not admitted, or lose their quota.
[[nodiscard]] auto pending_objects(const Inventory& inventory, Instant now, std::string_view ns)
    -> std::vector<AskedObject>;

}  // namespace previct::kueue
