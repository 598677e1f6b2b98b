#pragma once

#include "engine/kai/account.h"

#include <string>

namespace previct::kai {

/// Why the scheduler decides nothing: its configuration is refused, its cycle fails, or never ends.
[[nodiscard]] auto no_cycle_words(const Explained& explained, NoCycle why) -> std::string;

/// The verdict about a group that its schedulingBackoff keeps out of the snapshot. The subject has no group.
[[nodiscard]] auto backing_off(const Explained& explained, const PodGroup& group) -> std::string;

}  // namespace previct::kai
