#pragma once

#include "api/meta.h"
#include "api/pod.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace previct {

/// The pods that a Service selects. Only this influences decisions, through the scheduler's default spread constraints.
struct LabelsSelected {
  SymbolMap selector;

  template <class Field>
  friend void describe(Field& field, LabelsSelected& self) {
    field("selector", self.selector);
  }
};
struct Service {
  ObjectMeta meta;
  LabelsSelected spec;

  template <class Field>
  friend void describe(Field& field, Service& self) {
    field("metadata", self.meta);
    field("spec", self.spec);
  }
};

struct TemplateMeta {
  SymbolMap labels;
  Annotations annotations;

  template <class Field>
  friend void describe(Field& field, TemplateMeta& self) {
    field("labels", self.labels);
    field("annotations", self.annotations);
  }
};

/// The template of a controller's pods. Its pods may differ from it: admission changes them, and so do resizes.
struct TemplateOfPods {
  TemplateMeta meta;
  PodSpec spec;

  template <class Field>
  friend void describe(Field& field, TemplateOfPods& self) {
    field("metadata", self.meta);
    field("spec", self.spec);
  }
};

/// `replicas` of a controller is the number of pods that it should run. A budget's controller uses it, too.
struct ReplicaStatus {
  std::int64_t replicas = 0;  ///< pods that exist
  std::vector<Condition> conditions;

  template <class Field>
  friend void describe(Field& field, ReplicaStatus& self) {
    field("replicas", self.replicas);
    field("conditions", self.conditions);
  }
};
struct ReplicationControllerSpec {
  std::optional<std::int32_t> replicas;  ///< none: 1
  SymbolMap selector;
  std::optional<TemplateOfPods> pods;

  template <class Field>
  friend void describe(Field& field, ReplicationControllerSpec& self) {
    field("replicas", self.replicas);
    field("selector", self.selector);
    field("template", self.pods);
  }
};
struct ReplicationController {
  ObjectMeta meta;
  ReplicationControllerSpec spec;
  ReplicaStatus status;

  template <class Field>
  friend void describe(Field& field, ReplicationController& self) {
    field("metadata", self.meta);
    field("spec", self.spec);
    field("status", self.status);
  }
};

struct ReplicaSetSpec {
  std::optional<std::int32_t> replicas;  ///< none: 1
  std::optional<LabelSelector> selector;
  std::int32_t min_ready_seconds = 0;
  std::optional<TemplateOfPods> pods;

  template <class Field>
  friend void describe(Field& field, ReplicaSetSpec& self) {
    field("replicas", self.replicas);
    field("minReadySeconds", self.min_ready_seconds);
    field("selector", self.selector);
    field("template", self.pods);
  }
};
struct ReplicaSet {
  ObjectMeta meta;
  ReplicaSetSpec spec;
  ReplicaStatus status;

  template <class Field>
  friend void describe(Field& field, ReplicaSet& self) {
    field("metadata", self.meta);
    field("spec", self.spec);
    field("status", self.status);
  }
};

struct StatefulSetOrdinals {
  std::int64_t start = 0;

  template <class Field>
  friend void describe(Field& field, StatefulSetOrdinals& self) {
    field("start", self.start);
  }
};
struct StatefulSetRollingUpdate {
  std::int64_t partition = 0;                      ///< pods with a lower ordinal keep the previous template
  std::optional<NumberOrPercent> max_unavailable;  ///< none: 1

  template <class Field>
  friend void describe(Field& field, StatefulSetRollingUpdate& self) {
    field("partition", self.partition);
    field("maxUnavailable", self.max_unavailable);
  }
};
struct StatefulSetUpdateStrategy {
  Symbol type;  ///< "OnDelete"; any other value: RollingUpdate
  StatefulSetRollingUpdate rolling_update;

  template <class Field>
  friend void describe(Field& field, StatefulSetUpdateStrategy& self) {
    field("type", self.type);
    field("rollingUpdate", self.rolling_update);
  }
};
struct StatefulSetSpec {
  std::optional<std::int32_t> replicas;  ///< none: 1
  std::optional<LabelSelector> selector;
  Symbol pod_management_policy;  ///< "Parallel"; any other value: pods are created in order
  StatefulSetOrdinals ordinals;
  StatefulSetUpdateStrategy update_strategy;
  std::int32_t min_ready_seconds = 0;
  std::optional<TemplateOfPods> pods;

  template <class Field>
  friend void describe(Field& field, StatefulSetSpec& self) {
    field("replicas", self.replicas);
    field("minReadySeconds", self.min_ready_seconds);
    field("selector", self.selector);
    field("podManagementPolicy", self.pod_management_policy);
    field("ordinals", self.ordinals);
    field("updateStrategy", self.update_strategy);
    field("template", self.pods);
  }
};
struct StatefulSetStatus {
  std::int64_t replicas = 0;  ///< pods that exist
  Symbol current_revision;    ///< label controller-revision-hash of the pods of the previous template
  Symbol update_revision;     ///< that of the pods of the current template

  template <class Field>
  friend void describe(Field& field, StatefulSetStatus& self) {
    field("replicas", self.replicas);
    field("currentRevision", self.current_revision);
    field("updateRevision", self.update_revision);
  }
};
struct StatefulSet {
  ObjectMeta meta;
  StatefulSetSpec spec;
  StatefulSetStatus status;

  template <class Field>
  friend void describe(Field& field, StatefulSet& self) {
    field("metadata", self.meta);
    field("spec", self.spec);
    field("status", self.status);
  }
};

struct DeploymentRollingUpdate {
  std::optional<NumberOrPercent> max_surge;        ///< rounded up
  std::optional<NumberOrPercent> max_unavailable;  ///< rounded down

  template <class Field>
  friend void describe(Field& field, DeploymentRollingUpdate& self) {
    field("maxSurge", self.max_surge);
    field("maxUnavailable", self.max_unavailable);
  }
};
struct DeploymentStrategy {
  Symbol type;  ///< "Recreate"; none: RollingUpdate
  DeploymentRollingUpdate rolling_update;

  template <class Field>
  friend void describe(Field& field, DeploymentStrategy& self) {
    field("type", self.type);
    field("rollingUpdate", self.rolling_update);
  }
};
struct DeploymentSpec {
  std::optional<std::int32_t> replicas;  ///< none: 1
  bool paused = false;
  std::int32_t min_ready_seconds = 0;
  DeploymentStrategy strategy;
  TemplateOfPods pods;

  template <class Field>
  friend void describe(Field& field, DeploymentSpec& self) {
    field("replicas", self.replicas);
    field("paused", self.paused);
    field("minReadySeconds", self.min_ready_seconds);
    field("strategy", self.strategy);
    field("template", self.pods);
  }
};

/// apps/v1 Deployment. The images of schedulers show which release runs.
struct Deployment {
  ObjectMeta meta;
  DeploymentSpec spec;

  template <class Field>
  friend void describe(Field& field, Deployment& self) {
    field("metadata", self.meta);
    field("spec", self.spec);
  }
};

/// The pod condition that a rule of a Job's pod failure policy requires.
struct FailedPodCondition {
  Symbol type;
  Symbol status;  ///< none: "True"

  template <class Field>
  friend void describe(Field& field, FailedPodCondition& self) {
    field("type", self.type);
    field("status", self.status);
  }
};

/// The exit codes that a rule of a Job's pod failure policy requires of a container.
struct FailedExitCodes {
  Symbol op;  ///< "In" or "NotIn"
  std::vector<std::int64_t> values;

  template <class Field>
  friend void describe(Field& field, FailedExitCodes& self) {
    field("operator", self.op);
    field("values", self.values);
  }
};

struct PodFailureRule {
  Symbol action;  ///< "Ignore", "Count", "FailJob", "FailIndex"
  std::vector<FailedPodCondition> on_pod_conditions;
  std::optional<FailedExitCodes> on_exit_codes;

  template <class Field>
  friend void describe(Field& field, PodFailureRule& self) {
    field("action", self.action);
    field("onPodConditions", self.on_pod_conditions);
    field("onExitCodes", self.on_exit_codes);
  }
};

struct PodFailurePolicy {
  std::vector<PodFailureRule> rules;

  template <class Field>
  friend void describe(Field& field, PodFailurePolicy& self) {
    field("rules", self.rules);
  }
};

struct SuccessRule {
  Symbol succeeded_indexes;  ///< "0,2-3"; none: any
  std::optional<std::int64_t> succeeded_count;

  template <class Field>
  friend void describe(Field& field, SuccessRule& self) {
    field("succeededIndexes", self.succeeded_indexes);
    field("succeededCount", self.succeeded_count);
  }
};

/// When an indexed Job has succeeded although some of its indexes have not.
struct SuccessPolicy {
  std::vector<SuccessRule> rules;

  template <class Field>
  friend void describe(Field& field, SuccessPolicy& self) {
    field("rules", self.rules);
  }
};

struct JobSpec {
  std::optional<std::int64_t> active_deadline_seconds;  ///< after the start of the Job, which then fails
  std::optional<std::int64_t> backoff_limit;
  std::optional<std::int64_t> backoff_limit_per_index;
  std::optional<std::int64_t> max_failed_indexes;
  std::optional<std::int64_t> completions;  ///< pods that have to succeed
  std::optional<std::int64_t> parallelism;  ///< pods that run at a time
  bool suspend = false;
  Symbol pod_replacement_policy;  ///< "Failed": a pod is replaced when it has ended, not when its deletion begins
  Symbol managed_by;              ///< another controller than that of Kubernetes; none: that one
  std::optional<PodFailurePolicy> pod_failure_policy;
  std::optional<SuccessPolicy> success_policy;
  std::optional<TemplateOfPods> pods;

  template <class Field>
  friend void describe(Field& field, JobSpec& self) {
    field("activeDeadlineSeconds", self.active_deadline_seconds);
    field("backoffLimit", self.backoff_limit);
    field("backoffLimitPerIndex", self.backoff_limit_per_index);
    field("maxFailedIndexes", self.max_failed_indexes);
    field("completions", self.completions);
    field("parallelism", self.parallelism);
    field("suspend", self.suspend);
    field("podReplacementPolicy", self.pod_replacement_policy);
    field("managedBy", self.managed_by);
    field("podFailurePolicy", self.pod_failure_policy);
    field("successPolicy", self.success_policy);
    field("template", self.pods);
  }
};

struct JobStatus {
  std::int64_t active = 0;  ///< pods that are neither finished nor terminating
  std::int64_t failed = 0;
  std::int64_t succeeded = 0;
  Symbol failed_indexes;     ///< "1,3-5"
  Symbol completed_indexes;  ///< likewise
  std::optional<Instant> start_time;
  std::vector<Condition> conditions;  ///< "Failed", "Complete", and those that come before

  template <class Field>
  friend void describe(Field& field, JobStatus& self) {
    field("active", self.active);
    field("succeeded", self.succeeded);
    field("failed", self.failed);
    field("failedIndexes", self.failed_indexes);
    field("completedIndexes", self.completed_indexes);
    field("startTime", self.start_time);
    field("conditions", self.conditions);
  }
};

struct Job {
  ObjectMeta meta;
  JobSpec spec;
  JobStatus status;

  template <class Field>
  friend void describe(Field& field, Job& self) {
    field("metadata", self.meta);
    field("spec", self.spec);
    field("status", self.status);
  }
};

/// ray.io RayCluster, of which only the owner is read: a RayJob or RayService, to which its pods do not refer.
struct RayCluster {
  ObjectMeta meta;

  template <class Field>
  friend void describe(Field& field, RayCluster& self) {
    field("metadata", self.meta);
  }
};

}  // namespace previct
