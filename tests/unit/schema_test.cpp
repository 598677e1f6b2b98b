// What is printed with -o json, and the suites of the fixtures, keep to schema/: asked of an independent validator.

#include <catch2/catch.hpp>

#include <cstdio>
#include <cstdlib>
#include <string>

#include <sys/wait.h>

TEST_CASE("every document keeps to its schema", "[schema]") {
  const std::string command = "env PATH='" PREVICT_BINARY_DIR "':\"$PATH\" python3 '" PREVICT_SOURCE_DIR
                              "/tests/schema/check.py' '" PREVICT_SOURCE_DIR "' 2>&1";
  FILE* const pipe = popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::string said;
  char buffer[4096];
  for (std::size_t n = 0; (n = fread(buffer, 1, sizeof buffer, pipe)) > 0;) said.append(buffer, n);
  const int status = pclose(pipe);
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 255;
  constexpr int kNoValidator = 77;
  constexpr int kNoPython = 127;
  if (code == kNoValidator || code == kNoPython) {
    WARN("skipped: python3-jsonschema is not installed");
    return;
  }
  INFO(said);
  CHECK(code == 0);
}
