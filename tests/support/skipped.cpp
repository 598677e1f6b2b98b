#include "support/skipped.h"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <fstream>

namespace previct::test {

auto is_installed(const std::string& program) -> bool {
  return std::system(("command -v " + program + " > /dev/null").c_str()) == 0;
}

auto has_program(const std::string& program) -> bool {
  if (is_installed(program)) return true;
  skipped(program + " is not installed");
  return false;
}

void skipped(const std::string& why) {
  const std::string what = Catch::getResultCapture().getCurrentTestName() + ": " + why;
  const char* const ci = std::getenv("CI");
  if (ci != nullptr && *ci != '\0') FAIL("skipped: " << why);
  WARN("skipped: " << why);
  std::ofstream(PREVICT_BINARY_DIR "/tests/skipped.txt", std::ios::app) << what << '\n';
}

}  // namespace previct::test
