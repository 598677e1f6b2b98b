#pragma once

#include "base/diagnostics.h"
#include "cli/command.h"

#include <string_view>

namespace previct::cli {

/// Does --assume name kinds (`none=PodDisruptionBudget,PriorityClass`) and not a file?
[[nodiscard]] auto names_kinds(std::string_view assume) -> bool;

/// The kinds of which it is known, though not by a list of their own, that the cluster has no objects: by --complete,
/// by --assume none=KIND, or because the input was made by the documented command. They count as listed, and the
/// session says why. Fails where --assume names a kind that nobody reads.
[[nodiscard]] auto take_kinds_as_none(Session& session) -> Result<void>;

}  // namespace previct::cli
