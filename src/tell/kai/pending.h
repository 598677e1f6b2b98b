#pragma once

#include "engine/kai/account.h"
#include "tell/answer.h"

#include <string>

namespace previct::kai {

/// Returns why a group that the cycle considered stays pending, and until when:
/// `stays pending until 10:59:50 (in 1h): no node has 1 free GPU; the only group to reclaim from is default/busy (queue
/// l2, 2 of quota 1 GPU), protected by min-runtime`.
[[nodiscard]] auto pending_words(const Explained& explained, const NextChange* next) -> std::string;

/// Returns the most decisive reason, for lists.
[[nodiscard]] auto pending_cause(const Explained& explained) -> Cause;

}  // namespace previct::kai
