#include "base/text.h"
#include "report/escape.h"
#include "report/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace previct {
namespace {

// The number of annotations of one kind that a runner shows per step; it drops the rest.
constexpr std::size_t kShown = 10;

auto command_of(Severity severity) -> std::string_view {
  return severity == Severity::info ? "notice" : severity_name(severity);
}

auto properties_of(const TextRange& place, const std::string& title) -> std::string {
  std::string file = place.file;
  while (file.starts_with("./")) file.erase(0, 2);
  std::string out = fmt::format(" file={}", workflow_property(file));
  if (place.line != 0) out += fmt::format(",line={}", place.line);
  if (place.end_line != 0) out += fmt::format(",endLine={}", place.end_line);
  if (place.column != 0) out += fmt::format(",col={}", place.column);
  // A column on another line would be read as a column of the first line.
  if (place.end_column != 0 && place.end_line == place.line) out += fmt::format(",endColumn={}", place.end_column);
  return fmt::format("{},title={}", out, workflow_property(title));
}

// One annotation, without its kind.
struct Annotation {
  Severity severity;
  std::string text;
};

auto annotations_of(const Report& report) -> std::vector<Annotation> {
  std::vector<Annotation> all;
  if (report.findings) {
    for (const Finding& finding : report.findings->items) {
      if (finding.suppression) continue;
      all.push_back({finding.severity, fmt::format("{}::{}", properties_of(finding.place, finding.rule),
                                                   workflow_text(finding.message))});
    }
  }
  if (report.tests) {
    for (const TestSuite& suite : *report.tests) {
      for (const TestCase& one : suite.cases) {
        if (one.status != TestCase::Status::failed && one.status != TestCase::Status::broken) continue;
        TextRange place = one.place;
        if (place.file.empty()) place.file = suite.file;
        all.push_back({Severity::error, fmt::format("{}::{}", properties_of(place, suite.name + ": " + one.name),
                                                    workflow_text(one.message))});
      }
    }
  }
  return all;
}

auto render_github(const Report& report, const Style& /*style*/) -> std::string {
  const std::vector<Annotation> all = annotations_of(report);
  std::string out;
  std::size_t left_out = 0;
  for (const Severity severity : {Severity::error, Severity::warning, Severity::info}) {
    std::size_t shown = 0;
    for (const Annotation& annotation : all) {
      if (annotation.severity != severity) continue;
      // The last notice is reserved for the total.
      if (shown == (severity == Severity::info ? kShown - 1 : kShown)) {
        ++left_out;
        continue;
      }
      ++shown;
      out += fmt::format("::{}{}\n", command_of(severity), annotation.text);
    }
  }
  if (left_out > 0) {
    out += fmt::format("::notice title=previct::{} not shown\n", counted(left_out, "more finding", "more findings"));
  }
  return out;
}

}  // namespace

const Format& github_format = Format{.name = "github",
                                     .ending = "txt",
                                     .what = "findings and failed tests as annotations of a GitHub workflow",
                                     .render = render_github,
                                     .judgements = true};

}  // namespace previct
