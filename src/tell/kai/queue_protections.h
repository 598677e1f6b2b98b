#pragma once

#include "engine/engine.h"
#include "engine/kai/snapshot/settings.h"
#include "tell/queue_protection.h"

#include <string>
#include <vector>

namespace previct::kai {

/// Returns the min-runtimes between leaf queues: for reclaim between two queues, for preempt within one.
/// Source: engine/kai/fairness/min_runtime.h.
[[nodiscard]] auto queue_protections(const Snapshot& cluster, const Settings& settings, const Question& question,
                                     const std::vector<std::string>& between) -> Result<QueueProtections>;

}  // namespace previct::kai
