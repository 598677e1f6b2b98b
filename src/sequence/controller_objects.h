#pragma once

#include "api/load.h"
#include "api/meta.h"
#include "api/wire.h"
#include "overlay/surroundings.h"

#include <optional>
#include <string>
#include <vector>

/// The fields of Jobs and StatefulSets that decide when evicted pods are replaced, and the LimitRanges and
/// ResourceQuotas that apply to the new pods. Only simulations need them, so they are read from the inputs on demand.
namespace previct::sequence {

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

struct PodFailureRule {
  Symbol action;  ///< "Ignore", "Count", "FailJob", "FailIndex"
  std::vector<FailedPodCondition> on_pod_conditions;
  bool has_exit_codes = false;

  template <class Field>
  friend void describe(Field& field, PodFailureRule& self) {
    field("action", self.action);
    field("onPodConditions", self.on_pod_conditions);
    field("onExitCodes", present(self.has_exit_codes));
  }
};

struct PodFailurePolicy {
  std::vector<PodFailureRule> rules;

  template <class Field>
  friend void describe(Field& field, PodFailurePolicy& self) {
    field("rules", self.rules);
  }
};

struct JobSpec {
  std::optional<std::int64_t> backoff_limit;
  std::optional<std::int64_t> backoff_limit_per_index;
  std::optional<std::int64_t> completions;  ///< pods that have to succeed
  std::optional<std::int64_t> parallelism;  ///< pods that run at a time
  bool suspend = false;
  Symbol pod_replacement_policy;  ///< "Failed": a pod is replaced when it has ended, not when its deletion begins
  std::optional<PodFailurePolicy> pod_failure_policy;

  template <class Field>
  friend void describe(Field& field, JobSpec& self) {
    field("backoffLimit", self.backoff_limit);
    field("backoffLimitPerIndex", self.backoff_limit_per_index);
    field("completions", self.completions);
    field("parallelism", self.parallelism);
    field("suspend", self.suspend);
    field("podReplacementPolicy", self.pod_replacement_policy);
    field("podFailurePolicy", self.pod_failure_policy);
  }
};

struct JobStatus {
  std::int64_t failed = 0;
  std::int64_t succeeded = 0;

  template <class Field>
  friend void describe(Field& field, JobStatus& self) {
    field("succeeded", self.succeeded);
    field("failed", self.failed);
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

struct StatefulSetOrdinals {
  std::int64_t start = 0;

  template <class Field>
  friend void describe(Field& field, StatefulSetOrdinals& self) {
    field("start", self.start);
  }
};

struct StatefulSetSpec {
  std::optional<std::int64_t> replicas;
  Symbol pod_management_policy;  ///< "Parallel"; any other value: pods are created in order
  StatefulSetOrdinals ordinals;

  template <class Field>
  friend void describe(Field& field, StatefulSetSpec& self) {
    field("replicas", self.replicas);
    field("podManagementPolicy", self.pod_management_policy);
    field("ordinals", self.ordinals);
  }
};

struct StatefulSetStatus {
  std::int64_t replicas = 0;  ///< pods that exist

  template <class Field>
  friend void describe(Field& field, StatefulSetStatus& self) {
    field("replicas", self.replicas);
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

struct ControllerObjects {
  std::vector<Job> jobs;
  std::vector<StatefulSet> sets;
  std::vector<ResourceQuota> quotas;
  std::vector<LimitRange> limit_ranges{};
  bool all_limit_ranges = false;  ///< the cluster has no others

  /// Of two objects of one name, the earlier counts.
  void add(const ControllerObjects& more) {
    jobs.insert(jobs.end(), more.jobs.begin(), more.jobs.end());
    sets.insert(sets.end(), more.sets.begin(), more.sets.end());
    quotas.insert(quotas.end(), more.quotas.begin(), more.quotas.end());
    limit_ranges.insert(limit_ranges.end(), more.limit_ranges.begin(), more.limit_ranges.end());
    all_limit_ranges = all_limit_ranges || more.all_limit_ranges;
  }
};

/// Returns true if some pod has a controller that may create new pods.
[[nodiscard]] auto has_controlled_pods(const Objects& objects) -> bool;

/// Adds a Job, StatefulSet, ResourceQuota or LimitRange; ignores any other object.
[[nodiscard]] auto add_controller_object(const FoundObject& found, FileId file, Objects& objects,
                                         ControllerObjects& controller_objects) -> Result<void>;

/// Reads these objects from the inputs, if there are any and has_controlled_pods(). Standard input cannot be read
/// again, so its objects are left out.
[[nodiscard]] auto read_controller_objects(const std::vector<std::string>& paths, const LoadOptions& options,
                                           Objects& objects) -> Result<ControllerObjects>;

}  // namespace previct::sequence
