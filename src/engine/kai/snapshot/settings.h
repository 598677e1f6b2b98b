#pragma once

#include "api/upstream.h"
#include "cluster/snapshot.h"
#include "engine/kai/snapshot/release.h"
#include "engine/kai/snapshot/types.h"
#include "engine/verdict.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace previct::kai {

enum class ResolveMethod : std::uint8_t { lca, queue };

/// What plugins sort groups, and the tasks of a pod set, by.
enum class GroupOrder : std::uint8_t { priority, elastic };
enum class TaskOrder : std::uint8_t { kubeflow, ray, label };
/// The generators of victim sets. The last one is that of releases before multi_node_scenarios.
enum class Generator : std::uint8_t { node_local, multi_node, node_by_node };
constexpr std::size_t kGenerators = 2;  ///< those that a shard can configure
constexpr std::size_t kAllGenerators = 3;

/// Which plugins are enabled, except those in the lists below.
struct Plugins {
  bool predicates = false;
  bool proportion = false;
  bool min_runtime = false;
  bool node_availability = false;
  bool resource_type = false;
  bool pod_affinity = false;
  bool sub_group_order = false;
  bool nominated_node = false;
  bool topology = false;
  bool node_placement = false;
  bool gpu_pack = false;
  bool gpu_spread = false;
  bool gpu_sharing_order = false;
};

/// Time limits of the search, in nanoseconds; 0: no limit. A limit up to `kNothing` expires before anything is tried.
struct Budgets {
  static constexpr std::int64_t kNothing = 1'000;

  std::array<std::int64_t, kActions> action{};
  std::int64_t group = 240'000'000'000;
  std::int64_t at_least = 0;  ///< for each group, even if less is left for the action
  std::array<std::int64_t, kAllGenerators> generator{30'000'000'000, 120'000'000'000};
  bool contradictory = false;  ///< at_least is not below group: no action searches

  /// Returns the budget of one group before the action has searched anything.
  [[nodiscard]] auto for_group(Action action) const -> std::int64_t;
};

/// The settings that one KAI scheduler runs with: the shard's fields as the operator converts them into actions, plugin
/// arguments and flags, over the built-in defaults. Durations are in nanoseconds.
/// Source: kai-scheduler/KAI-Scheduler pkg/apis/kai/v1/schedulingshard_types.go, cmd/scheduler/app/options.
struct Settings {
  RunningRelease running;

  std::string shard = "default";
  bool shard_given = false;  ///< false: the input has no shard of that name; defaults apply
  Symbol node_pool;          ///< partitionLabelValue; none: objects without the pool label
  std::string pool_key = "kai.scheduler/node-pool";
  std::string scheduler_name{schedulers::kai.scheduler_name};

  std::vector<Action> actions;  ///< enabled actions, in order
  std::array<std::optional<std::int64_t>, kActions> queue_depth;

  Plugins plugins;
  std::vector<GroupOrder> group_order;
  std::vector<TaskOrder> task_order;
  std::vector<Generator> generators;
  Budgets budgets;
  ResolveMethod method = ResolveMethod::lca;
  std::int64_t default_reclaim = 0;
  std::int64_t default_preempt = 0;

  double saturation_multiplier = 1;
  double k_value = 1;
  bool reclaims_in_quota = false;  ///< from queues of lower priority
  bool gpu_spread = false;         ///< for GPU pods: spread over nodes; else binpack
  bool cpu_spread = false;
  std::int64_t max_consolidation_preemptees = 16;  ///< -1: no limit
  bool consolidating_reclaim = true;
  bool full_hierarchy = true;
  bool signatures = true;
  bool restrict_nodes = false;  ///< use only nodes that are marked as workers
  std::string gpu_worker_key = "node-role.kubernetes.io/gpu-worker";
  std::string cpu_worker_key = "node-role.kubernetes.io/cpu-worker";
  std::string mig_worker_key = "node-role.kubernetes.io/mig-enabled";
  /// Value of the label `app` of reservation pods, which hold a shared GPU.
  std::string reservation_app = "kai-resource-reservation";
  std::int64_t stale_grace = 60'000'000'000;
  std::int64_t stuck_threshold = 120'000'000'000;

  /// schedule-csi-storage: the scheduler checks the storage capacity for new volumes, which is not modeled.
  bool storage_capacity = false;
  bool config_maps_exist = false;  ///< assume that every ConfigMap that a pod needs exists

  std::string cannot_start;  ///< why this configuration is refused; empty if it is not
  std::vector<Gap> gaps;     ///< parts of the configuration that are not modeled

  /// Records that a scheduler with this configuration does not start. Only the first reason is kept.
  void refuse(std::string why);
  /// Records a setting of another release that this release ignores. `false` only disables what this release does not
  /// know anyway.
  void pass_over(std::string what, std::string_view value = {});
};

/// Returns the settings of the shard with this name. An empty name means the scheduler's own snapshot if the input is
/// one, otherwise the shard "default".
/// Errors: the input does not contain the named shard, or those of running_release(cluster, version).
[[nodiscard]] auto effective_settings(const Snapshot& cluster, const std::string& shard,
                                      const std::string& version = {}) -> Result<Settings>;

/// Parses a duration of a plugin argument: Go's syntax plus days and weeks (`1d12h`), in nanoseconds. As upstream, text
/// that does not parse, or is negative, is 0.
[[nodiscard]] auto argument_duration(std::string_view text) -> std::int64_t;

/// Formats a duration like Go: `1h0m0s`, `1m30s`, `1.5s`, `0s`.
[[nodiscard]] auto go_duration(std::int64_t nanos) -> std::string;

[[nodiscard]] auto action_name(Action action) -> std::string_view;

}  // namespace previct::kai
