#include "cli/terminal.h"

#include <catch2/catch.hpp>

#include <map>
#include <string>

using previct::cli::wants_color;

namespace {

std::map<std::string, std::string> variables;  // of the one environment below

auto environment(const char* name) -> const char* {
  const auto found = variables.find(name);
  return found == variables.end() ? nullptr : found->second.c_str();
}

}  // namespace

TEST_CASE("colors: flag over NO_COLOR, NO_COLOR over forced color, forced color over the rest", "[cli]") {
  struct Row {
    const char* flag;
    bool terminal;
    std::map<std::string, std::string> variables;
    bool color;
  };
  const Row rows[] = {{"auto", true, {}, true},
                      {"auto", false, {}, false},
                      {"always", false, {{"NO_COLOR", "1"}, {"TERM", "dumb"}}, true},
                      {"never", true, {{"CLICOLOR_FORCE", "1"}}, false},
                      {"auto", true, {{"NO_COLOR", "1"}, {"FORCE_COLOR", "1"}}, false},
                      {"auto", true, {{"NO_COLOR", ""}}, true},
                      {"auto", false, {{"CLICOLOR_FORCE", "1"}}, true},
                      {"auto", false, {{"FORCE_COLOR", "1"}, {"TERM", "dumb"}}, true},
                      {"auto", false, {{"CLICOLOR_FORCE", "0"}}, false},
                      {"auto", true, {{"CLICOLOR", "0"}}, false},
                      {"auto", true, {{"CLICOLOR", "1"}}, true},
                      {"auto", true, {{"TERM", "dumb"}}, false}};
  for (const Row& row : rows) {
    variables = row.variables;
    CHECK(wants_color(row.flag, row.terminal, environment) == row.color);
  }
}
