#pragma once

#include "base/diagnostics.h"
#include "base/sanitizer.h"

#include <atomic>
#include <cstdint>

namespace previct {

/// Bytes of memory that this process takes up; 0 if the system does not tell.
[[nodiscard]] auto resident_memory() -> std::uint64_t;

/// Bounds the memory that reading takes: what a few megabytes unpack to may be a thousand times as large, and what is
/// kept of it larger still. May be asked by several threads.
class MemoryGuard {
 public:
  /// `most`: bytes of memory; 0: 640 MiB, and four times what comes in before it is unpacked, which the largest
  /// clusters do not take. What grows may for a moment take up half as much again.
  explicit MemoryGuard(std::uint64_t most) : most_(most) {}

  /// An input of so many bytes is about to be read.
  void came_in(std::uint64_t bytes) { came_in_ += bytes; }

  [[nodiscard]] auto limit() const -> std::uint64_t { return most_ != 0 ? most_ : kLeast + 4 * came_in_; }

  /// `bytes` more were read; false if the memory is beyond the limit. Looks at it now and then.
  [[nodiscard]] auto allows(std::uint64_t bytes) -> bool;
  [[nodiscard]] auto exceeded() const -> bool { return exceeded_; }

  [[nodiscard]] auto failure(FileId file) const -> Failure;

 private:
  // The address sanitizer takes several times as much.
  static constexpr std::uint64_t kLeast = std::uint64_t{PREVICT_ADDRESS_SANITIZER ? 8 * 640 : 640} << 20U;
  static constexpr std::uint64_t kStep = std::uint64_t{2} << 20U;

  std::uint64_t most_;
  std::uint64_t came_in_ = 0;
  std::atomic<std::uint64_t> read_ = 0;
  std::atomic<bool> exceeded_ = false;
};

}  // namespace previct
