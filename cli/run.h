#pragma once

#include "base/instant.h"

#include <string>
#include <vector>

namespace previct::cli {

/// The whole program: reads the words of the command line (the first is the program's path), runs a command,
/// prints what it says and returns the exit status. `clock` tells the time. No exception leaves it: of a library, as of
/// ourselves, it is a bug.
[[nodiscard]] auto run(const std::vector<std::string>& words, Instant (*clock)()) -> int;

}  // namespace previct::cli
