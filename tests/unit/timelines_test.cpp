// Compares the simulation with timelines of real control planes.
#include "support/program.h"
#include "support/skipped.h"

#include <catch2/catch.hpp>

#include <array>
#include <cstdio>
#include <filesystem>
#include <string>

#include <sys/wait.h>

TEST_CASE("timelines: recorded ones are simulated as they happened", "[timelines][agreement]") {
  std::string folders = "'" PREVICT_SOURCE_DIR "/fixtures/timelines'";
  const std::filesystem::path more = PREVICT_SOURCE_DIR "/../shared/cases-3/live";
  if (std::filesystem::exists(more)) folders += " '" + more.string() + "'";
  const std::string command = "env PATH='" + previct::test::program_folder() +
                              "':\"$PATH\" python3 '" PREVICT_SOURCE_DIR "/tests/timelines/check.py' " + folders +
                              " 2>&1";
  FILE* const pipe = popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::string said;
  std::array<char, 4096> buffer{};
  for (std::size_t n = 0; (n = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) said.append(buffer.data(), n);
  const int status = pclose(pipe);
  constexpr int kNoPython = 127;
  if (WIFEXITED(status) && WEXITSTATUS(status) == kNoPython) {
    previct::test::skipped("python3 is not installed");
    return;
  }
  INFO(said);
  CHECK(status == 0);
}
