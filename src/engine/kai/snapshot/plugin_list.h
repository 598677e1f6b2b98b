#pragma once

#include "engine/kai/snapshot/settings.h"

#include <optional>
#include <string_view>
#include <vector>

namespace previct::kai {

/// An enabled plugin with its arguments.
struct ActivePlugin {
  std::string_view name;
  SymbolMap arguments;
};

/// Returns the plugins of a shard in the order in which they run: by priority, then name.
/// Source: pkg/apis/kai/v1/schedulingshard_types.go setDefaultPlugins; operands/scheduler/plugin_action_merge.go.
[[nodiscard]] auto plugins_of(const Snapshot& cluster, const SchedulingShardSpec& spec, const Release& release)
    -> std::vector<ActivePlugin>;

/// Parses a number of a plugin argument. Text that does not parse counts as no value.
[[nodiscard]] auto argument_number(std::string_view text) -> std::optional<double>;

/// Sets the settings that result from these plugins, in this order.
void apply_plugins(const Snapshot& cluster, const std::vector<ActivePlugin>& plugins, Settings& settings);

}  // namespace previct::kai
