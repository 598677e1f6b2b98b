#pragma once

#include "base/diagnostics.h"
#include "cli/command.h"

#include <string_view>

namespace previct::cli {

/// Returns true if --assume names kinds (`none=PodDisruptionBudget,PriorityClass`) and not a file.
[[nodiscard]] auto names_kinds(std::string_view assume) -> bool;

/// Determines the kinds that have no objects in the cluster although no list shows that: by --complete, by --assume
/// none=KIND, or because the input was created by the documented command. They count as listed, and the result has the
/// reasons. Fails if --assume names a kind that no engine reads.
[[nodiscard]] auto assume_absent_kinds(const Options& options, Objects& objects) -> Result<std::vector<Gap>>;

}  // namespace previct::cli
