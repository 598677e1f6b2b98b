#include "base/text.h"
#include "cli/command.h"
#include "cli/completion_scripts.h"

#include <fmt/format.h>

#include <array>

namespace previct::cli {
namespace {

constexpr std::array kCompletionTakes = {Group::output, Group::help};

auto run_completion(Session& session) -> Result<CommandResult> {
  const std::string shell = session.options.arguments.empty() ? std::string() : session.options.arguments.front();
  for (const CompletionScript& script : completion_scripts()) {
    if (script.shell != shell) continue;
    CommandResult done;
    Paragraph lines;
    std::string_view rest = script.text;
    while (!rest.empty()) {
      const std::size_t end = rest.find('\n');
      lines.lines.push_back({{{std::string(rest.substr(0, end))}}});
      rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    }
    done.report.blocks.emplace_back(std::move(lines));
    done.report.data = {
        {"apiVersion", "previct/v1alpha1"}, {"kind", "Completion"}, {"shell", script.shell}, {"script", script.text}};
    done.report.names = {shell};
    return done;
  }
  const std::string help = fmt::format("{} completion bash, zsh, fish, powershell or kubectl", session.program);
  if (shell.empty()) return fail("no shell named", {}, help);
  std::vector<std::string> shells;
  for (const CompletionScript& script : completion_scripts()) shells.emplace_back(script.shell);
  const auto meant = nearest(shell, shells);
  return fail(
      fmt::format("no completion script for \"{}\"{}", shell, meant ? fmt::format("; did you mean {}?", *meant) : ""),
      {}, help);
}

}  // namespace

const Command& completion_command =
    Command{.name = "completion",
            .task = Task::program,
            .what = "print the completion script for a shell",
            .arguments = "bash|zsh|fish|powershell|kubectl",
            .most_arguments = 1,
            .groups = kCompletionTakes,
            .examples =
                "completion bash         source it: source <(previct completion bash)\n"
                "completion powershell   run it: previct completion powershell | Out-String | Invoke-Expression\n"
                "completion kubectl      save it as kubectl_complete-previct in PATH",
            .more =
                "Packages install these scripts. Pods, nodes, namespaces, classes and queues are "
                "completed from the files in -f, if these can be read within 300 ms.",
            .run = run_completion};

}  // namespace previct::cli
