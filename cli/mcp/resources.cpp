#include "cli/mcp/resources.h"

#include "cli/command.h"
#include "cli/help.h"
#include "cli/mcp/pages.h"
#include "cli/output.h"
#include "cli/run.h"
#include "tell/words_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

namespace previct::cli::mcp {
namespace {

constexpr std::string_view kGlossary = "previct://glossary";
constexpr std::string_view kRules = "previct://rules";
constexpr std::string_view kWords = "previct://words";
constexpr std::string_view kCommands = "previct://commands";
constexpr std::string_view kPages = "previct://docs";

auto described(std::string uri, std::string_view name, std::string_view description) -> Json {
  return {{"uri", std::move(uri)}, {"name", name}, {"description", description}, {"mimeType", "text/markdown"}};
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

auto find_page(std::string_view name) -> const DocumentationPage* {
  const auto& all = pages();
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& page) { return page.name == name; });
  return found == all.end() ? nullptr : &*found;
}

auto text_of_page(std::string_view name) -> std::optional<std::string> {
  const DocumentationPage* const page = find_page(name);
  return page == nullptr ? std::nullopt : std::optional(std::string(page->text));
}

// The words of answers stand in a section of README.md.
auto glossary() -> std::optional<std::string> {
  const DocumentationPage* const readme = find_page("README");
  constexpr std::string_view kHead = "## How to read an answer\n";
  const std::size_t begin = readme == nullptr ? std::string_view::npos : readme->text.find(kHead);
  if (begin == std::string_view::npos) return {};
  const std::size_t end = readme->text.find("\n## ", begin);
  return std::string(readme->text.substr(begin, end == std::string_view::npos ? end : end + 1 - begin));
}

// `# Compare scores`
auto title_of(std::string_view text) -> std::string_view {
  const std::string_view first = text.substr(0, text.find('\n'));
  return first.substr(std::min(first.find_first_not_of("# "), first.size()));
}

}  // namespace

auto resource_list() -> Json {
  Json list = Json::array();
  if (glossary())
    list.push_back(described(std::string(kGlossary), "glossary", "how to read an answer, and what its words mean"));
  list.push_back(described(std::string(kRules), "rules", "all rules of lint, one per line"));
  list.push_back(described(std::string(kWords), "words", "all reasons of verdicts, and all that answers may not know"));
  for (const Command* command : commands())
    list.push_back(described(fmt::format("{}/{}", kCommands, command->name), command->name, command->what));
  for (const DocumentationPage& page : pages())
    list.push_back(described(fmt::format("{}/{}", kPages, page.name), page.name, title_of(page.text)));
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
  if (head == kPages) return text_of_page(rest);
  if (uri == kWords) return words_page();
  if (uri == kGlossary) return glossary();
  return {};
}

}  // namespace previct::cli::mcp
