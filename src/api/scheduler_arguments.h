#pragma once

#include "api/pod.h"

#include <optional>
#include <string>
#include <vector>

/// Arguments of kube-scheduler's plugins (pluginConfig[].args); apiVersion and kind are optional.
/// Source: staging/src/k8s.io/kube-scheduler/config/v1/types_pluginargs.go, v1.35; kubernetes-sigs/scheduler-plugins:
/// apis/config/v1/types.go (PreemptionTolerationArgs).
namespace previct {

/// The type fields that all arguments may have.
template <class Field>
void describe_kind(Field& field) {
  field("apiVersion", ignored());
  field("kind", ignored());
}

/// Arguments of DefaultPreemption and of PreemptionToleration.
struct PreemptionArgs {
  std::optional<std::int32_t> percentage;
  std::optional<std::int32_t> absolute;

  template <class Field>
  friend void describe(Field& field, PreemptionArgs& self) {
    describe_kind(field);
    field("minCandidateNodesPercentage", self.percentage);
    field("minCandidateNodesAbsolute", self.absolute);
  }
};

struct NodeAffinityArgs {
  NodeAffinitySpec added;

  template <class Field>
  friend void describe(Field& field, NodeAffinityArgs& self) {
    describe_kind(field);
    field("addedAffinity", self.added);
  }
};

struct ResourceWeight {
  std::string name;
  std::int64_t weight = 0;

  template <class Field>
  friend void describe(Field& field, ResourceWeight& self) {
    field("name", self.name);
    field("weight", self.weight);
  }
};

struct ShapePoint {
  std::int32_t utilization = 0;
  std::int32_t score = 0;

  template <class Field>
  friend void describe(Field& field, ShapePoint& self) {
    field("utilization", self.utilization);
    field("score", self.score);
  }
};

struct FunctionShape {
  std::vector<ShapePoint> shape;

  template <class Field>
  friend void describe(Field& field, FunctionShape& self) {
    field("shape", self.shape);
  }
};

struct ScoringStrategy {
  std::string type;
  std::vector<ResourceWeight> resources;
  std::optional<FunctionShape> requested_to_capacity_ratio;

  template <class Field>
  friend void describe(Field& field, ScoringStrategy& self) {
    field("type", self.type);
    field("resources", self.resources);
    field("requestedToCapacityRatio", self.requested_to_capacity_ratio);
  }
};

struct NodeResourcesFitArgs {
  std::vector<std::string> ignored_resources;
  std::vector<std::string> ignored_resource_groups;
  std::optional<ScoringStrategy> scoring_strategy;

  template <class Field>
  friend void describe(Field& field, NodeResourcesFitArgs& self) {
    describe_kind(field);
    field("ignoredResources", self.ignored_resources);
    field("ignoredResourceGroups", self.ignored_resource_groups);
    field("scoringStrategy", self.scoring_strategy);
  }
};

struct BalancedAllocationArgs {
  std::vector<ResourceWeight> resources;

  template <class Field>
  friend void describe(Field& field, BalancedAllocationArgs& self) {
    describe_kind(field);
    field("resources", self.resources);
  }
};

struct PodTopologySpreadArgs {
  std::vector<TopologySpreadConstraint> default_constraints;
  std::string defaulting_type;

  template <class Field>
  friend void describe(Field& field, PodTopologySpreadArgs& self) {
    describe_kind(field);
    field("defaultConstraints", self.default_constraints);
    field("defaultingType", self.defaulting_type);
  }
};

struct InterPodAffinityArgs {
  std::optional<std::int32_t> hard_pod_affinity_weight;
  bool ignore_preferred_terms_of_existing_pods = false;

  template <class Field>
  friend void describe(Field& field, InterPodAffinityArgs& self) {
    describe_kind(field);
    field("hardPodAffinityWeight", self.hard_pod_affinity_weight);
    field("ignorePreferredTermsOfExistingPods", self.ignore_preferred_terms_of_existing_pods);
  }
};

struct VolumeBindingArgs {
  std::optional<std::int64_t> bind_timeout_seconds;
  std::vector<ShapePoint> shape;

  template <class Field>
  friend void describe(Field& field, VolumeBindingArgs& self) {
    describe_kind(field);
    field("bindTimeoutSeconds", self.bind_timeout_seconds);
    field("shape", self.shape);
  }
};

struct DynamicResourcesArgs {
  std::optional<Duration> filter_timeout;
  std::optional<Duration> binding_timeout;

  template <class Field>
  friend void describe(Field& field, DynamicResourcesArgs& self) {
    describe_kind(field);
    field("filterTimeout", self.filter_timeout);
    field("bindingTimeout", self.binding_timeout);
  }
};

}  // namespace previct
