#include "cli/output.h"

#include "base/text.h"
#include "cli/file.h"

#include <fmt/format.h>

#include <unistd.h>

namespace previct::cli {
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
          meant ? fmt::format("did you mean {}?", *meant) : fmt::format("there are {}", joined(names, ", "))));
    }
    const std::string file = equals == std::string::npos ? "" : value.substr(equals + 1);
    if (equals != std::string::npos && file.empty()) return fail(fmt::format("-o {} names no file", value));
    if (file.empty() && stdout_taken) {
      return fail("two output formats for stdout; write one of them to a file: -o FORMAT=FILE");
    }
    PREVICT_CHECK(check_names_file(file, fmt::format("-o {}=", name)));
    stdout_taken = stdout_taken || file.empty();
    outputs.push_back({format, file});
  }
  if (outputs.empty()) outputs.push_back({find_format("text"), ""});
  return outputs;
}

auto formats_report() -> Report {
  Report report;
  Table table{{{"FORMAT"}, {"WHAT IT IS"}}, {}, {}};
  report.data = {{"apiVersion", "previct/v1alpha1"}, {"kind", "Help"}, {"formats", Json::array()}};
  for (const Format* format : formats()) {
    table.rows.push_back({{std::string(format->name)}, {std::string(format->what)}});
    report.data["formats"].push_back({{"name", format->name}, {"what", format->what}});
    report.names.emplace_back(format->name);
  }
  report.blocks.emplace_back(std::move(table));
  return report;
}

auto write(const Report& report, const std::vector<Output>& outputs, const Style& on_stdout) -> Result<void> {
  for (const Output& output : outputs) {
    const Format& format = *output.format;
    if (format.accepts == nullptr || format.accepts(report)) continue;
    return fail(fmt::format("-o {} writes {}, and this command has none", format.name, format.needs));
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
