#pragma once

#include <cstdint>

namespace previct {

/// `status.disruptionsAllowed` of a budget that was laid over an input that does not tell what its controller would
/// make of it. No API server has such a number.
inline constexpr std::int32_t kUnknownDisruptions = -2'000'000'000;

}  // namespace previct
