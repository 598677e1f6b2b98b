#pragma once

#include "base/diagnostics.h"
#include "input/byte_source.h"

#include <cstddef>
#include <string_view>
#include <vector>

namespace previct {

/// The part of a text that is at hand. It is followed by kScanPadding zero bytes.
class Window {
 public:
  /// `size`: bytes at hand at least, if there are so many; more where an item needs it.
  Window(ByteSource& source, std::size_t size);

  [[nodiscard]] auto begin() const -> const char* { return bytes_.data() + begin_; }
  [[nodiscard]] auto end() const -> const char* { return bytes_.data() + end_; }
  [[nodiscard]] auto text() const -> std::string_view { return {begin(), end_ - begin_}; }
  /// True if nothing follows.
  [[nodiscard]] auto whole() const -> bool { return whole_; }

  /// Bytes from begin() on, most likely; as ByteSource::left().
  [[nodiscard]] auto left() const -> std::uint64_t { return source_.left() + (end_ - begin_); }

  /// Lets go of what stands before `to`, a position in the window.
  void advance(const char* to) { begin_ = static_cast<std::size_t>(to - bytes_.data()); }

  /// Reads on; all positions change. False if nothing can follow: the text is whole, or its source fails.
  [[nodiscard]] auto more() -> bool;

 private:
  ByteSource& source_;
  std::vector<char> bytes_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  bool whole_ = false;
};

}  // namespace previct
