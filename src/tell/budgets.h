#pragma once

#include "cluster/snapshot.h"
#include "tell/answer.h"

#include <span>
#include <vector>

namespace previct {

/// A victim whose eviction violates a PodDisruptionBudget, if the victims are evicted in their order.
struct Violation {
  PodId pod;
  const PodDisruptionBudget* budget;
};

/// Returns the violations, in the order of the victims. A pod that is already terminating is not counted against any
/// budget.
[[nodiscard]] auto violations(const Snapshot& cluster, std::span<const PodId> victims) -> std::vector<Violation>;

/// For a scheduler that ignores PodDisruptionBudgets: adds to each victim the budget that its eviction violates, if the
/// victims are evicted in the order of the answer.
void tell_violated_budgets(const Snapshot& cluster, Answer& answer);

}  // namespace previct
