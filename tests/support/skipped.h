#pragma once

#include <string>

namespace previct::test {

/// Is a program there that a test needs? Where it is not, the test is skipped: that fails where CI is set, and is noted
/// elsewhere in the file that `make test` shows at its end.
[[nodiscard]] auto has_program(const std::string& program) -> bool;

/// A part of the current test that cannot run here.
void skipped(const std::string& why);

}  // namespace previct::test
