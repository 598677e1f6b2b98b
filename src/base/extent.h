#pragma once

#include <cstddef>
#include <cstdint>

namespace previct {

/// The part of each long list in a document that is shown: the items from `first` on that have this number of bytes
/// together, and the one after them.
struct Extent {
  std::size_t first = 0;
  std::size_t bytes = SIZE_MAX;

  [[nodiscard]] auto is_all() const -> bool { return first == 0 && bytes == SIZE_MAX; }

  /// Returns true if the item may be in this part: an item has at least 16 bytes.
  [[nodiscard]] auto may_show(std::size_t index) const -> bool {
    constexpr std::size_t kLeast = 16;
    return is_all() || (index >= first && index - first <= bytes / kLeast);
  }
};

}  // namespace previct
