#pragma once

#include "cluster/snapshot.h"

#include <cstdint>
#include <optional>

namespace previct {

/// Why the API server refuses to evict a pod, or why it is not known whether it does.
struct EvictionRefusal {
  enum class Why : std::uint8_t {
    several_budgets,  ///< more than one PodDisruptionBudget selects the pod
    no_disruption,    ///< the budget allows no disruption
    unknown_status,   ///< not known: the status of the budget
    uncounted_pods,   ///< not known: the budget selects all pods of its namespace, and its healthy pods are not counted
  } why{};
  const PodDisruptionBudget* budget = nullptr;  ///< the only one; with several_budgets, the first
  std::size_t budgets = 1;
  bool healthy = true;  ///< the pod counts as healthy

  [[nodiscard]] auto is_known() const -> bool { return why == Why::several_budgets || why == Why::no_disruption; }
};

/// Returns why the API server does not evict the running pod now; none: it does.
/// Source: kubernetes v1.35.4 pkg/registry/core/pod/storage/eviction.go Create, canIgnorePDB, checkAndDecrement,
/// getPodDisruptionBudgets.
[[nodiscard]] auto refusal_to_evict(const Snapshot& cluster, PodId pod) -> std::optional<EvictionRefusal>;

}  // namespace previct
