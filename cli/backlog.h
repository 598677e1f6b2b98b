#pragma once

#include "analysis/backlog.h"
#include "cli/command.h"
#include "cli/question.h"

namespace previct::cli {

/// Sorts pending pods as kube-scheduler's queue orders pods of one priority: older pods first, otherwise in their
/// present order.
void sort_by_age(const Snapshot& cluster, std::vector<PodId>& pods);

/// Simulates the next cycles for all pods in question, so that each sees the results of those before. Only for engine
/// `kube`: other engines decide in one cycle or separately, and their pods are skipped. All are skipped if they are too
/// many for a quick simulation.
[[nodiscard]] auto simulate_backlog(Objects& objects, const Snapshot& cluster, const Asked& asked,
                                    const std::vector<Answer>& answers)
    -> Result<std::vector<std::optional<SimulatedOutcome>>>;

}  // namespace previct::cli
