#pragma once

#include "engine/engine.h"
#include "engine/kueue/inventory.h"
#include "tell/queues.h"

#include <memory>

namespace previct::kueue {

/// Returns ClusterQueues below their cohorts: what each has of every resource of every flavor, and which queue's
/// workloads could preempt those of which queue.
[[nodiscard]] auto queues(const std::shared_ptr<const Inventory>& inventory, const Question& question) -> Queues;

}  // namespace previct::kueue
