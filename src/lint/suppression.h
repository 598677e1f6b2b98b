#pragma once

#include "lint/found.h"
#include "lint/repository.h"
#include "lint/settings.h"

#include <vector>

namespace previct::lint {

/// Marks ignored findings in `items`, and returns findings about the ignores themselves. `items` already have their
/// rule and fingerprint.
[[nodiscard]] auto suppress(std::deque<FindingSink::Item>& items, const Tree& tree, const Settings& settings,
                            const std::vector<BaselineEntry>& baseline) -> std::vector<Finding>;

}  // namespace previct::lint
