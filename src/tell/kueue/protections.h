#pragma once

#include "engine/engine.h"
#include "engine/kueue/inventory.h"
#include "tell/answer.h"

#include <memory>

namespace previct::kueue {

/// The pods of workloads that no workload of another ClusterQueue, or none of their own, may preempt as quota stands.
/// Nothing ends by time alone. Errors: `question.against` names no ClusterQueue.
[[nodiscard]] auto protections(const Inventory& inventory, const Question& question) -> Result<Protections>;

/// The ClusterQueues, and the pending workloads, for which the workload could be preempted. Errors: no such workload.
[[nodiscard]] auto possible_preemptors(const Inventory& inventory, const Question& question)
    -> Result<PossiblePreemptors>;

}  // namespace previct::kueue
