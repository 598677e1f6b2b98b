#pragma once

#include <cstdint>

namespace previct {

/// `status.disruptionsAllowed` of a budget that an overlay adds when the input does not show what its controller would
/// compute. No API server uses this number.
inline constexpr std::int32_t kUnknownDisruptions = -2'000'000'000;

}  // namespace previct
