#pragma once

#include "lint/found.h"
#include "lint/repository.h"
#include "lint/settings.h"

#include <vector>

namespace previct::lint {

/// Marks in `items` what is ignored, and returns what is wrong with the ignores themselves. `items` have their rule and
/// fingerprint.
[[nodiscard]] auto suppress(std::deque<Found::Item>& items, const Tree& tree, const Settings& settings,
                            const std::vector<BaselineEntry>& baseline) -> std::vector<Finding>;

}  // namespace previct::lint
