#pragma once

#include <cstdlib>
#include <string>

namespace previct::test {

/// Returns the folder of the program that the tests run. tests/mutants/mutate.py names another one.
[[nodiscard]] inline auto program_folder() -> std::string {
  const char* const other = std::getenv("PREVICT_OTHER_BINARY_DIR");
  return other == nullptr ? PREVICT_BINARY_DIR : other;
}

}  // namespace previct::test
