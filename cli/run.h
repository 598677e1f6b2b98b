#pragma once

#include "base/instant.h"
#include "cli/command.h"
#include "cli/output.h"

#include <string>
#include <vector>

namespace previct::cli {

/// Runs the command that `words` name (without the program), and fills `outputs`. Whoever calls this writes the report.
/// Every error before there is a report is a Failure.
[[nodiscard]] auto answer(Session& session, const std::vector<std::string>& words, std::vector<Output>& outputs)
    -> Result<CommandResult>;

/// The whole program: parses the words of the command line (the first is the program's path), runs a command, prints
/// its report and returns the exit status. `clock` returns the time. No exception escapes: an exception of a library,
/// or of previct, is reported as a bug. `kept`: for several runs that share what they read; null: it is the only one.
[[nodiscard]] auto run(const std::vector<std::string>& words, Instant (*clock)(), KeptInputs* kept = nullptr) -> int;

}  // namespace previct::cli
