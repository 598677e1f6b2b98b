#pragma once

#include "cluster/snapshot.h"
#include "tell/answer.h"

namespace previct {

/// For a scheduler that ignores PodDisruptionBudgets: adds to each victim the budget that its eviction violates, if the
/// victims are evicted in the order of the answer. A pod that is already terminating is not counted against any budget.
void tell_violated_budgets(const Snapshot& cluster, Answer& answer);

}  // namespace previct
