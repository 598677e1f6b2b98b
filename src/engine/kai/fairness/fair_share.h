#pragma once

#include "engine/kai/session/session.h"

#include <vector>

namespace previct::kai {

/// How the divisible total is shared among the queues at the start of a cycle.
struct FairShares {
  IdVector<QueueId, Share> of;
  /// Queues with equal fractions that competed for a last unit: upstream adds weights in random order, so any of them
  /// may get it (spec §14).
  std::vector<QueueId> tied;
};

/// Returns true if `a` was created before `b`; of the same age, the first by name.
[[nodiscard]] auto is_older(const TreeQueue& a, const TreeQueue& b) -> bool;

/// Source: kai-scheduler/KAI-Scheduler pkg/scheduler/plugins/proportion/resource_division. Floating-point operations
/// are in the same order, with queues by age, then name.
[[nodiscard]] auto divide(const Session& session) -> FairShares;

/// Returns what a queue may use: its limit if its quota is unlimited, else the larger of quota and fair share, capped
/// by its limit.
[[nodiscard]] auto usable_share(const TreeQueue& queue, const Share& fair_share) -> Share;

}  // namespace previct::kai
