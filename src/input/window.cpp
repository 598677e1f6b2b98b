#include "input/window.h"

#include "input/line_scan.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace previct {

Window::Window(ByteSource& source, std::size_t size) : source_(source), bytes_(size + kScanPadding) {}

auto Window::more() -> bool {
  if (whole_) return false;
  if (begin_ > 0) {
    std::memmove(bytes_.data(), begin(), end_ - begin_);
    end_ -= std::exchange(begin_, 0);
  }
  // Keep at least half of it free, so that only few items are started twice.
  if (end_ > (bytes_.size() - kScanPadding) / 2) bytes_.resize((bytes_.size() - kScanPadding) * 2 + kScanPadding);
  const std::size_t size = bytes_.size() - kScanPadding;
  Result<std::size_t> count = 0;
  do {
    count = source_.read({bytes_.data() + end_, size - end_});
    end_ += count.value_or(0);
  } while (end_ < size && count.value_or(0) > 0);
  // Also if reading failed: the available text is still read.
  std::memset(bytes_.data() + end_, 0, kScanPadding);
  whole_ = count && *count == 0;
  return count.has_value();
}

}  // namespace previct
