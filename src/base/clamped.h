#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace previct {

/// A number of bytes, or of other things in memory, as a size; the largest size that memory can have if it is larger. A
/// limit stays what it is where sizes have 64 bits.
[[nodiscard]] constexpr auto clamped(std::uint64_t number) -> std::size_t {
  return static_cast<std::size_t>(std::min<std::uint64_t>(number, SIZE_MAX / 2));
}

}  // namespace previct
