#include "cli/help.h"

#include "cli/command.h"

#include <array>

namespace previct::cli {
namespace {

constexpr std::array kTakes = {Group::output, Group::help};

auto run(Session& session) -> Result<Done> {
  if (session.options.arguments.empty()) return Done{overview(session.program)};
  PREVICT_TRY(const Command* command, find_command(session.options.arguments.front()));
  return Done{help_on(*command, session.program, true)};
}

constexpr Command kCommand = {.name = "help",
                              .what = "show what a command does, and its flags",
                              .arguments = "[COMMAND]",
                              .most_arguments = 1,
                              .groups = kTakes,
                              .examples = "help explain",
                              .more = "",
                              .run = run};

}  // namespace

const Command& help_command = kCommand;

}  // namespace previct::cli
