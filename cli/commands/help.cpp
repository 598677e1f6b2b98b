#include "cli/help.h"

#include "cli/command.h"

#include <array>

namespace previct::cli {
namespace {

constexpr std::array kHelpTakes = {Group::output, Group::help};

auto run_help(Session& session) -> Result<CommandResult> {
  if (session.options.arguments.empty()) return CommandResult{overview(session.program)};
  PREVICT_TRY(const Command* command, find_command(session.options.arguments.front()));
  return CommandResult{help_on(*command, session.program, true)};
}

}  // namespace

const Command& help_command = Command{.name = "help",
                                      .task = Task::program,
                                      .what = "show the help of a command",
                                      .arguments = "[COMMAND]",
                                      .most_arguments = 1,
                                      .groups = kHelpTakes,
                                      .examples = "help explain",
                                      .more = "",
                                      .run = run_help};

}  // namespace previct::cli
