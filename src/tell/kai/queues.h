#pragma once

#include "engine/engine.h"
#include "engine/kai/cycles.h"
#include "engine/kai/fairness/fair_share.h"
#include "tell/queues.h"

#include <memory>
#include <vector>

namespace previct::kai {

/// Returns this scheduler's terms, without queues.
[[nodiscard]] auto no_queues(const Settings& settings) -> Queues;

/// Returns a queue as a cycle sees it, with these resources.
[[nodiscard]] auto queue_line(const Session& start, const FairShares& shares, QueueId queue,
                              const std::vector<std::size_t>& resources) -> QueueLine;

/// Returns the queues of a shard as one cycle sees them, and the outcomes of its pending groups in that cycle.
[[nodiscard]] auto queues(const Snapshot& cluster, const std::shared_ptr<Cycles>& cycles, const Question& question)
    -> Queues;

}  // namespace previct::kai
