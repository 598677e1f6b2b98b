#pragma once

#include "api/meta.h"
#include "api/wire.h"

#include <cstdint>
#include <optional>
#include <vector>

/// The objects of the KAI Scheduler, as far as its decisions read them.
/// Source: kai-scheduler/KAI-Scheduler pkg/apis at d5bc503a (after v0.17.0).
namespace previct::kai {

/// Tells only whether a topology constraint is there: it is not modelled, but named in the answer.
struct TopologyConstraint {
  Symbol topology;

  template <class Field>
  friend void describe(Field& field, TopologyConstraint& self) {
    field("topology", self.topology);
  }
};

struct SubGroup {
  Symbol name;
  Symbol parent;  ///< none: below the root
  std::optional<std::int32_t> min_member;
  std::optional<std::int32_t> min_sub_group;
  TopologyConstraint topology;

  template <class Field>
  friend void describe(Field& field, SubGroup& self) {
    field("name", self.name);
    field("parent", self.parent);
    field("minMember", self.min_member);
    field("minSubGroup", self.min_sub_group);
    field("topologyConstraint", self.topology);
  }
};

struct PodGroupSpec {
  Symbol queue;
  std::optional<std::int32_t> min_member;
  std::optional<std::int32_t> min_sub_group;
  std::vector<SubGroup> sub_groups;
  Symbol priority_class_name;
  Symbol preemptibility;
  std::optional<Duration> preemption_delay;
  std::optional<Duration> staleness_grace_period;
  std::optional<std::int32_t> scheduling_backoff;
  TopologyConstraint topology;

  template <class Field>
  friend void describe(Field& field, PodGroupSpec& self) {
    field("queue", self.queue);
    field("minMember", self.min_member);
    field("minSubGroup", self.min_sub_group);
    field("subGroups", self.sub_groups);
    field("priorityClassName", self.priority_class_name);
    field("preemptibility", self.preemptibility);
    field("preemptionDelay", self.preemption_delay);
    field("stalenessGracePeriod", self.staleness_grace_period);
    field("schedulingBackoff", self.scheduling_backoff);
    field("topologyConstraint", self.topology);
  }
};

struct SchedulingCondition {
  Symbol node_pool;

  template <class Field>
  friend void describe(Field& field, SchedulingCondition& self) {
    field("nodePool", self.node_pool);
  }
};

struct PodGroupStatus {
  std::vector<SchedulingCondition> scheduling_conditions;

  template <class Field>
  friend void describe(Field& field, PodGroupStatus& self) {
    field("schedulingConditions", self.scheduling_conditions);
  }
};

/// scheduling.run.ai/v2alpha2 PodGroup.
struct PodGroup {
  ObjectMeta meta;
  PodGroupSpec spec;
  PodGroupStatus status;

  template <class Field>
  friend void describe(Field& field, PodGroup& self) {
    field("metadata", self.meta);
    field("spec", self.spec);
    field("status", self.status);
  }
};

/// cpu in milli-CPU, memory in megabytes (10^6), gpu in devices; -1 means unlimited.
struct QueueResource {
  double quota = 0;
  double limit = 0;
  double over_quota_weight = 0;

  template <class Field>
  friend void describe(Field& field, QueueResource& self) {
    field("quota", self.quota);
    field("limit", self.limit);
    field("overQuotaWeight", self.over_quota_weight);
  }
};

struct QueueResources {
  QueueResource cpu;
  QueueResource memory;
  QueueResource gpu;

  template <class Field>
  friend void describe(Field& field, QueueResources& self) {
    field("cpu", self.cpu);
    field("memory", self.memory);
    field("gpu", self.gpu);
  }
};

struct QueueSpec {
  Symbol parent_queue;  ///< none: a top-level queue
  std::optional<std::int64_t> priority;
  QueueResources resources;  ///< absent: all zero, as upstream
  std::optional<Duration> reclaim_min_runtime;
  std::optional<Duration> preempt_min_runtime;

  template <class Field>
  friend void describe(Field& field, QueueSpec& self) {
    field("parentQueue", self.parent_queue);
    field("priority", self.priority);
    field("resources", self.resources);
    field("reclaimMinRuntime", self.reclaim_min_runtime);
    field("preemptMinRuntime", self.preempt_min_runtime);
  }
};

/// scheduling.run.ai/v2 Queue.
struct Queue {
  ObjectMeta meta;
  QueueSpec spec;

  template <class Field>
  friend void describe(Field& field, Queue& self) {
    field("metadata", self.meta);
    field("spec", self.spec);
  }
};

struct PluginConfig {
  std::optional<bool> enabled;
  std::optional<SymbolMap> arguments;  ///< given: replaces all default arguments, even if empty

  template <class Field>
  friend void describe(Field& field, PluginConfig& self) {
    field("enabled", self.enabled);
    field("arguments", self.arguments);
  }
};

struct ActionConfig {
  std::optional<bool> enabled;
  std::optional<std::int64_t> priority;

  template <class Field>
  friend void describe(Field& field, ActionConfig& self) {
    field("enabled", self.enabled);
    field("priority", self.priority);
  }
};

struct PlacementStrategy {
  std::optional<Symbol> gpu;
  std::optional<Symbol> cpu;

  template <class Field>
  friend void describe(Field& field, PlacementStrategy& self) {
    field("gpu", self.gpu);
    field("cpu", self.cpu);
  }
};

/// Strings that upstream parses later and leniently: what does not parse counts as zero.
struct MinRuntime {
  std::optional<Symbol> preempt;
  std::optional<Symbol> reclaim;

  template <class Field>
  friend void describe(Field& field, MinRuntime& self) {
    field("preemptMinRuntime", self.preempt);
    field("reclaimMinRuntime", self.reclaim);
  }
};

struct SchedulingShardSpec {
  Symbol partition_label_value;
  PlacementStrategy placement;
  MinRuntime min_runtime;
  std::optional<double> k_value;
  MapOf<std::int64_t> queue_depth_per_action;
  MapOf<PluginConfig> plugins;
  MapOf<ActionConfig> actions;
  SymbolMap args;
  bool has_usage_db = false;
  bool has_search_budgets = false;

  template <class Field>
  friend void describe(Field& field, SchedulingShardSpec& self) {
    field("partitionLabelValue", self.partition_label_value);
    field("placementStrategy", self.placement);
    field("minRuntime", self.min_runtime);
    field("kValue", self.k_value);
    field("queueDepthPerAction", self.queue_depth_per_action);
    field("plugins", self.plugins);
    field("actions", self.actions);
    field("args", self.args);
    field("usageDBConfig", present(self.has_usage_db));
    field("scenarioSearchBudgets", present(self.has_search_budgets));
  }
};

/// kai.scheduler/v1 SchedulingShard.
struct SchedulingShard {
  ObjectMeta meta;
  SchedulingShardSpec spec;

  template <class Field>
  friend void describe(Field& field, SchedulingShard& self) {
    field("metadata", self.meta);
    field("spec", self.spec);
  }
};

struct GlobalConfig {
  Symbol scheduler_name;
  Symbol node_pool_label_key;
  Symbol queue_label_key;

  template <class Field>
  friend void describe(Field& field, GlobalConfig& self) {
    field("schedulerName", self.scheduler_name);
    field("nodePoolLabelKey", self.node_pool_label_key);
    field("queueLabelKey", self.queue_label_key);
  }
};

struct ConfigSpec {
  GlobalConfig global;

  template <class Field>
  friend void describe(Field& field, ConfigSpec& self) {
    field("global", self.global);
  }
};

/// kai.scheduler/v1 Config: what the operator gives every shard's scheduler.
struct Config {
  ObjectMeta meta;
  ConfigSpec spec;

  template <class Field>
  friend void describe(Field& field, Config& self) {
    field("metadata", self.meta);
    field("spec", self.spec);
  }
};

struct BindRequestSpec {
  Symbol pod_name;
  Symbol selected_node;

  template <class Field>
  friend void describe(Field& field, BindRequestSpec& self) {
    field("podName", self.pod_name);
    field("selectedNode", self.selected_node);
  }
};

/// scheduling.run.ai/v1alpha2 BindRequest: the pod of its namespace that a binder is about to bind.
struct BindRequest {
  ObjectMeta meta;
  BindRequestSpec spec;

  template <class Field>
  friend void describe(Field& field, BindRequest& self) {
    field("metadata", self.meta);
    field("spec", self.spec);
  }
};

struct PluginOption {
  Symbol name;
  SymbolMap arguments;

  template <class Field>
  friend void describe(Field& field, PluginOption& self) {
    field("name", self.name);
    field("arguments", self.arguments);
  }
};

struct Tier {
  std::vector<PluginOption> plugins;

  template <class Field>
  friend void describe(Field& field, Tier& self) {
    field("plugins", self.plugins);
  }
};

/// What a running scheduler was configured with; upstream's conf.SchedulerConfiguration.
struct SchedulerConfiguration {
  Symbol actions;  ///< names, separated by commas
  std::vector<Tier> tiers;
  MapOf<std::int64_t> queue_depth_per_action;
  bool has_usage_db = false;

  template <class Field>
  friend void describe(Field& field, SchedulerConfiguration& self) {
    field("actions", self.actions);
    field("tiers", self.tiers);
    field("queueDepthPerAction", self.queue_depth_per_action);
    field("usageDBConfig", present(self.has_usage_db));
  }
};

struct PartitionParams {
  Symbol label_key;
  Symbol label_value;

  template <class Field>
  friend void describe(Field& field, PartitionParams& self) {
    field("NodePoolLabelKey", self.label_key);
    field("NodePoolLabelValue", self.label_value);
  }
};

/// The flags of a running scheduler; upstream's conf.SchedulerParams. Absent means zero or false; durations are
/// nanoseconds.
struct SchedulerParams {
  Symbol scheduler_name;
  PartitionParams partition;
  std::int64_t max_consolidation_preemptees = 0;
  bool signatures = false;
  bool full_hierarchy = false;
  bool consolidating_reclaim = false;
  std::int64_t stale_grace = 0;
  std::int64_t stuck_threshold = 0;

  template <class Field>
  friend void describe(Field& field, SchedulerParams& self) {
    field("schedulerName", self.scheduler_name);
    field("partitionParams", self.partition);
    field("maxNumberConsolidationPreemptees", self.max_consolidation_preemptees);
    field("useSchedulingSignatures", self.signatures);
    field("fullHierarchyFairness", self.full_hierarchy);
    field("allowConsolidatingReclaim", self.consolidating_reclaim);
    field("globalDefaultStalenessGracePeriod", self.stale_grace);
    field("stuckInReleasingThreshold", self.stuck_threshold);
  }
};

/// The part of a scheduler's own snapshot (`snapshot.json` of its /get-snapshot) that is no object of the API.
/// Source: kai-scheduler/KAI-Scheduler pkg/scheduler/plugins/snapshot.
struct RunningScheduler {
  SchedulerConfiguration config;
  SchedulerParams params;

  template <class Field>
  friend void describe(Field& field, RunningScheduler& self) {
    field("config", self.config);
    field("schedulerParams", self.params);
  }
};

}  // namespace previct::kai
