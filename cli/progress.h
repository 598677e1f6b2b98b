#pragma once

#include "base/progress.h"

#include <chrono>
#include <string>

namespace previct::cli {

/// A progress line on stderr that overwrites itself: `reading dump.yaml  81/138 MB  59%`. It appears after 0.7 s and is
/// erased at the end.
class ProgressLine final : public Progress {
 public:
  /// `width`: columns of the terminal; 0: no terminal, so nothing is shown.
  explicit ProgressLine(std::size_t width) : width_(width), start_(Clock::now()), next_(start_ + kDelay) {}
  ProgressLine(const ProgressLine&) = delete;
  auto operator=(const ProgressLine&) -> ProgressLine& = delete;
  ~ProgressLine() override;

  void at(std::string_view name, std::uint64_t done, std::uint64_t total) override;

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds kDelay{700};
  static constexpr std::chrono::milliseconds kStep{100};

  std::size_t width_;
  Clock::time_point start_;
  Clock::time_point next_;
  bool shown_ = false;
};

/// The text of the line: `reading dump.yaml  81/138 MB  59%`, truncated to `width` columns: first the directories of
/// the name, then the name.
[[nodiscard]] auto progress_words(std::string_view name, std::uint64_t done, std::uint64_t total, std::size_t width)
    -> std::string;

/// Prints the duration of each phase on stderr, if requested (`-v`).
class Phases {
 public:
  void wanted(bool wanted) { wanted_ = wanted; }
  /// Ends a phase: `read 2 inputs, 138 MB: 0.41 s`.
  void end(std::string_view what);

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  bool wanted_ = false;
};

}  // namespace previct::cli
