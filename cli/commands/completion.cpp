#include "cli/command.h"
#include "cli/completion_scripts.h"

#include <fmt/format.h>

#include <array>

namespace previct::cli {
namespace {

constexpr std::array kTakes = {Group::output, Group::help};

auto run(Session& session) -> Result<Done> {
  const std::string shell =
      session.options.arguments.empty() ? std::string() : session.options.arguments.front();
  for (const CompletionScript& script : completion_scripts()) {
    if (script.shell != shell) continue;
    Done done;
    std::string_view rest = script.text;
    while (!rest.empty()) {
      const std::size_t end = rest.find('\n');
      done.report.blocks.emplace_back(Line{{{std::string(rest.substr(0, end))}}});
      rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    }
    done.report.data = {{"apiVersion", "previct/v1alpha1"},
                        {"kind", "Completion"},
                        {"shell", script.shell},
                        {"script", script.text}};
    done.report.names = {shell};
    return done;
  }
  return fail(shell.empty() ? std::string("no shell named") : fmt::format("no completion for \"{}\"", shell), {},
              fmt::format("{} completion bash, zsh, fish or kubectl", session.program));
}

constexpr Command kCommand = {
    .name = "completion",
    .what = "the script that makes a shell complete previct with TAB",
    .arguments = "bash|zsh|fish|kubectl",
    .most_arguments = 1,
    .groups = kTakes,
    .examples = "completion bash      source it: source <(previct completion bash)\n"
                "completion kubectl   as kubectl_complete-previct in PATH it completes kubectl previct",
    .more =
        "Packages install all of them. Pods, nodes, namespaces, classes and queues come from the files that -f "
        "names on the line, if they can be read within 300 ms.",
    .run = run};

}  // namespace

const Command& completion_command = kCommand;

}  // namespace previct::cli
