#include "cli/output.h"

#include "base/text.h"
#include "cli/file.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include <unistd.h>

namespace previct::cli {
namespace {

// Do two paths lead to the same file, be it one that is not there yet?
auto same_file(const std::string& a, const std::string& b) -> bool {
  if (a.empty() || b.empty()) return false;
  std::error_code error;
  if (std::filesystem::equivalent(a, b, error)) return !is_special(a);
  const auto first = std::filesystem::weakly_canonical(a, error);
  return !error && first == std::filesystem::weakly_canonical(b, error) && !is_special(a);
}

}  // namespace

auto outputs_of(const std::vector<std::string>& values) -> Result<std::vector<Output>> {
  std::vector<Output> outputs;
  bool stdout_taken = false;
  for (const std::string& value : values) {
    const std::size_t equals = value.find('=');
    const std::string name = value.substr(0, equals);
    const Format* format = find_format(name);
    if (format == nullptr) {
      std::vector<std::string> names;
      for (const Format* known : formats()) names.emplace_back(known->name);
      const auto meant = nearest(name, names);
      return fail(fmt::format(
          "unknown output format \"{}\"; {}", name,
          meant ? fmt::format("did you mean {}?", *meant) : fmt::format("expected one of {}", joined(names, ", "))));
    }
    const std::string file = equals == std::string::npos ? "" : value.substr(equals + 1);
    if (equals != std::string::npos && file.empty()) return fail(fmt::format("-o {}: no file after =", value));
    if (file.empty() && stdout_taken) {
      return fail("two output formats for stdout; write one of them to a file: -o FORMAT=FILE");
    }
    PREVICT_CHECK(check_names_file(file, fmt::format("-o {}=", name)));
    const auto same = [&](const Output& other) { return !file.empty() && same_file(other.file, file); };
    if (std::any_of(outputs.begin(), outputs.end(), same)) {
      return fail(fmt::format("two output formats for {}; one would overwrite the other", file));
    }
    stdout_taken = stdout_taken || file.empty();
    outputs.push_back({format, file});
  }
  if (outputs.empty()) outputs.push_back({find_format("text"), ""});
  return outputs;
}

auto formats_report() -> Report {
  Report report;
  Table table{{{"FORMAT"}, {"DESCRIPTION"}}, {}, {}};
  report.data = {{"apiVersion", "previct/v1alpha1"}, {"kind", "Help"}, {"formats", Json::array()}};
  for (const Format* format : formats()) {
    table.rows.push_back({{std::string(format->name)}, {std::string(format->what)}});
    report.data["formats"].push_back({{"name", format->name}, {"what", format->what}});
    report.names.emplace_back(format->name);
  }
  report.blocks.emplace_back(std::move(table));
  return report;
}

auto write(const Report& report, const std::vector<Output>& outputs, const Style& on_stdout, const Files& inputs)
    -> Result<void> {
  for (const Output& output : outputs) {
    if (!output.file.empty()) PREVICT_CHECK(check_not_input(output.file, inputs));
  }
  for (const Output& output : outputs) {
    const Format& format = *output.format;
    if (format.accepts == nullptr || format.accepts(report)) continue;
    return fail(fmt::format("-o {} writes {}, which this command does not have", format.name, format.needs));
  }
  std::vector<std::string> texts;
  for (const Output& output : outputs) {
    const Style plain = {.heads = on_stdout.heads};
    texts.push_back(output.format->render(report, output.file.empty() ? on_stdout : plain));
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (!outputs[i].file.empty()) PREVICT_CHECK(write_file(outputs[i].file, texts[i]));
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i].file.empty() && !write_all(STDOUT_FILENO, texts[i])) return not_written("stdout");
  }
  return {};
}

}  // namespace previct::cli
