#pragma once

#include <cstddef>

namespace previct {

/// The deepest nesting of queues and groups that is read. Upstream has no limit; previct walks such trees by recursion.
inline constexpr std::size_t kDeepest = 1000;

}  // namespace previct
