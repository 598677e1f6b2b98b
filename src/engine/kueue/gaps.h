#pragma once

#include "engine/kueue/account.h"

#include <optional>
#include <vector>

namespace previct::kueue {

/// What the answer about a workload does not know. A thing of Kueue that is not modelled decides where the verdict
/// could be another one with it.
[[nodiscard]] auto gaps_of(const Account& account) -> std::vector<Gap>;

/// What the entry's workload uses that is not modelled, and that could change what the cycle does with it.
[[nodiscard]] auto doubt_of(const Inventory& inventory, const Entry& entry) -> std::optional<Gap>;

/// The same of all answers about a cluster.
[[nodiscard]] auto gaps_of(const Inventory& inventory) -> std::vector<Gap>;

}  // namespace previct::kueue
