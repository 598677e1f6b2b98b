#pragma once

#include "base/descriptor.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

/// How the output of a program that previct starts is read, on every system.
namespace previct::system {

inline constexpr std::size_t kErrorsKept = 16'384;                  ///< bytes of standard error that are kept
inline constexpr std::size_t kMostErrors = std::size_t{16} << 20U;  ///< a program that writes more is ended
inline constexpr std::chrono::milliseconds kOutputGrace{500};       ///< after its end; all output is there by then
inline constexpr std::chrono::milliseconds kUntilWaitingNotice{5'000};

/// Appends what can be read now, but keeps at most `most` bytes in `into`. Returns the number of bytes read; none at
/// the end.
[[nodiscard]] auto read_some(const Descriptor& from, std::string& into, std::size_t most) -> std::optional<std::size_t>;

/// Measures how long a program has written almost nothing: a few bytes now and then do not count as progress.
class Silence {
 public:
  explicit Silence(std::chrono::milliseconds limit) : limit_(limit) {}

  void heard(std::size_t bytes) {
    constexpr std::size_t kProgress = 1024;
    heard_ += bytes;
    if (heard_ < kProgress) return;
    heard_ = 0;
    began_ = Clock::now();
  }
  [[nodiscard]] auto since() const -> std::chrono::milliseconds {
    return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - began_);
  }
  [[nodiscard]] auto left() const -> std::chrono::milliseconds {
    return std::max(limit_ - since(), std::chrono::milliseconds(0));
  }
  [[nodiscard]] auto is_over() const -> bool { return since() >= limit_; }

 private:
  using Clock = std::chrono::steady_clock;
  std::chrono::milliseconds limit_;
  Clock::time_point began_ = Clock::now();
  std::size_t heard_ = 0;
};

}  // namespace previct::system
