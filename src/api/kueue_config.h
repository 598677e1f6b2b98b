#pragma once

#include "api/meta.h"
#include "api/wire.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The configuration of Kueue's controller, with the fields that its decisions depend on.
/// Source: kubernetes-sigs/kueue v0.19.0 apis/config/v1beta2/configuration_types.go, apis/config/v1beta1.
namespace previct::kueue {

/// The name of the ConfigMap in which a cluster stores it; a chart's release or nameOverride may replace any part
/// except
/// `-manager-config`. The key and the API group in its text are always the same.
/// Source: config/components/manager/controller_manager_config.yaml,
/// charts/kueue/templates/manager/manager-config.yaml, charts/kueue/templates/_helpers.tpl kueue.fullname.
inline constexpr std::string_view kConfigMapName = "kueue-manager-config";
inline constexpr std::string_view kConfigMapKey = "controller_manager_config.yaml";
inline constexpr std::string_view kConfigGroup = "config.kueue.x-k8s.io/";

struct FairSharingConfig {
  std::optional<bool> enable;  ///< only in v1beta1; in v1beta2, fair sharing is on if the section exists
  std::vector<Symbol> strategies;

  template <class Field>
  friend void describe(Field& field, FairSharingConfig& self) {
    field("enable", self.enable);
    field("preemptionStrategies", self.strategies);
  }
};

struct AdmissionFairSharingConfig {
  Duration usage_half_life;
  Duration usage_sampling_interval;  ///< 0: 5 minutes
  MapOf<double> resource_weights;

  template <class Field>
  friend void describe(Field& field, AdmissionFairSharingConfig& self) {
    field("usageHalfLifeTime", self.usage_half_life);
    field("usageSamplingInterval", self.usage_sampling_interval);
    field("resourceWeights", self.resource_weights);
  }
};

struct RequeuingStrategy {
  Symbol timestamp;  ///< absent: Eviction
  std::optional<std::int32_t> backoff_base_seconds;
  std::optional<std::int32_t> backoff_max_seconds;
  std::optional<std::int32_t> backoff_limit;  ///< absent: requeued without end

  template <class Field>
  friend void describe(Field& field, RequeuingStrategy& self) {
    field("timestamp", self.timestamp);
    field("backoffBaseSeconds", self.backoff_base_seconds);
    field("backoffMaxSeconds", self.backoff_max_seconds);
    field("backoffLimitCount", self.backoff_limit);
  }
};

struct WaitForPodsReady {
  std::optional<bool> enable;  ///< only in v1beta1
  std::optional<bool> block_admission;
  std::optional<Duration> timeout;
  std::optional<Duration> recovery_timeout;  ///< absent: as `timeout`; 0: no limit
  RequeuingStrategy requeuing;

  template <class Field>
  friend void describe(Field& field, WaitForPodsReady& self) {
    field("enable", self.enable);
    field("blockAdmission", self.block_admission);
    field("timeout", self.timeout);
    field("recoveryTimeout", self.recovery_timeout);
    field("requeuingStrategy", self.requeuing);
  }
};

/// The resource that is counted instead of a requested resource, or in addition to it.
struct ResourceTransformation {
  Symbol input;
  Symbol strategy;  ///< Retain (or absent), Replace
  Symbol multiply_by;
  ResourceList outputs;

  template <class Field>
  friend void describe(Field& field, ResourceTransformation& self) {
    field("input", self.input);
    field("strategy", self.strategy);
    field("multiplyBy", self.multiply_by);
    field("outputs", self.outputs);
  }
};

struct ResourcesConfig {
  std::vector<std::string> exclude_prefixes;
  std::vector<ResourceTransformation> transformations;
  Symbol quota_check_strategy;

  template <class Field>
  friend void describe(Field& field, ResourcesConfig& self) {
    field("excludeResourcePrefixes", self.exclude_prefixes);
    field("transformations", self.transformations);
    field("quotaCheckStrategy", self.quota_check_strategy);
  }
};

struct Integrations {
  std::vector<std::string> frameworks;  ///< absent: batch/job

  template <class Field>
  friend void describe(Field& field, Integrations& self) {
    field("frameworks", self.frameworks);
  }
};

struct Configuration {
  std::string api_version;
  std::string kind;
  std::optional<FairSharingConfig> fair_sharing;
  std::optional<AdmissionFairSharingConfig> admission_fair_sharing;
  std::optional<WaitForPodsReady> wait_for_pods_ready;
  ResourcesConfig resources;
  Integrations integrations;
  MapOf<bool> feature_gates;

  template <class Field>
  friend void describe(Field& field, Configuration& self) {
    field("apiVersion", self.api_version);
    field("kind", self.kind);
    field("fairSharing", self.fair_sharing);
    field("admissionFairSharing", self.admission_fair_sharing);
    field("waitForPodsReady", self.wait_for_pods_ready);
    field("resources", self.resources);
    field("integrations", self.integrations);
    field("featureGates", self.feature_gates);
  }
};

}  // namespace previct::kueue
