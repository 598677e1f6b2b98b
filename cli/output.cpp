#include "cli/output.h"

#include "base/descriptor.h"
#include "base/text.h"
#include "cli/app.h"
#include "cli/file.h"
#include "report/rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace previct::cli {
namespace {

auto named(std::string_view name) -> const Format* {
  return name == app_format().name ? &app_format() : find_format(name);
}

constexpr std::string_view kDocument = "json";
constexpr std::string_view kLines = "jsonl";

auto writes_packed(const Format& format) -> bool {
  return format.name == kDocument || format.name == kLines;
}

auto write_packed(const Report& report, const PackedRows& items, const Output& output, const PackedRows::Sink& sink)
    -> bool {
  return output.format->name == kLines ? items.write_lines(sink) : items.write_document(report.data, sink);
}

// Writes item by item: their text may be larger than the memory.
auto write_in_parts(const Report& report, const PackedRows& items, const Output& output, const PackedRows::Sink& write)
    -> bool {
  constexpr std::size_t kTogether = std::size_t{1} << 20U;
  std::string waiting;
  const auto sink = [&](std::string_view part) {
    waiting += part;
    if (waiting.size() < kTogether) return true;
    const bool written = write(waiting);
    waiting.clear();
    return written;
  };
  return write_packed(report, items, output, sink) && write(waiting);
}

}  // namespace

auto output_formats() -> std::vector<const Format*> {
  std::vector<const Format*> all = formats();
  all.insert(all.begin(), &app_format());
  return all;
}

auto output_formats_of(bool judges) -> std::vector<const Format*> {
  std::vector<const Format*> all = output_formats();
  std::erase_if(all, [&](const Format* format) { return format->judgements && !judges; });
  return all;
}

auto outputs_of(const std::vector<std::string>& values) -> Result<std::vector<Output>> {
  std::vector<Output> outputs;
  bool stdout_taken = false;
  for (const std::string& value : values) {
    const std::size_t equals = value.find('=');
    const std::string name = value.substr(0, equals);
    const Format* format = named(name);
    if (format == nullptr) {
      std::vector<std::string> names;
      for (const Format* known : output_formats()) names.emplace_back(known->name);
      const auto meant = nearest(name, names);
      const bool of_kubectl =
          name.starts_with("jsonpath") || name.starts_with("go-template") || name.starts_with("custom-columns");
      return fail(fmt::format("unknown output format \"{}\"; {}", name,
                              meant ? fmt::format("did you mean {}?", *meant)
                                    : fmt::format("expected one of {}", joined(names, ", "))),
                  {}, of_kubectl ? "use -o json, and select fields with jq" : "");
    }
    const std::string file = equals == std::string::npos ? "" : value.substr(equals + 1);
    if (equals != std::string::npos && file.empty()) return fail(fmt::format("-o {}: no file after =", value));
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
  const auto describe = [](Row& row, const Format* format) {
    row.text("FORMAT", format->name).key("name");
    row.text("DESCRIPTION", format->what).key("what");
  };
  report.data = {
      {"apiVersion", "previct/v1alpha1"}, {"kind", "Help"}, {"formats", list_of(output_formats(), describe)}};
  for (const Format* format : output_formats()) report.names.emplace_back(format->name);
  report.blocks.emplace_back(table_of(output_formats(), describe));
  report.brief = report.blocks;
  return report;
}

auto check_formats(const std::vector<Output>& outputs, bool judges) -> Result<void> {
  for (const Output& output : outputs) {
    if (!output.format->judgements || judges) continue;
    return fail(
        fmt::format("-o {} writes findings or test results, which this command does not have", output.format->name));
  }
  return {};
}

auto take_packed_lists(const std::vector<Output>& outputs) -> bool {
  return std::none_of(outputs.begin(), outputs.end(),
                      [](const Output& output) { return output.format->documents && !writes_packed(*output.format); });
}

auto write(const Report& report, const PackedRows* items, const std::vector<Output>& outputs, const Style& on_stdout)
    -> Result<void> {
  PREVICT_CHECK(check_formats(outputs, report.findings || report.tests));
  PREVICT_CHECK(check_stdout());
  std::vector<std::string> texts;
  std::vector<StagedFile> files;
  const auto is_packed = [&](const Output& output) { return items != nullptr && writes_packed(*output.format); };
  for (const Output& output : outputs) {
    const Style style = output.file.empty() ? on_stdout : Style{.heads = on_stdout.heads};
    texts.push_back(is_packed(output) ? std::string()
                    : output.text     ? *output.text
                                      : output.format->render(report, style));
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const Output& output = outputs[i];
    if (output.file.empty()) continue;
    const auto content = [&](const StagedFile::Sink& sink) {
      return is_packed(output) ? write_in_parts(report, *items, output, sink) : sink(texts[i]);
    };
    PREVICT_TRY(StagedFile file, StagedFile::write(output.file, content));
    files.push_back(std::move(file));
  }
  for (StagedFile& file : files) PREVICT_CHECK(file.put_in_place());
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (!outputs[i].file.empty()) continue;
    const auto sink = [](std::string_view bytes) { return write_all(kStandardOutput, bytes); };
    const bool written = is_packed(outputs[i]) ? write_in_parts(report, *items, outputs[i], sink) : sink(texts[i]);
    if (!written) return not_written("stdout");
  }
  return {};
}

}  // namespace previct::cli
