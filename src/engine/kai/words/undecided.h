#pragma once

#include "engine/kai/words/explain.h"

namespace previct::kai {

/// Why the scheduler decides nothing about the subject: its configuration is refused, its cycle fails, or never ends.
/// Empty if it does decide.
[[nodiscard]] auto no_cycle(const Explained& explained, const Fate& fate) -> std::string;

/// The answer about a group that its schedulingBackoff keeps out of the snapshot. The subject has no group.
[[nodiscard]] auto backing_off(const Explained& explained, const PodGroup& group) -> Answer;

/// The names of ConfigMaps that pending pods of the group need, if the input holds no ConfigMap at all: then it does
/// not tell which exist.
[[nodiscard]] auto unknown_config_maps(const Explained& explained) -> std::vector<std::string>;

/// The ConfigMaps of that name as a condition: `the ConfigMap ml/settings`.
[[nodiscard]] auto config_maps_words(const std::vector<std::string>& names) -> std::string;

}  // namespace previct::kai
