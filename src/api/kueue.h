#pragma once

#include "api/meta.h"
#include "api/node.h"
#include "api/pod.h"
#include "api/wire.h"

#include <cstdint>
#include <optional>
#include <vector>

/// The objects of Kueue, with the fields that its decisions depend on. Fields that have other names in v1beta1 are
/// moved by unpack(), so that all other code uses v1beta2 only.
/// Source: kubernetes-sigs/kueue v0.19.0 apis/kueue/v1beta2, apis/kueue/v1beta1/*_conversion.go.
namespace previct {
class Symbols;
}

namespace previct::kueue {

// -- quota

/// The quota of one flavor for a resource. An absent borrowing or lending limit means no limit.
struct ResourceQuota {
  Symbol name;
  Quantity nominal;
  std::optional<Quantity> borrowing_limit;
  std::optional<Quantity> lending_limit;

  template <class Field>
  friend void describe(Field& field, ResourceQuota& self) {
    field("name", self.name);
    field("nominalQuota", self.nominal);
    field("borrowingLimit", self.borrowing_limit);
    field("lendingLimit", self.lending_limit);
  }
};

struct FlavorQuotas {
  Symbol name;
  std::vector<ResourceQuota> resources;

  template <class Field>
  friend void describe(Field& field, FlavorQuotas& self) {
    field("name", self.name);
    field("resources", self.resources);
  }
};

struct ResourceGroup {
  std::vector<Symbol> covered_resources;
  std::vector<FlavorQuotas> flavors;

  template <class Field>
  friend void describe(Field& field, ResourceGroup& self) {
    field("coveredResources", self.covered_resources);
    field("flavors", self.flavors);
  }
};

struct FairSharing {
  std::optional<Quantity> weight;  ///< absent: 1

  template <class Field>
  friend void describe(Field& field, FairSharing& self) {
    field("weight", self.weight);
  }
};

struct CohortSpec {
  Symbol parent;  ///< none: this is a root
  std::vector<ResourceGroup> resource_groups;
  FairSharing fair_sharing;

  template <class Field>
  friend void describe(Field& field, CohortSpec& self) {
    field("parentName", self.parent);
    field("resourceGroups", self.resource_groups);
    field("fairSharing", self.fair_sharing);
  }
};

struct Cohort {
  ObjectMeta meta;
  CohortSpec spec;

  template <class Field>
  friend void describe(Field& field, Cohort& self) {
    field("metadata", self.meta);
    field("spec", self.spec);
  }
};

struct FlavorFungibility {
  Symbol when_can_borrow;
  Symbol when_can_preempt;
  Symbol preference;

  template <class Field>
  friend void describe(Field& field, FlavorFungibility& self) {
    field("whenCanBorrow", self.when_can_borrow);
    field("whenCanPreempt", self.when_can_preempt);
    field("preference", self.preference);
  }
};

struct BorrowWithinCohort {
  Symbol policy;
  std::optional<std::int32_t> max_priority_threshold;

  template <class Field>
  friend void describe(Field& field, BorrowWithinCohort& self) {
    field("policy", self.policy);
    field("maxPriorityThreshold", self.max_priority_threshold);
  }
};

struct PreemptionPolicies {
  Symbol within_cluster_queue;
  Symbol reclaim_within_cohort;
  BorrowWithinCohort borrow_within_cohort;

  template <class Field>
  friend void describe(Field& field, PreemptionPolicies& self) {
    field("withinClusterQueue", self.within_cluster_queue);
    field("reclaimWithinCohort", self.reclaim_within_cohort);
    field("borrowWithinCohort", self.borrow_within_cohort);
  }
};

struct CheckOfFlavors {
  Symbol name;
  std::vector<Symbol> on_flavors;  ///< empty: all flavors

  template <class Field>
  friend void describe(Field& field, CheckOfFlavors& self) {
    field("name", self.name);
    field("onFlavors", self.on_flavors);
  }
};

struct AdmissionChecksStrategy {
  std::vector<CheckOfFlavors> checks;

  template <class Field>
  friend void describe(Field& field, AdmissionChecksStrategy& self) {
    field("admissionChecks", self.checks);
  }
};

struct AdmissionScope {
  Symbol mode;

  template <class Field>
  friend void describe(Field& field, AdmissionScope& self) {
    field("admissionMode", self.mode);
  }
};

struct ClusterQueueSpec {
  std::vector<ResourceGroup> resource_groups;
  Symbol cohort;  ///< none: no lending or borrowing
  Symbol queueing_strategy;
  std::optional<LabelSelector> namespace_selector;  ///< absent: no namespace
  FlavorFungibility fungibility;
  PreemptionPolicies preemption;
  Symbol stop_policy;
  FairSharing fair_sharing;
  AdmissionScope admission_scope;
  AdmissionChecksStrategy admission_checks;
  Symbol cohort_of_v1beta1;                         ///< empty after unpack()
  std::vector<Symbol> admission_checks_of_v1beta1;  ///< empty after unpack()

  template <class Field>
  friend void describe(Field& field, ClusterQueueSpec& self) {
    field("resourceGroups", self.resource_groups);
    field("cohortName", self.cohort);
    field("queueingStrategy", self.queueing_strategy);
    field("namespaceSelector", self.namespace_selector);
    field("flavorFungibility", self.fungibility);
    field("preemption", self.preemption);
    field("stopPolicy", self.stop_policy);
    field("fairSharing", self.fair_sharing);
    field("admissionScope", self.admission_scope);
    field("admissionChecksStrategy", self.admission_checks);
    field("cohort", self.cohort_of_v1beta1);
    field("admissionChecks", self.admission_checks_of_v1beta1);
  }
};

/// What Kueue last wrote about a ClusterQueue. It may be older than the workloads.
struct ClusterQueueStatus {
  std::optional<std::int32_t> reserving_workloads;  ///< the number of those that hold quota of it
  std::optional<std::int32_t> pending_workloads;    ///< the number of those that wait for it

  template <class Field>
  friend void describe(Field& field, ClusterQueueStatus& self) {
    field("reservingWorkloads", self.reserving_workloads);
    field("pendingWorkloads", self.pending_workloads);
  }
};

struct ClusterQueue {
  ObjectMeta meta;
  ClusterQueueSpec spec;
  ClusterQueueStatus status;

  template <class Field>
  friend void describe(Field& field, ClusterQueue& self) {
    field("metadata", self.meta);
    field("spec", self.spec);
    field("status", self.status);
  }
  void unpack(Symbols& symbols);
};

struct LocalQueueSpec {
  Symbol cluster_queue;
  Symbol stop_policy;
  FairSharing fair_sharing;

  template <class Field>
  friend void describe(Field& field, LocalQueueSpec& self) {
    field("clusterQueue", self.cluster_queue);
    field("stopPolicy", self.stop_policy);
    field("fairSharing", self.fair_sharing);
  }
};

/// The usage of the workloads of a LocalQueue at `last_update`; it decays with a half-life.
struct AdmissionFairSharingStatus {
  ResourceList consumed_resources;
  std::optional<Instant> last_update;

  template <class Field>
  friend void describe(Field& field, AdmissionFairSharingStatus& self) {
    field("consumedResources", self.consumed_resources);
    field("lastUpdate", self.last_update);
  }
};

struct FairSharingStatus {
  AdmissionFairSharingStatus admission;

  template <class Field>
  friend void describe(Field& field, FairSharingStatus& self) {
    field("admissionFairSharingStatus", self.admission);
  }
};

struct LocalQueueStatus {
  FairSharingStatus fair_sharing;

  template <class Field>
  friend void describe(Field& field, LocalQueueStatus& self) {
    field("fairSharing", self.fair_sharing);
  }
};

struct LocalQueue {
  ObjectMeta meta;
  LocalQueueSpec spec;
  LocalQueueStatus status;

  template <class Field>
  friend void describe(Field& field, LocalQueue& self) {
    field("metadata", self.meta);
    field("spec", self.spec);
    field("status", self.status);
  }
};

struct ResourceFlavorSpec {
  SymbolMap node_labels;
  std::vector<Taint> node_taints;
  std::vector<TaintToleration> tolerations;
  Symbol topology;

  template <class Field>
  friend void describe(Field& field, ResourceFlavorSpec& self) {
    field("nodeLabels", self.node_labels);
    field("nodeTaints", self.node_taints);
    field("tolerations", self.tolerations);
    field("topologyName", self.topology);
  }
};

struct ResourceFlavor {
  ObjectMeta meta;
  ResourceFlavorSpec spec;

  template <class Field>
  friend void describe(Field& field, ResourceFlavor& self) {
    field("metadata", self.meta);
    field("spec", self.spec);
  }
};

// -- admission

struct PodSetTemplate {
  ObjectMeta meta;  ///< without a name
  PodSpec spec;

  template <class Field>
  friend void describe(Field& field, PodSetTemplate& self) {
    field("metadata", self.meta);
    field("spec", self.spec);
  }
};

/// Pods in groups of `size`, each group within one domain of the level.
struct SliceConstraint {
  Symbol topology;
  std::int32_t size = 0;

  template <class Field>
  friend void describe(Field& field, SliceConstraint& self) {
    field("topology", self.topology);
    field("size", self.size);
  }
  friend auto operator==(const SliceConstraint&, const SliceConstraint&) -> bool = default;
};

struct TopologyRequest {
  Symbol required;
  Symbol preferred;
  Symbol group;  ///< podSetGroupName: pod sets of one group get the same flavor
  std::optional<bool> unconstrained;
  Symbol slice_required;
  std::optional<std::int32_t> slice_size;
  std::vector<SliceConstraint> slice_constraints;  ///< outermost first; absent: `slice_required` and `slice_size`

  template <class Field>
  friend void describe(Field& field, TopologyRequest& self) {
    field("required", self.required);
    field("preferred", self.preferred);
    field("podSetGroupName", self.group);
    field("unconstrained", self.unconstrained);
    field("podSetSliceRequiredTopology", self.slice_required);
    field("podSetSliceSize", self.slice_size);
    field("podsetSliceRequiredTopologyConstraints", self.slice_constraints);
  }
  friend auto operator==(const TopologyRequest&, const TopologyRequest&) -> bool = default;
};

struct PodSet {
  Symbol name;                        ///< absent: main
  std::optional<std::int32_t> count;  ///< absent: 1
  std::optional<std::int32_t> min_count;
  PodSetTemplate pod_template;
  std::optional<TopologyRequest> topology;

  template <class Field>
  friend void describe(Field& field, PodSet& self) {
    field("name", self.name);
    field("count", self.count);
    field("minCount", self.min_count);
    field("template", self.pod_template);
    field("topologyRequest", self.topology);
  }
};

struct PriorityClassRef {
  Symbol group;
  Symbol kind;
  Symbol name;

  template <class Field>
  friend void describe(Field& field, PriorityClassRef& self) {
    field("group", self.group);
    field("kind", self.kind);
    field("name", self.name);
  }
};

struct WorkloadSpec {
  Symbol queue_name;
  std::optional<bool> active;            ///< absent: true
  std::optional<std::int32_t> priority;  ///< absent: 0, even if a class is named
  PriorityClassRef priority_class;
  std::vector<PodSet> pod_sets;
  bool has_preemption_gates = false;
  std::optional<std::int32_t> maximum_execution_seconds;
  Symbol class_name_of_v1beta1;    ///< empty after unpack()
  Symbol class_source_of_v1beta1;  ///< empty after unpack()

  template <class Field>
  friend void describe(Field& field, WorkloadSpec& self) {
    field("queueName", self.queue_name);
    field("active", self.active);
    field("priority", self.priority);
    field("priorityClassRef", self.priority_class);
    field("podSets", self.pod_sets);
    field("preemptionGates", present(self.has_preemption_gates));
    field("maximumExecutionTimeSeconds", self.maximum_execution_seconds);
    field("priorityClassName", self.class_name_of_v1beta1);
    field("priorityClassSource", self.class_source_of_v1beta1);
  }
};

/// The values of one level of a slice, without their common prefix and suffix.
struct IndividualValues {
  Symbol prefix;
  Symbol suffix;
  std::vector<Symbol> roots;

  template <class Field>
  friend void describe(Field& field, IndividualValues& self) {
    field("prefix", self.prefix);
    field("suffix", self.suffix);
    field("roots", self.roots);
  }
};

struct LevelValues {
  std::optional<Symbol> universal;  ///< the value of all domains
  IndividualValues individual;

  template <class Field>
  friend void describe(Field& field, LevelValues& self) {
    field("universal", self.universal);
    field("individual", self.individual);
  }
};

struct PodCounts {
  std::optional<std::int32_t> universal;
  std::vector<std::int32_t> individual;

  template <class Field>
  friend void describe(Field& field, PodCounts& self) {
    field("universal", self.universal);
    field("individual", self.individual);
  }
};

/// A part of a topology assignment, compressed.
struct TopologySlice {
  std::int32_t domain_count = 0;
  std::vector<LevelValues> values_per_level;
  PodCounts pod_counts;

  template <class Field>
  friend void describe(Field& field, TopologySlice& self) {
    field("domainCount", self.domain_count);
    field("valuesPerLevel", self.values_per_level);
    field("podCounts", self.pod_counts);
  }
};

/// The pods in one domain of the lowest level.
struct TopologyDomain {
  std::vector<Symbol> values;  ///< by level
  std::int32_t count = 0;

  template <class Field>
  friend void describe(Field& field, TopologyDomain& self) {
    field("values", self.values);
    field("count", self.count);
  }
};

/// Where the pods of a pod set run. In v1beta2, slices hold the domains; unpack() expands them.
struct TopologyAssignment {
  std::vector<Symbol> levels;  ///< node labels; if the lowest level is the host name, only that
  std::vector<TopologyDomain> domains;
  std::vector<TopologySlice> slices;  ///< empty after unpack(), unless they contradict each other or are too many

  template <class Field>
  friend void describe(Field& field, TopologyAssignment& self) {
    field("levels", self.levels);
    field("domains", self.domains);
    field("slices", self.slices);
  }
};

struct PodSetAssignment {
  Symbol name;
  SymbolMap flavors;            ///< flavor by resource
  ResourceList resource_usage;  ///< sum of all its pods
  std::optional<std::int32_t> count;
  std::optional<TopologyAssignment> topology;
  Symbol delayed_topology;

  template <class Field>
  friend void describe(Field& field, PodSetAssignment& self) {
    field("name", self.name);
    field("flavors", self.flavors);
    field("resourceUsage", self.resource_usage);
    field("count", self.count);
    field("topologyAssignment", self.topology);
    field("delayedTopologyRequest", self.delayed_topology);
  }
};

struct Admission {
  Symbol cluster_queue;
  std::vector<PodSetAssignment> pod_sets;

  template <class Field>
  friend void describe(Field& field, Admission& self) {
    field("clusterQueue", self.cluster_queue);
    field("podSetAssignments", self.pod_sets);
  }
};

struct ReclaimablePods {
  Symbol name;
  std::int32_t count = 0;

  template <class Field>
  friend void describe(Field& field, ReclaimablePods& self) {
    field("name", self.name);
    field("count", self.count);
  }
};

struct RequeueState {
  std::optional<std::int32_t> count;
  std::optional<Instant> requeue_at;

  template <class Field>
  friend void describe(Field& field, RequeueState& self) {
    field("count", self.count);
    field("requeueAt", self.requeue_at);
  }
};

struct AdmissionCheckState {
  Symbol name;
  Symbol state;
  std::optional<Instant> last_transition;
  std::optional<std::int32_t> requeue_after;  ///< in seconds, from last_transition on
  bool has_updates = false;                   ///< it changes the pods: labels, tolerations, node selectors

  template <class Field>
  friend void describe(Field& field, AdmissionCheckState& self) {
    field("name", self.name);
    field("state", self.state);
    field("lastTransitionTime", self.last_transition);
    field("requeueAfterSeconds", self.requeue_after);
    field("podSetUpdates", present(self.has_updates));
  }
};

struct WorkloadStatus {
  SharedList<Condition> conditions;
  std::optional<Admission> admission;
  std::vector<ReclaimablePods> reclaimable_pods;
  RequeueState requeue_state;
  std::vector<AdmissionCheckState> admission_checks;
  bool has_unhealthy_nodes = false;
  std::optional<std::int32_t> past_execution_seconds;  ///< of earlier admissions

  template <class Field>
  friend void describe(Field& field, WorkloadStatus& self) {
    field("conditions", self.conditions);
    field("admission", self.admission);
    field("reclaimablePods", self.reclaimable_pods);
    field("requeueState", self.requeue_state);
    field("admissionChecks", self.admission_checks);
    field("unhealthyNodes", present(self.has_unhealthy_nodes));
    field("accumulatedPastExecutionTimeSeconds", self.past_execution_seconds);
  }
};

/// kueue.x-k8s.io Workload: pods that are admitted and evicted together. Not the Workload of scheduling.k8s.io.
struct Workload {
  ObjectMeta meta;
  WorkloadSpec spec;
  WorkloadStatus status;

  template <class Field>
  friend void describe(Field& field, Workload& self) {
    field("metadata", self.meta);
    field("spec", self.spec);
    field("status", self.status);
  }
  void unpack(Symbols& symbols);
};

struct WorkloadPriorityClass {
  ObjectMeta meta;
  std::int32_t value = 0;

  template <class Field>
  friend void describe(Field& field, WorkloadPriorityClass& self) {
    field("metadata", self.meta);
    field("value", self.value);
  }
};

struct AdmissionCheckSpec {
  Symbol controller_name;

  template <class Field>
  friend void describe(Field& field, AdmissionCheckSpec& self) {
    field("controllerName", self.controller_name);
  }
};

struct AdmissionCheckStatus {
  std::vector<Condition> conditions;

  template <class Field>
  friend void describe(Field& field, AdmissionCheckStatus& self) {
    field("conditions", self.conditions);
  }
};

struct AdmissionCheck {
  ObjectMeta meta;
  AdmissionCheckSpec spec;
  AdmissionCheckStatus status;

  template <class Field>
  friend void describe(Field& field, AdmissionCheck& self) {
    field("metadata", self.meta);
    field("spec", self.spec);
    field("status", self.status);
  }
};

struct TopologyLevel {
  Symbol node_label;

  template <class Field>
  friend void describe(Field& field, TopologyLevel& self) {
    field("nodeLabel", self.node_label);
  }
};

struct TopologySpec {
  std::vector<TopologyLevel> levels;

  template <class Field>
  friend void describe(Field& field, TopologySpec& self) {
    field("levels", self.levels);
  }
};

/// kueue.x-k8s.io Topology. Not the Topology of kai.scheduler.
struct Topology {
  ObjectMeta meta;
  TopologySpec spec;

  template <class Field>
  friend void describe(Field& field, Topology& self) {
    field("metadata", self.meta);
    field("spec", self.spec);
  }
};

/// Returns true if Kueue manages the pod: it has Kueue's scheduling gate or a queue.
/// Source: kubernetes-sigs/kueue v0.19.0 pkg/controller/constants, pkg/controller/jobs/pod/constants.
[[nodiscard]] auto is_managed(const Pod& pod, const Symbols& symbols) -> bool;

}  // namespace previct::kueue
