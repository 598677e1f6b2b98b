#pragma once

#include "engine/engine.h"
#include "engine/kueue/inventory.h"
#include "tell/answer.h"

#include <memory>

namespace previct::kueue {

/// Returns the pods of workloads that no workload of another ClusterQueue, or none of their own, may preempt with the
/// current quota. No protection ends by time alone. Errors: `question.against` is not the name of a ClusterQueue.
[[nodiscard]] auto protections(const Inventory& inventory, const Question& question) -> Result<Protections>;

/// Returns the ClusterQueues, and the pending workloads, for which the workload could be preempted. Errors: no such
/// workload.
[[nodiscard]] auto possible_preemptors(const Inventory& inventory, const Question& question)
    -> Result<PossiblePreemptors>;

}  // namespace previct::kueue
