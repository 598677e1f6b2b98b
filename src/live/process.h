#pragma once

#include "base/diagnostics.h"

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace previct::live {

/// Bounds on a program that is run: it is killed when it exceeds them.
struct Patience {
  std::chrono::milliseconds silence{60'000};         ///< how long it may say nothing
  std::size_t most_bytes = std::size_t{512} << 20U;  ///< of its standard output
};

/// What a program left.
struct Finished {
  int status = 0;  ///< exit status; 128 + signal if one ended it
  std::string out;
  std::string errors;  ///< the beginning of its standard error, 16 KiB at most; raw
  bool held = false;   ///< a program that it left behind still has its output open, and is not waited for
};

/// The executable file `name` in the folders of `path` (the value of PATH). Empty folders, which would mean the working
/// folder, are passed over. A name with a slash is a file itself.
[[nodiscard]] auto find_program(const std::string& name, std::string_view path) -> Result<std::string>;

/// Runs the file `program` with `arguments`, each handed over as it is: no shell sees them. Standard input is empty,
/// the environment our own. Once it has ended, what it has said is taken, whoever else has its output open. Errors: it
/// cannot be started; it says nothing for too long, or too much.
[[nodiscard]] auto run_program(const std::string& program, const std::vector<std::string>& arguments,
                               const Patience& patience) -> Result<Finished>;

}  // namespace previct::live
