#pragma once

#include "engine/kueue/account.h"

#include <vector>

namespace previct::kueue {

/// The pods of a workload that gets quota, as its job makes them then: with the labels of their flavors as
/// nodeSelector, and the flavors' tolerations. Source: pkg/podset/podset.go FromAssignment.
[[nodiscard]] auto released_by(const Account& account) -> std::vector<ReleasedPods>;

/// The workloads that wait, queue by queue, then those that are in none.
[[nodiscard]] auto pending_objects(const Inventory& inventory, Instant now, std::string_view ns)
    -> std::vector<AskedObject>;

}  // namespace previct::kueue
