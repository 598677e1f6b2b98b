#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace previct {

/// Readable bytes that must follow every text that is scanned.
inline constexpr std::size_t kScanPadding = 64;

/// Where in 64 bytes something is: bit i stands for byte i.
struct Marks {
  std::uint64_t blanks = 0;
  std::uint64_t ends = 0;  ///< line feeds
  std::uint64_t colons = 0;
  std::uint64_t odd = 0;  ///< `#`, control characters but the line feed, DEL, and all that is not ASCII
};

#if defined(__SSE2__)

inline auto marks_at(const char* at) -> Marks {
  Marks marks;
  const __m128i blank = _mm_set1_epi8(' ');
  const __m128i end = _mm_set1_epi8('\n');
  const __m128i colon = _mm_set1_epi8(':');
  const __m128i hash = _mm_set1_epi8('#');
  const __m128i one = _mm_set1_epi8(1);
  const __m128i low = _mm_set1_epi8('!');
  const auto bits = [](__m128i found) {
    return static_cast<std::uint64_t>(static_cast<unsigned>(_mm_movemask_epi8(found)));
  };
#pragma GCC unroll 4
  for (unsigned i = 0; i < 4; ++i) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at) + i);
    const unsigned shift = 16 * i;
    marks.blanks |= bits(_mm_cmpeq_epi8(bytes, blank)) << shift;
    marks.ends |= bits(_mm_cmpeq_epi8(bytes, end)) << shift;
    marks.colons |= bits(_mm_cmpeq_epi8(bytes, colon)) << shift;
    // One more makes DEL and what is not ASCII negative, so that one comparison finds them with the controls.
    const __m128i outside = _mm_cmplt_epi8(_mm_add_epi8(bytes, one), low);
    marks.odd |= bits(_mm_or_si128(outside, _mm_cmpeq_epi8(bytes, hash))) << shift;
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

/// The same of line feeds and blanks alone.
struct LineMarks {
  std::uint64_t blanks = 0;
  std::uint64_t ends = 0;
};

inline auto line_marks_at(const char* at) -> LineMarks {
#if defined(__SSE2__)
  LineMarks marks;
  const __m128i blank = _mm_set1_epi8(' ');
  const __m128i end = _mm_set1_epi8('\n');
#pragma GCC unroll 4
  for (unsigned i = 0; i < 4; ++i) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at) + i);
    marks.blanks |= std::uint64_t{static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, blank)))} << 16 * i;
    marks.ends |= std::uint64_t{static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, end)))} << 16 * i;
  }
  return marks;
#else
  const Marks marks = marks_at(at);
  return {marks.blanks, marks.ends};
#endif
}

/// How many of the first `most` bytes are the same in both texts.
inline auto same_size(const char* one, const char* other, std::size_t most) -> std::size_t {
  std::size_t size = 0;
#if defined(__SSE2__)
  const auto same_at = [&](std::size_t at) {
    return _mm_cmpeq_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(one + at)),
                          _mm_loadu_si128(reinterpret_cast<const __m128i*>(other + at)));
  };
  const auto other_bits = [](__m128i same) { return static_cast<unsigned>(_mm_movemask_epi8(same)) ^ 0xffffU; };
  for (; size + 64 <= most; size += 64) {
    const __m128i first = _mm_and_si128(same_at(size), same_at(size + 16));
    const __m128i second = _mm_and_si128(same_at(size + 32), same_at(size + 48));
    if (other_bits(_mm_and_si128(first, second)) != 0) break;
  }
  for (; size + 16 <= most; size += 16) {
    if (const unsigned bits = other_bits(same_at(size)); bits != 0)
      return size + static_cast<unsigned>(std::countr_zero(bits));
  }
#endif
  while (size < most && one[size] == other[size]) ++size;
  return size;
}

}  // namespace previct
