#pragma once

#include "base/place.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace previct {

/// Turns positions in a text into line and column. Asked in ascending order it walks the text once; a
/// step back costs a walk from the front.
class Positions {
 public:
  Positions(std::string_view text, FileId file) : text_(text), file_(file) {}

  /// The place of the byte at `offset`; of the end if `offset` lies behind it.
  [[nodiscard]] auto at_byte(std::size_t offset) -> Place;

  /// The same for a position counted in characters (bytes that do not continue a UTF-8 sequence).
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
