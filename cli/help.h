#pragma once

#include "cli/command.h"

namespace previct::cli {

/// `previct -h`: the list of commands.
[[nodiscard]] auto overview(std::string_view program) -> Report;

/// What the flag means for the command: `-o` lists the formats that the command can write.
[[nodiscard]] auto meaning_of(const Flag& flag, const Command& command) -> std::string;

/// `previct COMMAND -h` (one screen: examples first, then the flags by group) and `--help` (`longer`).
[[nodiscard]] auto help_on(const Command& command, std::string_view program, bool longer) -> Report;

}  // namespace previct::cli
