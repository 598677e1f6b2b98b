#pragma once

#include "cli/command.h"

#include <chrono>
#include <functional>
#include <string_view>

namespace previct::cli {

/// What --every does between two captures.
struct Repetition {
  /// Writes a line about the capture; returns false if that is not possible.
  std::function<bool(std::string_view line)> print;
  /// Waits until this time after the beginning of the last capture; returns false to end.
  std::function<bool(std::chrono::steady_clock::time_point begin, std::chrono::nanoseconds interval)> wait;
};

/// capture --series: adds the state of the cluster, or of each -f, to the series; with --every, again and again, until
/// a signal ends the program.
[[nodiscard]] auto capture_series(Session& session) -> Result<CommandResult>;
[[nodiscard]] auto capture_series(Session& session, const Repetition& repetition) -> Result<CommandResult>;

}  // namespace previct::cli
