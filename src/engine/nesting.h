#pragma once

#include <cstddef>

namespace previct {

/// Of queues below queues, and of groups below groups. Upstream has no limit; such trees are walked by recursion here.
inline constexpr std::size_t kDeepest = 1000;

}  // namespace previct
