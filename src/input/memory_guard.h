#pragma once

#include "base/diagnostics.h"
#include "base/sanitizer.h"

#include <atomic>
#include <cstdint>

namespace previct {

/// Limits the memory that reading uses: a few megabytes may unpack to a thousand times their size, and the objects that
/// are kept may be larger still. Thread-safe.
class MemoryGuard {
 public:
  /// `most`: bytes of memory. 0: 640 MiB, plus four times the size of the inputs before unpacking, which the largest
  /// clusters do not reach. A growing container may temporarily use half as much again.
  explicit MemoryGuard(std::uint64_t most) : most_(most) {}

  /// Announces an input of this size that is about to be read.
  void add_input_bytes(std::uint64_t bytes) { came_in_ += bytes; }

  [[nodiscard]] auto limit() const -> std::uint64_t { return most_ != 0 ? most_ : kLeast + 4 * came_in_; }

  /// Reports that `bytes` more were read. Returns false if the memory is beyond the limit, which is checked from time
  /// to time.
  [[nodiscard]] auto allows(std::uint64_t bytes) -> bool;
  [[nodiscard]] auto exceeded() const -> bool { return exceeded_; }

  [[nodiscard]] auto failure(FileId file) const -> Failure;

 private:
  // The address sanitizer needs several times as much.
  static constexpr std::uint64_t kLeast = std::uint64_t{PREVICT_ADDRESS_SANITIZER ? 8 * 640 : 640} << 20U;
  static constexpr std::uint64_t kStep = std::uint64_t{2} << 20U;

  std::uint64_t most_;
  std::uint64_t came_in_ = 0;
  std::atomic<std::uint64_t> read_ = 0;
  std::atomic<bool> exceeded_ = false;
};

}  // namespace previct
