#pragma once

#include "cli/command.h"

#include <optional>

namespace previct::cli {

/// The commands that make sense after this answer, each with the flags that it needs to speak of the same state. After
/// "cannot tell", because the input lacks something: how to get it.
[[nodiscard]] auto next_steps(const Session& session, const Answer& answer, const Snapshot& cluster, Instant now)
    -> std::optional<Paragraph>;

}  // namespace previct::cli
