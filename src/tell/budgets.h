#pragma once

#include "cluster/snapshot.h"
#include "tell/answer.h"

namespace previct {

/// Of a scheduler that does not look at PodDisruptionBudgets: says of each victim which budget its eviction violates,
/// if the victims are evicted in the order of the answer. A pod that is terminating already is charged to none.
void tell_violated_budgets(const Snapshot& cluster, Answer& answer);

}  // namespace previct
