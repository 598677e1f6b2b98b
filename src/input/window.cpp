#include "input/window.h"

#include "input/line_scan.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace previct {

Window::Window(ByteSource& source, std::size_t size) : source_(source), bytes_(size + kScanPadding) {}

auto Window::more() -> Result<void> {
  if (whole_) return {};
  if (begin_ > 0) {
    std::memmove(bytes_.data(), begin(), end_ - begin_);
    end_ -= std::exchange(begin_, 0);
  }
  // Half of it free at least, so that not every item is begun twice.
  if (end_ > (bytes_.size() - kScanPadding) / 2) bytes_.resize((bytes_.size() - kScanPadding) * 2 + kScanPadding);
  const std::size_t size = bytes_.size() - kScanPadding;
  while (end_ < size) {
    PREVICT_TRY(const std::size_t count, source_.read({bytes_.data() + end_, size - end_}));
    if (count == 0) {
      whole_ = true;
      break;
    }
    end_ += count;
  }
  std::memset(bytes_.data() + end_, 0, kScanPadding);
  return {};
}

}  // namespace previct
