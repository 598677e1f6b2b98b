#pragma once

#include "api/objects.h"

#include <string>
#include <string_view>

namespace previct::kai {

/// Returns the label of pods that names their queue: the one in KAI's Config, or the default.
[[nodiscard]] auto queue_label(const Objects& objects) -> std::string_view;

/// Returns the queue of a pod without a PodGroup: the one that its label names, or else that of its project and node
/// pool, or else the default queue.
/// Source: kai-scheduler/KAI-Scheduler pkg/podgrouper/podgrouper/plugins/defaultgrouper.
[[nodiscard]] auto queue_of_labels(const Objects& objects, const SymbolMap& labels) -> std::string;

}  // namespace previct::kai
