#pragma once

#include "engine/parameter.h"

#include <span>

namespace previct::kueue {

/// The fields of Kueue's objects of which `sweep` tries values: quotas and their limits, weights, priorities, counts.
[[nodiscard]] auto parameters() -> std::span<const FieldParameter>;

}  // namespace previct::kueue
