#pragma once

#include <string>

namespace previct::test {

[[nodiscard]] auto is_installed(const std::string& program) -> bool;

/// Returns true if a program that a test needs is installed. If not, the test is skipped: that is a failure if CI is
/// set; otherwise it is recorded in the file that `make test` shows at its end.
[[nodiscard]] auto has_program(const std::string& program) -> bool;

/// Records a part of the current test that cannot run here.
void skipped(const std::string& why);

}  // namespace previct::test
