#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#define PREVICT_SIXTEEN_BYTES
#elif defined(__wasm_simd128__)
#define PREVICT_SIXTEEN_BYTES
#endif

namespace previct {

#if defined(PREVICT_SIXTEEN_BYTES)

/// 16 bytes in a register of the processor, which are compared at the same time. The result of a comparison has all or
/// no bits of each byte set.
class SixteenBytes {
 public:
  [[gnu::always_inline]] static auto at(const char* bytes) -> SixteenBytes {
    Bytes read;
    std::memcpy(&read, bytes, sizeof read);
    return SixteenBytes(read);
  }
  [[gnu::always_inline]] static auto all(char byte) -> SixteenBytes {
    return SixteenBytes(Bytes{} + static_cast<unsigned char>(byte));
  }

  /// Bit i stands for byte i.
  [[nodiscard, gnu::always_inline]] auto bits() const -> std::uint32_t {
#if defined(__SSE2__)
    return static_cast<std::uint32_t>(_mm_movemask_epi8(std::bit_cast<__m128i>(bytes_)));
#else
    return __builtin_wasm_bitmask_i8x16(std::bit_cast<SignedBytes>(bytes_));
#endif
  }

  [[gnu::always_inline]] friend auto operator==(SixteenBytes a, SixteenBytes b) -> SixteenBytes {
    return SixteenBytes(std::bit_cast<Bytes>(a.bytes_ == b.bytes_));
  }
  /// As signed numbers: bytes that are not ASCII are negative.
  [[gnu::always_inline]] friend auto operator<(SixteenBytes a, SixteenBytes b) -> SixteenBytes {
    return SixteenBytes(
        std::bit_cast<Bytes>(std::bit_cast<SignedBytes>(a.bytes_) < std::bit_cast<SignedBytes>(b.bytes_)));
  }
  [[gnu::always_inline]] friend auto operator|(SixteenBytes a, SixteenBytes b) -> SixteenBytes {
    return SixteenBytes(a.bytes_ | b.bytes_);
  }
  [[gnu::always_inline]] friend auto operator&(SixteenBytes a, SixteenBytes b) -> SixteenBytes {
    return SixteenBytes(a.bytes_ & b.bytes_);
  }
  [[gnu::always_inline]] friend auto operator+(SixteenBytes a, SixteenBytes b) -> SixteenBytes {
    return SixteenBytes(a.bytes_ + b.bytes_);
  }

 private:
  using Bytes [[gnu::vector_size(16)]] = unsigned char;
  using SignedBytes [[gnu::vector_size(16)]] = signed char;

  [[gnu::always_inline]] explicit SixteenBytes(Bytes bytes) : bytes_(bytes) {}

  Bytes bytes_;
};

#endif

}  // namespace previct
