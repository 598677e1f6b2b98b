#pragma once

#include "api/objects.h"

#include <string>

namespace previct {

/// Returns why Kueue decides about the pods of a new object before their scheduler does, if previct does not add its
/// Workload; empty: it does not. A label is enough, because the input may not show which kinds Kueue manages.
[[nodiscard]] auto why_kueue_decides(const FoundObject& found, const Objects& objects) -> std::string;

/// Returns true if Kueue, as far as the input shows, queues a new object of a kind whose controller previct does not
/// know, such as JobSet.
[[nodiscard]] auto is_queued(const FoundObject& found, const Objects& objects) -> bool;

/// Returns why YuniKorn's admission controller may give a new pod to YuniKorn; empty: it does not.
[[nodiscard]] auto why_yunikorn_decides(const Pod& pod, const Objects& objects) -> std::string;

}  // namespace previct
