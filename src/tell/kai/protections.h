#pragma once

#include "engine/engine.h"
#include "engine/kai/snapshot/cluster_info.h"
#include "tell/answer.h"

namespace previct::kai {

/// Returns every running pod of a preemptible group, and how min-runtime protects it against groups of the leaf queue
/// `question.against`; if that is empty, against the leaf queue (its own or another) with the longest min-runtime.
[[nodiscard]] auto protections(const Snapshot& cluster, const Settings& settings, const Question& question)
    -> Result<Protections>;

/// Returns, by queue and by pending group, the possible preemptors of this pod's group, and from when.
[[nodiscard]] auto possible_preemptors(const Snapshot& cluster, const Settings& settings, const Question& question,
                                       GroupId group, PodId pod, const ClusterInfo& cluster_info) -> PossiblePreemptors;

}  // namespace previct::kai
