// The output of -o json, and the suites of the fixtures, are valid by schema/, as an independent validator confirms.

#include "support/program.h"
#include "support/skipped.h"

#include <catch2/catch.hpp>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <tuple>
#include <utility>

#include <sys/wait.h>

namespace {

constexpr int kNoValidator = 77;
constexpr int kNoPython = 127;

auto check_with(const std::string& python) -> std::pair<int, std::string> {
  const std::string command = "env PATH='" + previct::test::program_folder() + "':\"$PATH\" " + python +
                              " '" PREVICT_SOURCE_DIR "/tests/schema/check.py' '" PREVICT_SOURCE_DIR "' 2>&1";
  FILE* const pipe = popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::string said;
  char buffer[4096];
  for (std::size_t n = 0; (n = fread(buffer, 1, sizeof buffer, pipe)) > 0;) said.append(buffer, n);
  const int status = pclose(pipe);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 255, said};
}

}  // namespace

TEST_CASE("schema: every document is valid", "[schema]") {
  auto [code, said] = check_with("python3");
  // Another Python, without Debian's packages, may come first in PATH.
  if (code == kNoValidator || code == kNoPython) std::tie(code, said) = check_with("/usr/bin/python3");
  if (code == kNoValidator || code == kNoPython) {
    previct::test::skipped("python3-jsonschema or python3-yaml is not installed");
    return;
  }
  INFO(said);
  CHECK(code == 0);
}
