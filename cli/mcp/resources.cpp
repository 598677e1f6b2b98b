#include "cli/mcp/resources.h"

#include "cli/command.h"
#include "cli/help.h"
#include "cli/output.h"
#include "cli/run.h"

#include <fmt/format.h>

#include <string_view>
#include <vector>

namespace previct::cli::mcp {
namespace {

constexpr std::string_view kRules = "previct://rules";
constexpr std::string_view kCommands = "previct://commands";

auto described(std::string uri, std::string name, std::string_view description) -> Json {
  return {
      {"uri", std::move(uri)}, {"name", std::move(name)}, {"description", description}, {"mimeType", "text/markdown"}};
}

auto in_markdown(const Report& report) -> std::string {
  return find_format("md")->render(report, {});
}

// The rule, family of rules or reason with this ID; empty: all rules.
auto text_of_rule(const std::string& id) -> std::optional<std::string> {
  if (id.starts_with('-')) return {};
  Session session;
  std::vector<Output> outputs;
  std::vector<std::string> words = {"rules"};
  if (!id.empty()) words.push_back(id);
  const Result<CommandResult> done = answer(session, words, outputs);
  return done ? std::optional(in_markdown(done->report)) : std::nullopt;
}

auto text_of_command(const std::string& name) -> std::optional<std::string> {
  const auto command = find_command(name);
  return command ? std::optional(in_markdown(help_on(**command, "previct", true))) : std::nullopt;
}

}  // namespace

auto resource_list() -> Json {
  Json list = Json::array();
  list.push_back(described(std::string(kRules), "rules", "all rules of lint, one per line"));
  for (const Command* command : commands())
    list.push_back(
        described(fmt::format("{}/{}", kCommands, command->name), std::string(command->name), command->what));
  return {{"resources", std::move(list)}};
}

auto resource_templates() -> Json {
  Json list = Json::array();
  list.push_back({{"uriTemplate", fmt::format("{}/{{id}}", kRules)},
                  {"name", "rule"},
                  {"description",
                   "a rule of lint, a family of rules, or a reason of a verdict: PT004, PT, "
                   "kube.tolerance.runs"},
                  {"mimeType", "text/markdown"}});
  return {{"resourceTemplates", std::move(list)}};
}

auto resource_text(const std::string& uri) -> std::optional<std::string> {
  const std::size_t slash = uri.find('/', std::string_view("previct://").size());
  const std::string_view head = std::string_view(uri).substr(0, slash);
  const std::string rest = slash == std::string::npos ? "" : uri.substr(slash + 1);
  if (head == kRules && (slash == std::string::npos) == rest.empty()) return text_of_rule(rest);
  if (head == kCommands) return text_of_command(rest);
  return {};
}

}  // namespace previct::cli::mcp
