#pragma once

#include "base/instant.h"

#include <string>
#include <vector>

namespace previct::cli {

/// The whole program: parses the words of the command line (the first is the program's path), runs a command, prints
/// its report and returns the exit status. `clock` returns the time. No exception escapes: an exception of a library,
/// or of previct, is reported as a bug.
[[nodiscard]] auto run(const std::vector<std::string>& words, Instant (*clock)()) -> int;

}  // namespace previct::cli
