#pragma once

#include "cli/command.h"

namespace previct::cli {

/// explain --message: what a scheduler's message says, from the text alone.
[[nodiscard]] auto explain_message(const Session& session) -> Result<CommandResult>;

}  // namespace previct::cli
