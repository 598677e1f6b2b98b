#include "base/text.h"
#include "cli/command.h"
#include "engine/engine.h"

#include <fmt/format.h>

#include <array>

namespace previct::cli {
namespace {

constexpr std::array kTakes = {Group::output, Group::help};

auto run(Session& session) -> Result<Done> {
  Done done;
  std::vector<std::string> names;
  for (const Engine* engine : engines()) names.emplace_back(engine->name());
  done.report.blocks.emplace_back(Line{{{"previct " PREVICT_VERSION}}});
  if (session.options.verbose) {
    done.report.blocks.emplace_back(Line{{{fmt::format("engines: {}", joined(names, ", "))}}});
    done.report.blocks.emplace_back(Line{{{"compiler: g++ " __VERSION__}}});
  }
  done.report.data = {{"apiVersion", "previct/v1alpha1"},
                      {"kind", "Version"},
                      {"version", PREVICT_VERSION},
                      {"compiler", "g++ " __VERSION__},
                      {"engines", names}};
  done.report.names = {PREVICT_VERSION};
  return done;
}

constexpr Command kCommand = {.name = "version",
                              .what = "which previct this is; -v: with its engines",
                              .arguments = "",
                              .most_arguments = 0,
                              .groups = kTakes,
                              .examples = "version\nversion -o json",
                              .more = "",
                              .run = run};

}  // namespace

const Command& version_command = kCommand;

}  // namespace previct::cli
