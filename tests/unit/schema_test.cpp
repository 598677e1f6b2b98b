// What is printed with -o json, and the suites of the fixtures, keep to schema/: asked of an independent validator.

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
  const std::string command = "env PATH='" PREVICT_BINARY_DIR "':\"$PATH\" " + python +
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

TEST_CASE("every document keeps to its schema", "[schema]") {
  auto [code, said] = check_with("python3");
  // Another Python may come first, for which Debian's packages are not there.
  if (code == kNoValidator || code == kNoPython) std::tie(code, said) = check_with("/usr/bin/python3");
  if (code == kNoValidator || code == kNoPython) {
    previct::test::skipped("python3-jsonschema or python3-yaml is not installed");
    return;
  }
  INFO(said);
  CHECK(code == 0);
}
