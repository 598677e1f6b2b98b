#pragma once

#include "api/meta.h"

#include <vector>

namespace previct {

/// scheduling.k8s.io/v1 PriorityClass; PreemptionToleration reads its annotations (KEP-205).
struct PriorityClass {
  ObjectMeta meta;
  std::int32_t value = 0;
  bool global_default = false;
  Symbol preemption_policy;

  template <class Field>
  friend void describe(Field& field, PriorityClass& self) {
    field("metadata", self.meta);
    field("value", self.value);
    field("globalDefault", self.global_default);
    field("preemptionPolicy", self.preemption_policy);
  }
};

struct PodDisruptionBudgetSpec {
  std::optional<LabelSelector> selector;
  Symbol unhealthy_pod_eviction_policy;  ///< none: IfHealthyBudget; only the eviction API reads it

  template <class Field>
  friend void describe(Field& field, PodDisruptionBudgetSpec& self) {
    field("selector", self.selector);
    field("unhealthyPodEvictionPolicy", self.unhealthy_pod_eviction_policy);
  }
};

struct PodDisruptionBudgetStatus {
  std::int32_t disruptions_allowed = 0;
  // The numbers that the disruption controller subtracts; absent in budgets that were written by hand.
  std::optional<std::int64_t> current_healthy;
  std::optional<std::int64_t> desired_healthy;
  std::vector<Symbol> disrupted_pods;  ///< names of pods whose eviction the API server has already granted

  template <class Field>
  friend void describe(Field& field, PodDisruptionBudgetStatus& self) {
    field("disruptionsAllowed", self.disruptions_allowed);
    field("currentHealthy", self.current_healthy);
    field("desiredHealthy", self.desired_healthy);
    field("disruptedPods", keys_of(self.disrupted_pods));
  }
};

/// policy/v1 PodDisruptionBudget. Preemption reads its status, never minAvailable or maxUnavailable.
struct PodDisruptionBudget {
  ObjectMeta meta;
  PodDisruptionBudgetSpec spec;
  PodDisruptionBudgetStatus status;

  template <class Field>
  friend void describe(Field& field, PodDisruptionBudget& self) {
    field("metadata", self.meta);
    field("spec", self.spec);
    field("status", self.status);
  }
};

}  // namespace previct
