#pragma once

#include "engine/engine.h"
#include "engine/kueue/inventory.h"
#include "tell/queues.h"

#include <memory>

namespace previct::kueue {

/// ClusterQueues below their cohorts: what each has of every resource of every flavor, and whose workloads could
/// preempt whose.
[[nodiscard]] auto queues(const std::shared_ptr<const Inventory>& inventory, const Question& question) -> Queues;

}  // namespace previct::kueue
