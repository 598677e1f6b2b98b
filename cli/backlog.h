#pragma once

#include "analysis/backlog.h"
#include "cli/command.h"
#include "cli/state.h"

namespace previct::cli {

/// The pending pods in the order in which kube-scheduler's queue takes those of one priority: the older first, then as
/// they are.
void sort_by_age(const Snapshot& cluster, std::vector<PodId>& pods);

/// Plays the next cycles for all pods that were asked about, so that each sees what the ones before have done. Pods of
/// other engines than `kube` are decided in one cycle or by themselves, and are left out; so are all of them if they
/// are more than can be played in a moment.
[[nodiscard]] auto play_in_turn(Session& session, const Snapshot& cluster, const Asked& asked,
                                const std::vector<Answer>& answers) -> Result<std::vector<std::optional<InTurn>>>;

}  // namespace previct::cli
