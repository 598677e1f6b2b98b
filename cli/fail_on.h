#pragma once

#include "analysis/explanation.h"
#include "cli/exit_codes.h"

#include <optional>
#include <string>
#include <vector>

namespace previct::cli {

/// The conditions of --fail-on.
struct FailOn {
  std::vector<std::string> outcomes;
  bool incomplete = false;
  std::optional<std::int64_t> victim_priority;  ///< a victim of at least this priority
  std::optional<std::int64_t> changes_within;   ///< nanoseconds from now
};

[[nodiscard]] auto fail_on_of(const std::vector<std::string>& words) -> Result<FailOn>;

/// The status of a run that gave these answers.
[[nodiscard]] auto status_of(const std::vector<Answer>& answers, const Grounds& grounds,
                             const FailOn& fail_on, bool strict) -> ExitCode;

}  // namespace previct::cli
