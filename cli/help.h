#pragma once

#include "cli/command.h"

namespace previct::cli {

/// `previct -h`: the list of commands.
[[nodiscard]] auto overview(std::string_view program) -> Report;

/// `previct COMMAND -h` (one screen: examples first, then the flags by group) and `--help` (`longer`).
[[nodiscard]] auto help_on(const Command& command, std::string_view program, bool longer) -> Report;

}  // namespace previct::cli
