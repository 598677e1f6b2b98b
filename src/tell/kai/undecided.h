#pragma once

#include "engine/kai/account.h"

#include <string>

namespace previct::kai {

/// Returns why the scheduler decides nothing: its configuration is rejected, or its cycle crashes or never ends.
[[nodiscard]] auto no_cycle_words(const Explained& explained, NoCycle why) -> std::string;

/// Returns the verdict about a group that its schedulingBackoff keeps out of the snapshot. The subject has no group.
[[nodiscard]] auto backing_off(const Explained& explained, const PodGroup& group) -> std::string;

}  // namespace previct::kai
