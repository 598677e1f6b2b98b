#pragma once

#include "engine/kai/fairness/candidates.h"
#include "tell/answer.h"

#include <string>
#include <vector>

namespace previct::kai {

/// How a min-runtime was found: `D (lca, root > B > D > leaf3 from D up)`.
[[nodiscard]] auto path_words(const ClusterInfo& cluster_info, Action action, const MinRuntimeValue& value,
                              QueueId victim) -> std::string;

/// The release whose behaviour this is: `0.18 (assumed; rules of d5bc503a), shard default`.
[[nodiscard]] auto behaves_words(const Settings& settings) -> std::string;

/// The queue whose field counts, or where the default comes from.
[[nodiscard]] auto resolved_from(const ClusterInfo& cluster_info, const MinRuntimeValue& value) -> std::string;

/// The field of the queue that counts; nothing where the default does.
[[nodiscard]] auto evidence_of_queue(const ClusterInfo& cluster_info, Action action, const MinRuntimeValue& value)
    -> std::vector<Evidence>;

/// What the protection of a group against an action rests on: the field of the queue that counts, and the start of the
/// group.
[[nodiscard]] auto evidence_for(const ClusterInfo& cluster_info, Action action, GroupId group, const Shield& shield)
    -> std::vector<Evidence>;

}  // namespace previct::kai
