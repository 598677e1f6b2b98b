#pragma once

#include "cli/command.h"

namespace previct::cli {

/// explain --message: explains a scheduler's message from its text alone.
[[nodiscard]] auto explain_message(const Session& session) -> Result<CommandResult>;

}  // namespace previct::cli
