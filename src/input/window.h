#pragma once

#include "base/diagnostics.h"
#include "input/byte_source.h"

#include <cstddef>
#include <string_view>
#include <vector>

namespace previct {

/// The part of a text that is in memory, followed by kScanPadding zero bytes.
class Window {
 public:
  /// `size`: the minimum number of bytes in memory, if there are so many; it grows if an item needs more.
  Window(ByteSource& source, std::size_t size);

  [[nodiscard]] auto begin() const -> const char* { return bytes_.data() + begin_; }
  [[nodiscard]] auto end() const -> const char* { return bytes_.data() + end_; }
  [[nodiscard]] auto text() const -> std::string_view { return {begin(), end_ - begin_}; }
  /// Returns true if nothing follows.
  [[nodiscard]] auto whole() const -> bool { return whole_; }

  /// The estimated number of bytes from begin() on; as ByteSource::left().
  [[nodiscard]] auto left() const -> std::uint64_t { return source_.left() + (end_ - begin_); }

  /// Releases the text before `to`, a position in the window.
  void advance(const char* to) { begin_ = static_cast<std::size_t>(to - bytes_.data()); }

  /// Reads more text; this invalidates all positions. Returns false if nothing can follow: the text is complete, or its
  /// source failed.
  [[nodiscard]] auto more() -> bool;

 private:
  ByteSource& source_;
  std::vector<char> bytes_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  bool whole_ = false;
};

}  // namespace previct
