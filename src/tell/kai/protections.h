#pragma once

#include "engine/engine.h"
#include "engine/kai/snapshot/cluster_info.h"
#include "tell/answer.h"

namespace previct::kai {

/// Every running pod of a preemptible group, and how min-runtime protects it against groups of `question.against`, a
/// leaf queue; empty: each against the leaf queues beside its own that find the longest value.
[[nodiscard]] auto protections(const Snapshot& cluster, const Settings& settings, const Question& question)
    -> Result<Protections>;

/// Queue by queue, and pending group by pending group: who could take this pod's group, from when.
[[nodiscard]] auto possible_preemptors(const Snapshot& cluster, const Settings& settings, const Question& question,
                                       GroupId group, PodId pod, const ClusterInfo& cluster_info) -> PossiblePreemptors;

}  // namespace previct::kai
