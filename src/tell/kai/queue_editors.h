#pragma once

#include "engine/kai/snapshot/cluster_info.h"
#include "tell/queue_protection.h"

#include <optional>
#include <vector>

namespace previct::kai {

/// Which users may change the queues, and whose protection they can end: of `victims` from `preemptors`, all of them
/// leaf queues. None: the input has no RBAC objects.
///
/// A queue's own value counts on the walk from where it begins (engine/kai/fairness/min_runtime.h) to the queue that
/// sets it. With another parentQueue, which no webhook refuses, a queue and others have another queue in common: the
/// pods of the others are protected from its own by what is set further up, and its own from others by itself.
/// Source: kai-scheduler/KAI-Scheduler: pkg/admission/webhook/queuehooks/queue_validator.go.
[[nodiscard]] auto queue_editors(const Snapshot& cluster, const ClusterInfo& cluster_info,
                                 const std::vector<QueueId>& victims, const std::vector<QueueId>& preemptors)
    -> std::optional<Editors>;

}  // namespace previct::kai
