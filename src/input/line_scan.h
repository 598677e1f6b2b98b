#pragma once

#include "input/sixteen_bytes.h"

#include <bit>
#include <cstddef>
#include <cstdint>

namespace previct {

/// The number of readable bytes that must follow every scanned text.
inline constexpr std::size_t kScanPadding = 64;

/// The positions of certain characters in 64 bytes: bit i stands for byte i.
struct Marks {
  std::uint64_t blanks = 0;
  std::uint64_t ends = 0;  ///< line feeds
  std::uint64_t colons = 0;
  std::uint64_t odd = 0;  ///< `#`, control characters except the line feed, DEL, and non-ASCII bytes
};

#if defined(PREVICT_SIXTEEN_BYTES)

inline auto marks_at(const char* at) -> Marks {
  Marks marks;
  const auto blank = SixteenBytes::all(' ');
  const auto end = SixteenBytes::all('\n');
  const auto colon = SixteenBytes::all(':');
  const auto hash = SixteenBytes::all('#');
  const auto one = SixteenBytes::all(1);
  const auto low = SixteenBytes::all('!');
  const auto bits = [](SixteenBytes found) { return std::uint64_t{found.bits()}; };
#pragma GCC unroll 4
  for (unsigned i = 0; i < 4; ++i) {
    const auto bytes = SixteenBytes::at(at + 16 * i);
    const unsigned shift = 16 * i;
    marks.blanks |= bits(bytes == blank) << shift;
    marks.ends |= bits(bytes == end) << shift;
    marks.colons |= bits(bytes == colon) << shift;
    // Adding 1 makes DEL and non-ASCII bytes negative, so that one comparison finds them together with the controls.
    marks.odd |= bits((bytes + one < low) | (bytes == hash)) << shift;
  }
  marks.odd &= ~marks.ends;
  return marks;
}

#else

inline auto marks_at(const char* at) -> Marks {
  Marks marks;
  for (unsigned i = 0; i < 64; ++i) {
    const auto byte = static_cast<unsigned char>(at[i]);
    const std::uint64_t bit = std::uint64_t{1} << i;
    if (byte == ' ') marks.blanks |= bit;
    if (byte == '\n') marks.ends |= bit;
    if (byte == ':') marks.colons |= bit;
    if (byte == '#' || (byte < 0x20 && byte != '\n') || byte >= 0x7f) marks.odd |= bit;
  }
  return marks;
}

#endif

/// Line feeds, and the characters at line ends that open a map or a list.
struct LineMarks {
  std::uint64_t ends = 0;
  std::uint64_t opens = 0;
};

/// `open`: a colon, or a brace, which also stands for a bracket.
inline auto line_marks_at(const char* at, char open) -> LineMarks {
  LineMarks marks;
  constexpr char kBraceOfBracket = '{' - '[';
#if defined(PREVICT_SIXTEEN_BYTES)
  const auto end = SixteenBytes::all('\n');
  const auto opens = SixteenBytes::all(open);
  const auto same = SixteenBytes::all(kBraceOfBracket);
#pragma GCC unroll 4
  for (unsigned i = 0; i < 4; ++i) {
    const auto bytes = SixteenBytes::at(at + 16 * i);
    marks.ends |= std::uint64_t{(bytes == end).bits()} << 16 * i;
    marks.opens |= std::uint64_t{((bytes | same) == opens).bits()} << 16 * i;
  }
#else
  for (unsigned i = 0; i < 64; ++i) {
    const std::uint64_t bit = std::uint64_t{1} << i;
    if (at[i] == '\n') marks.ends |= bit;
    if ((at[i] | kBraceOfBracket) == open) marks.opens |= bit;
  }
#endif
  return marks;
}

/// The number of bytes before the first that is `one` or `other`, a blank, a control character, DEL or not ASCII. If
/// `one` is a quote, blanks are not special.
inline auto plain_run(const char* at, char one, char other) -> std::size_t {
  const char lowest = one == '"' ? ' ' : '!';
  std::size_t size = 0;
#if defined(PREVICT_SIXTEEN_BYTES)
  const auto low = SixteenBytes::all(lowest);
  const auto ones = SixteenBytes::all(one);
  const auto others = SixteenBytes::all(other);
  const auto last = SixteenBytes::all(0x7f);
  for (;; size += 16) {
    const auto bytes = SixteenBytes::at(at + size);
    const std::uint32_t found = ((bytes == ones) | (bytes == others) | (bytes < low) | (bytes == last)).bits();
    if (found != 0) return size + static_cast<unsigned>(std::countr_zero(found));
  }
#else
  while (at[size] >= lowest && at[size] < 0x7f && at[size] != one && at[size] != other) ++size;
  return size;
#endif
}

/// A hash of the lines of an object that open maps and lists, up to the current line.
struct LineShape {
  static constexpr std::uint32_t kFactor = 0x9e3779b1;

  std::uint32_t number = 1;
  std::uint32_t lines = 0;

  /// Adds the information that the line after `before` other lines opens a map or list.
  void opens(std::uint32_t before) { number += (before + 1) * kFactor ^ number << 5U; }
};

/// Describes which lines may be the last of an object: those whose character in `column` is not `within`.
struct LastLine {
  std::size_t column = 0;
  char within = ' ';
};

/// Skips lines from `at`, the beginning of a line, up to one that may be the last. Lines that end with `open` open maps
/// and lists. Returns the position where it stopped, always the beginning of a line: that line, or a line near `end`
/// where it cannot look ahead, or `at` if this machine has no wide registers.
[[nodiscard]] auto pass_lines(const char* at, const char* end, char open, LastLine last, LineShape& shape) -> const
    char*;

/// A hash that objects share if the same lines of them open maps and lists, by ending with `open`. Covers the object at
/// `at` up to the line for which `is_last(line)` is true; 0 if `end` comes first.
template <class IsLast>
auto shape_of_lines(const char* at, const char* end, char open, LastLine last, IsLast is_last) -> std::uint32_t {
  LineShape shape;
  const auto number = [&] { return (shape.number + shape.lines) | 1U; };
  for (;;) {
    const char* const begin = at;
    at = pass_lines(at, end, open, last, shape);
    if (at == begin) break;
    if (is_last(at)) return number();
  }
  for (bool opened = false; at < end; at += 64) {
    const LineMarks marks = line_marks_at(at, open);
    const std::uint64_t before = marks.opens << 1U | (opened ? 1U : 0U);
    opened = marks.opens >> 63U != 0;
    for (std::uint64_t ends = marks.ends; ends != 0; ends &= ends - 1) {
      const auto i = static_cast<unsigned>(std::countr_zero(ends));
      if ((before >> i & 1U) != 0) shape.opens(shape.lines);
      ++shape.lines;
      if (is_last(at + i + 1)) return number();
    }
  }
  return 0;
}

/// The length of the common prefix of both texts, at most `most` bytes.
inline auto same_size(const char* one, const char* other, std::size_t most) -> std::size_t {
  std::size_t size = 0;
#if defined(PREVICT_SIXTEEN_BYTES)
  const auto same_at = [&](std::size_t at) { return SixteenBytes::at(one + at) == SixteenBytes::at(other + at); };
  const auto other_bits = [](SixteenBytes same) { return same.bits() ^ 0xffffU; };
  for (; size + 64 <= most; size += 64) {
    if (other_bits(same_at(size) & same_at(size + 16) & same_at(size + 32) & same_at(size + 48)) != 0) break;
  }
  for (; size + 16 <= most; size += 16) {
    if (const std::uint32_t bits = other_bits(same_at(size)); bits != 0)
      return size + static_cast<unsigned>(std::countr_zero(bits));
  }
#endif
  while (size < most && one[size] == other[size]) ++size;
  return size;
}

}  // namespace previct
