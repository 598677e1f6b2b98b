#pragma once

#include "cluster/eviction_api.h"
#include "cluster/snapshot.h"
#include "tell/answer.h"

#include <span>
#include <string>
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

/// `PodDisruptionBudget web allows no disruption: it needs 2 healthy pods and has 2`
[[nodiscard]] auto refusal_words(const EvictionRefusal& refusal, const Symbols& symbols) -> std::string;

}  // namespace previct
