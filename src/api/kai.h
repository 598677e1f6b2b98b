#pragma once

#include "api/meta.h"
#include "api/wire.h"

#include <cstdint>
#include <optional>
#include <vector>

/// The objects of the KAI Scheduler, with the fields that its decisions depend on.
/// Source: kai-scheduler/KAI-Scheduler pkg/apis at d5bc503a (after v0.17.0).
namespace previct::kai {

/// The domains of a Topology within which the pods of a group must, or should, be placed together. A level is named by
/// its label in the Topology, or by its alias.
struct TopologyConstraint {
  Symbol topology;
  Symbol required;
  Symbol preferred;

  template <class Field>
  friend void describe(Field& field, TopologyConstraint& self) {
    field("topology", self.topology);
    field("requiredTopologyLevel", self.required);
    field("preferredTopologyLevel", self.preferred);
  }
};

struct TopologyLevel {
  Symbol node_label;
  Symbol alias;

  template <class Field>
  friend void describe(Field& field, TopologyLevel& self) {
    field("nodeLabel", self.node_label);
    field("alias", self.alias);
  }
};

struct TopologySpec {
  std::vector<TopologyLevel> levels;  ///< from the widest to the narrowest

  template <class Field>
  friend void describe(Field& field, TopologySpec& self) {
    field("levels", self.levels);
  }
};

/// kai.scheduler/v1alpha1 Topology.
struct Topology {
  ObjectMeta meta;
  TopologySpec spec;

  template <class Field>
  friend void describe(Field& field, Topology& self) {
    field("metadata", self.meta);
    field("spec", self.spec);
  }
};

struct SubGroup {
  Symbol name;
  Symbol parent;  ///< none: directly below the root
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
  Symbol transition_id;  ///< a number; the highest is the latest

  template <class Field>
  friend void describe(Field& field, SchedulingCondition& self) {
    field("nodePool", self.node_pool);
    field("transitionID", self.transition_id);
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
  // The names from the design document, which no release reads.
  bool hyphenated_reclaim = false;
  bool hyphenated_preempt = false;

  template <class Field>
  friend void describe(Field& field, QueueSpec& self) {
    field("parentQueue", self.parent_queue);
    field("priority", self.priority);
    field("resources", self.resources);
    field("reclaimMinRuntime", self.reclaim_min_runtime);
    field("preemptMinRuntime", self.preempt_min_runtime);
    field("reclaim-min-runtime", present(self.hyphenated_reclaim));
    field("preempt-min-runtime", present(self.hyphenated_preempt));
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
  std::optional<std::int64_t> priority;
  std::optional<SymbolMap> arguments;  ///< if set, replaces all default arguments, even if empty

  template <class Field>
  friend void describe(Field& field, PluginConfig& self) {
    field("enabled", self.enabled);
    field("priority", self.priority);
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

/// Strings that upstream parses later and leniently: an invalid value counts as zero.
struct MinRuntime {
  std::optional<Symbol> preempt;
  std::optional<Symbol> reclaim;

  template <class Field>
  friend void describe(Field& field, MinRuntime& self) {
    field("preemptMinRuntime", self.preempt);
    field("reclaimMinRuntime", self.reclaim);
  }
};

/// The time limits of a search for victims: for each action, for a job, and for a generator. 0: no limit.
struct SearchBudgets {
  MapOf<Duration> max_action;
  std::optional<Duration> max_job;
  std::optional<Duration> min_job;
  MapOf<Duration> max_generator;

  template <class Field>
  friend void describe(Field& field, SearchBudgets& self) {
    field("maxActionSearchDuration", self.max_action);
    field("maxJobSearchDuration", self.max_job);
    field("minJobSearchDuration", self.min_job);
    field("maxGeneratorSearchDuration", self.max_generator);
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
  SearchBudgets search_budgets;
  std::vector<Symbol> unknown_fields;  ///< an API server keeps only the fields that its release of KAI knows

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
    field("scenarioSearchBudgets", self.search_budgets);
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

struct ConfigImage {
  Symbol tag;

  template <class Field>
  friend void describe(Field& field, ConfigImage& self) {
    field("tag", self.tag);
  }
};

struct ConfigService {
  ConfigImage image;

  template <class Field>
  friend void describe(Field& field, ConfigService& self) {
    field("image", self.image);
  }
};

struct ConfigScheduler {
  ConfigService service;

  template <class Field>
  friend void describe(Field& field, ConfigScheduler& self) {
    field("service", self.service);
  }
};

struct ConfigReservation {
  Symbol app_label;  ///< value of the label `app` of reservation pods

  template <class Field>
  friend void describe(Field& field, ConfigReservation& self) {
    field("appLabel", self.app_label);
  }
};

struct ConfigBinder {
  ConfigReservation resource_reservation;

  template <class Field>
  friend void describe(Field& field, ConfigBinder& self) {
    field("resourceReservation", self.resource_reservation);
  }
};

struct ConfigSpec {
  GlobalConfig global;
  ConfigScheduler scheduler;
  ConfigBinder binder;

  template <class Field>
  friend void describe(Field& field, ConfigSpec& self) {
    field("global", self.global);
    field("scheduler", self.scheduler);
    field("binder", self.binder);
  }
};

/// kai.scheduler/v1 Config: the settings that the operator passes to the scheduler of every shard.
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
  std::optional<std::int32_t> backoff_limit;
  SharedList<Symbol> gpu_groups;  ///< the shared GPUs that the pod gets

  template <class Field>
  friend void describe(Field& field, BindRequestSpec& self) {
    field("podName", self.pod_name);
    field("selectedNode", self.selected_node);
    field("backoffLimit", self.backoff_limit);
    field("selectedGPUGroups", self.gpu_groups);
  }
};

struct BindRequestStatus {
  Symbol phase;
  std::int32_t failed_attempts = 0;

  template <class Field>
  friend void describe(Field& field, BindRequestStatus& self) {
    field("phase", self.phase);
    field("failedAttempts", self.failed_attempts);
  }
};

/// scheduling.run.ai/v1alpha2 BindRequest: a pod of its namespace that a binder is about to bind.
struct BindRequest {
  ObjectMeta meta;
  BindRequestSpec spec;
  BindRequestStatus status;

  template <class Field>
  friend void describe(Field& field, BindRequest& self) {
    field("metadata", self.meta);
    field("spec", self.spec);
    field("status", self.status);
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

/// The configuration of a running scheduler; upstream's conf.SchedulerConfiguration.
struct SchedulerConfiguration {
  Symbol actions;  ///< names, comma-separated
  std::vector<Tier> tiers;
  MapOf<std::int64_t> queue_depth_per_action;
  bool has_usage_db = false;
  SearchBudgets search_budgets;

  template <class Field>
  friend void describe(Field& field, SchedulerConfiguration& self) {
    field("actions", self.actions);
    field("tiers", self.tiers);
    field("queueDepthPerAction", self.queue_depth_per_action);
    field("usageDBConfig", present(self.has_usage_db));
    field("scenarioSearchBudgets", self.search_budgets);
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
  bool restrict_nodes = false;
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
    field("restrictSchedulingNodes", self.restrict_nodes);
    field("globalDefaultStalenessGracePeriod", self.stale_grace);
    field("stuckInReleasingThreshold", self.stuck_threshold);
  }
};

/// The parts of a scheduler's own snapshot (`snapshot.json` of its /get-snapshot) that are not API objects.
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
