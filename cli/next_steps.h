#pragma once

#include "cli/command.h"

#include <optional>

namespace previct::cli {

/// The commands that are useful after this answer, each with the flags for the same state. After an unknown outcome
/// because of missing input: how to get that input.
[[nodiscard]] auto next_steps(const Session& session, const Loaded& loaded, const Answer& answer,
                              const Snapshot& cluster, Instant now) -> std::optional<Paragraph>;

}  // namespace previct::cli
