#pragma once

#include "cluster/snapshot.h"
#include "engine/answer.h"
#include "engine/kai/snapshot/types.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace previct::kai {

enum class ResolveMethod : std::uint8_t { lca, queue };

/// What one scheduler of KAI runs with: the shard's fields as the operator turns them into actions, plugin arguments
/// and flags, over the built-in defaults. Durations in nanoseconds.
/// Source: kai-scheduler/KAI-Scheduler pkg/apis/kai/v1/schedulingshard_types.go, cmd/scheduler/app/options.
struct Settings {
  std::string shard = "default";
  bool shard_given = false;  ///< false: the input has no shard of that name, all is default
  Symbol pool;               ///< partitionLabelValue; none: objects without the pool label
  std::string pool_key = "kai.scheduler/node-pool";
  std::string scheduler_name = "kai-scheduler";

  std::vector<Action> actions;  ///< enabled ones, in the order they run
  std::array<std::optional<std::int64_t>, kActions> queue_depth;

  bool min_runtime = true;  ///< the plugin is on
  ResolveMethod method = ResolveMethod::lca;
  std::int64_t default_reclaim = 0;
  std::int64_t default_preempt = 0;

  double saturation_multiplier = 1;
  double k_value = 1;
  bool gpu_spread = false;  ///< else binpack
  bool cpu_spread = false;
  std::int64_t max_consolidation_preemptees = 16;  ///< -1: no end
  bool consolidating_reclaim = true;
  bool full_hierarchy = true;
  bool signatures = true;
  std::int64_t stale_grace = 60'000'000'000;
  std::int64_t stuck_threshold = 120'000'000'000;

  std::vector<Gap> gaps;  ///< parts of the configuration that are not modelled
};

/// The settings of the shard of this name; empty means those of a scheduler's own snapshot if the input is one, else
/// the shard "default".
/// Errors: a shard was named that the input does not hold.
[[nodiscard]] auto effective_settings(const Snapshot& cluster, const std::string& shard) -> Result<Settings>;

/// Reads a duration of a plugin argument: Go's syntax plus days and weeks (`1d12h`), in nanoseconds. What does not
/// parse, or is negative, is 0 as upstream takes it.
[[nodiscard]] auto argument_duration(std::string_view text) -> std::int64_t;

/// As Go prints it: `1h0m0s`, `1m30s`, `1.5s`, `0s`.
[[nodiscard]] auto go_duration(std::int64_t nanos) -> std::string;

[[nodiscard]] auto action_name(Action action) -> std::string_view;

}  // namespace previct::kai
