#pragma once

#include "base/place.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace previct {

/// Converts positions in a text to line and column. Ascending requests scan the text once; a request for an earlier
/// position scans it from the beginning.
class Positions {
 public:
  Positions(std::string_view text, FileId file) : text_(text), file_(file) {}

  /// The place of the byte at `offset`, or of the end of the text if `offset` is beyond it.
  [[nodiscard]] auto at_byte(std::size_t offset) -> Place;

  /// As at_byte(), for a position in characters (bytes that do not continue a UTF-8 sequence).
  [[nodiscard]] auto at_character(std::size_t index) -> Place;

 private:
  void step(std::size_t bytes);
  void rewind();
  [[nodiscard]] auto here() const -> Place;

  std::string_view text_;
  FileId file_;
  std::size_t byte_ = 0;
  std::size_t character_ = 0;
  std::size_t line_start_ = 0;
  std::uint32_t line_ = 1;
};

}  // namespace previct
