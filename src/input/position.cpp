#include "input/position.h"

#include <algorithm>
#include <cstring>

namespace previct {

void Positions::rewind() {
  byte_ = 0;
  character_ = 0;
  line_start_ = 0;
  line_ = 1;
}

void Positions::step() {
  if (text_[byte_] == '\n') {
    ++line_;
    line_start_ = byte_ + 1;
  }
  ++byte_;
  const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) == 0x80; };
  if (byte_ == text_.size() || !continues(text_[byte_])) ++character_;
}

auto Positions::here() const -> Place {
  return {file_, line_, static_cast<std::uint32_t>(byte_ - line_start_ + 1)};
}

auto Positions::at_byte(std::size_t offset) -> Place {
  offset = std::min(offset, text_.size());
  if (offset < byte_) rewind();
  // Characters are not counted here: a source asks in one unit only.
  while (const auto* feed = static_cast<const char*>(std::memchr(text_.data() + byte_, '\n', offset - byte_))) {
    byte_ = static_cast<std::size_t>(feed - text_.data()) + 1;
    line_start_ = byte_;
    ++line_;
  }
  byte_ = offset;
  return here();
}

auto Positions::at_character(std::size_t index) -> Place {
  if (index < character_) rewind();
  while (character_ < index && byte_ < text_.size()) step();
  return here();
}

}  // namespace previct
