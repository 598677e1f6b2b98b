#pragma once

#include "engine/kai/account.h"
#include "tell/answer.h"

#include <string>

namespace previct::kai {

/// Why a group that the cycle looked at stays pending, with the time at which that ends:
/// `stays pending until 10:59:50 (in 1h): no node has 1 free GPU; the only group to reclaim from is default/busy (queue
/// l2, 2 of quota 1 GPU), protected by min-runtime`.
[[nodiscard]] auto pending_words(const Explained& explained, const NextChange* next) -> std::string;

/// The most decisive reason of it, for lists.
[[nodiscard]] auto pending_cause(const Explained& explained) -> Cause;

}  // namespace previct::kai
