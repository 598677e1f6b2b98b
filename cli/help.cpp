#include "cli/help.h"

#include "base/ascii.h"
#include "base/text.h"
#include "cli/app.h"
#include "cli/output.h"
#include "report/rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace previct::cli {
namespace {

auto text_line(std::string text) -> Line {
  return {{{std::move(text)}}};
}

auto lines_of(std::string_view text) -> std::vector<std::string_view> {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

auto spelling(const Flag& flag) -> std::string {
  std::string text = flag.letter != 0 ? fmt::format("-{}", flag.letter) : std::string("   ");
  if (!flag.name.empty()) text += fmt::format("{} --{}", flag.letter != 0 ? "," : "", flag.name);
  if (!flag.value.empty()) text += fmt::format(" {}", flag.value);
  return text;
}

auto flag_json(const Flag& flag, const Command& command) -> Json {
  Json json = Json::object();
  if (flag.letter != 0) json["letter"] = std::string(1, flag.letter);
  if (!flag.name.empty()) json["name"] = flag.name;
  if (!flag.value.empty()) json["value"] = flag.value;
  json["what"] = meaning_of(flag, command);
  return json;
}

// Parses `COMMAND    what it does` lines, with at least two blanks in between.
auto examples_of(const Command& command, std::string_view program) -> Table {
  return table_of(lines_of(command.examples), [&](Row& row, std::string_view line) {
    const std::size_t gap = std::min(line.find("  "), line.size());
    const std::size_t what = std::min(line.find_first_not_of(' ', gap), line.size());
    row.text("EXAMPLE", fmt::format("{} {}", program, line.substr(0, gap)));
    row.text("WHAT IT DOES", line.substr(what));
  });
}

}  // namespace

auto task_title(Task task) -> std::string_view {
  switch (task) {
    case Task::explain: return "EXPLAIN";
    case Task::plan: return "PLAN";
    case Task::guard: return "GUARD";
    case Task::review: return "REVIEW";
    case Task::files: return "FILES";
    case Task::program: break;
  }
  return "";
}

auto overview(std::string_view program) -> Report {
  Report report;
  report.blocks.emplace_back(
      text_line("previct predicts evictions: which pods a scheduler would preempt, on which node, why, and until when "
                "the others are safe. It never writes to a cluster."));
  report.blocks.emplace_back(
      Paragraph{"",
                {text_line(fmt::format("{} capture --to state.jsonl.zst", program)),
                 text_line(fmt::format("{} explain -f state.jsonl.zst ml/train-big-0", program))}});
  std::vector<const Command*> by_task = commands();
  std::stable_sort(by_task.begin(), by_task.end(),
                   [](const Command* a, const Command* b) { return a->task < b->task; });
  Task last = Task::program;
  const auto describe = [&](Row& row, const Command* command) {
    const std::string title(task_title(command->task));
    const auto once = [&] {
      return Cell(std::exchange(last, command->task) == command->task ? "" : title, Tone::verdict);
    };
    row.key("name", command->name);
    row.text("FOR", once).key("task", lower_case(title));
    row.text("COMMAND", command->name);
    row.text("WHAT IT DOES", command->what).key("what");
  };
  report.data = {{"apiVersion", "previct/v1alpha1"}, {"kind", "Help"}, {"commands", list_of(by_task, describe)}};
  for (const Command* command : by_task) report.names.emplace_back(command->name);
  std::vector<std::string> others;
  std::erase_if(by_task, [&](const Command* command) {
    if (command->task == Task::program) others.emplace_back(command->name);
    return command->task == Task::program;
  });
  Table table = table_of(by_task, describe);
  table.footer.push_back(
      text_line(fmt::format("and {}; see {} COMMAND -h, and man previct", joined(others, ", "), program)));
  table.footer.push_back(text_line(fmt::format("documentation: {}", PREVICT_HOMEPAGE)));
  report.blocks.emplace_back(std::move(table));
  report.brief = report.blocks;  // help is never shortened
  return report;
}

auto meaning_of(const Flag& flag, const Command& command) -> std::string {
  if (flag.field != Flag::Field(&Options::outputs)) return std::string(flag.what);
  std::vector<std::string> names;
  for (const Format* format : output_formats_of(command.judges != nullptr)) {
    if (format != &app_format()) names.emplace_back(format->name);
  }
  return fmt::format("{}: {}", joined(names, ", "), flag.what);
}

auto help_on(const Command& command, std::string_view program, bool longer) -> Report {
  Report report;
  report.blocks.emplace_back(text_line(fmt::format("{} {}: {}", program, command.name, command.what)));
  if (!command.examples.empty()) report.blocks.emplace_back(examples_of(command, program));
  report.blocks.emplace_back(
      Paragraph{"USAGE",
                {text_line(fmt::format("{} {}{}{} [flags]", program, command.name, command.arguments.empty() ? "" : " ",
                                       command.arguments))}});
  if (longer) {
    for (const std::string_view paragraph : lines_of(command.more)) {
      report.blocks.emplace_back(Paragraph{"", {text_line(std::string(paragraph))}});
    }
  }
  report.data = {{"apiVersion", "previct/v1alpha1"},
                 {"kind", "Help"},
                 {"command", command.name},
                 {"what", command.what},
                 {"flags", Json::array()}};
  struct Entry {
    Cell flag;
    std::string meaning{};
  };
  std::vector<Entry> entries;
  std::size_t rare = 0;
  for (const Group group : command.groups) {
    if (longer) entries.push_back({{group_title(group), Tone::verdict}});
    for (const Flag& flag : flags()) {
      if (flag.group != group) continue;
      if (!longer && group == Group::connection) {
        // A dozen flags that every user of kubectl knows share one line in the short help.
        if (flag.name == "context")
          entries.push_back({spelling(flag), "the cluster to read; --kubeconfig, --as ... as in kubectl"});
      } else if (!longer && flag.rare) {
        ++rare;
      } else {
        entries.push_back({spelling(flag), meaning_of(flag, command)});
        if (longer && !flag.more.empty()) entries.back().meaning += fmt::format(". {}", flag.more);
      }
      report.data["flags"].push_back(flag_json(flag, command));
      if (!flag.name.empty()) report.names.push_back(fmt::format("--{}", flag.name));
    }
  }
  Table table = table_of(entries, [](Row& row, const Entry& entry) {
    row.text("FLAG", entry.flag);
    row.text("MEANING", entry.meaning);
  });
  if (rare > 0)
    table.footer.push_back(text_line(fmt::format("{} {} --help shows {} more flags.", program, command.name, rare)));
  report.blocks.emplace_back(std::move(table));
  report.brief = report.blocks;
  return report;
}

}  // namespace previct::cli
