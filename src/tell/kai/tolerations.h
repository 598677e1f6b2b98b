#pragma once

#include "engine/kai/fairness/candidates.h"
#include "tell/answer.h"

#include <string>
#include <vector>

namespace previct::kai {

/// Returns how a min-runtime was found: `D (lca, root > B > D > leaf3 from D up)`.
[[nodiscard]] auto path_words(const ClusterInfo& cluster_info, Action action, const MinRuntimeValue& value,
                              QueueId victim) -> std::string;

/// Returns the release whose behavior this is: `0.18 (assumed; rules of d5bc503a), shard default`.
[[nodiscard]] auto behaves_words(const Settings& settings) -> std::string;

/// Returns the queue whose field applies, or the origin of the default.
[[nodiscard]] auto resolved_from(const ClusterInfo& cluster_info, const MinRuntimeValue& value) -> std::string;

/// Returns the field of the queue that applies; empty if the default applies.
[[nodiscard]] auto evidence_of_queue(const ClusterInfo& cluster_info, Action action, const MinRuntimeValue& value)
    -> std::vector<Evidence>;

/// Returns the evidence for the protection of a group against an action: the field of the queue that applies, and the
/// start of the group.
[[nodiscard]] auto evidence_for(const ClusterInfo& cluster_info, Action action, GroupId group, const Shield& shield)
    -> std::vector<Evidence>;

}  // namespace previct::kai
