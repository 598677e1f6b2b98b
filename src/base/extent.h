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
};

}  // namespace previct
