#include "input/position.h"

#include <algorithm>
#include <cstring>
#include <string_view>

namespace previct {

void Positions::rewind() {
  byte_ = 0;
  character_ = 0;
  line_start_ = 0;
  line_ = 1;
}

// A character has at least one byte, so `bytes` bytes are at most `bytes` characters. The last character may be
// incomplete.
void Positions::step(std::size_t bytes) {
  const char* const begin = text_.data() + byte_;
  const std::size_t size = std::min(bytes, text_.size() - byte_);
  const std::size_t feed = std::string_view(begin, size).rfind('\n');
  if (feed != std::string_view::npos) {
    line_ += static_cast<std::uint32_t>(std::count(begin, begin + feed + 1, '\n'));
    line_start_ = byte_ + feed + 1;
  }
  byte_ += size;
  // A character ends where the next one begins, or at the end of the text.
  const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) == 0x80; };
  const bool at_end = byte_ == text_.size();
  const auto within = std::count_if(begin + 1, begin + size + (at_end ? 0 : 1), [&](char c) { return !continues(c); });
  character_ += static_cast<std::size_t>(within) + (at_end ? 1 : 0);
}

auto Positions::here() const -> Place {
  return {file_, line_, static_cast<std::uint32_t>(byte_ - line_start_ + 1)};
}

auto Positions::at_byte(std::size_t offset) -> Place {
  offset = std::min(offset, text_.size());
  if (offset < byte_) rewind();
  // Characters are not counted here: each source uses only one of the two units.
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
  while (character_ < index && byte_ < text_.size()) step(index - character_);
  return here();
}

}  // namespace previct
