#include "input/line_scan.h"

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define PREVICT_WIDE_REGISTERS
#endif

namespace previct {
namespace {

#if defined(PREVICT_WIDE_REGISTERS)

/// Marks for 64 bytes, one bit each.
struct WideMarks {
  std::uint64_t ends;
  std::uint64_t opens;
  std::uint64_t others;  ///< bytes after which a line would have another character in the column
};

[[gnu::target("avx2,bmi,popcnt")]] inline auto bits_of(__m256i low, __m256i high) -> std::uint64_t {
  const auto first = static_cast<std::uint32_t>(_mm256_movemask_epi8(low));
  const auto second = static_cast<std::uint32_t>(_mm256_movemask_epi8(high));
  return first | std::uint64_t{second} << 32U;
}

[[gnu::target("avx2,bmi,popcnt")]] auto pass_lines_wide(const char* at, const char* end, char open, LastLine last,
                                                        LineShape& shape) -> const char* {
  constexpr char kBraceOfBracket = '{' - '[';
  const __m256i feed = _mm256_set1_epi8('\n');
  const __m256i opening = _mm256_set1_epi8(open);
  const __m256i same = _mm256_set1_epi8(kBraceOfBracket);
  const __m256i within = _mm256_set1_epi8(last.within);
  LineShape passed = shape;
  const char* line = at;  // the last line that began
  std::uint64_t opened = 0;
  // All loads are before `end`, or in the padding after it.
  for (const char* const stop = end - last.column; at < stop; at += 64) {
    const auto* const bytes = reinterpret_cast<const __m256i*>(at);
    const auto* const behind = reinterpret_cast<const __m256i*>(at + last.column + 1);
    const __m256i low = _mm256_loadu_si256(bytes);
    const __m256i high = _mm256_loadu_si256(bytes + 1);
    std::uint64_t ends = bits_of(_mm256_cmpeq_epi8(low, feed), _mm256_cmpeq_epi8(high, feed));
    const std::uint64_t opens = bits_of(_mm256_cmpeq_epi8(_mm256_or_si256(low, same), opening),
                                        _mm256_cmpeq_epi8(_mm256_or_si256(high, same), opening));
    const std::uint64_t inner = bits_of(_mm256_cmpeq_epi8(_mm256_loadu_si256(behind), within),
                                        _mm256_cmpeq_epi8(_mm256_loadu_si256(behind + 1), within));
    const std::uint64_t found = ends & ~inner;
    if (found != 0) ends &= found ^ (found - 1);  // only up to the first one
    for (std::uint64_t after = ends & (opens << 1U | opened); after != 0; after &= after - 1)
      passed.opens(passed.lines + static_cast<std::uint32_t>(std::popcount(ends & ((after & -after) - 1))));
    passed.lines += static_cast<std::uint32_t>(std::popcount(ends));
    opened = opens >> 63U;
    if (ends != 0) line = at + (64 - std::countl_zero(ends));
    if (found != 0) break;
  }
  shape = passed;
  return line;
}

#endif

}  // namespace

auto pass_lines(const char* at, const char* end, char open, LastLine last, LineShape& shape) -> const char* {
#if defined(PREVICT_WIDE_REGISTERS)
  static const bool kWide = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("bmi") != 0 &&
                            __builtin_cpu_supports("popcnt") != 0;
  if (kWide && end - at > static_cast<std::ptrdiff_t>(last.column)) return pass_lines_wide(at, end, open, last, shape);
#endif
  return at;
}

}  // namespace previct
