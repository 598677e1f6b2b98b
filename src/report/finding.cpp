#include "report/finding.h"

#include <fmt/format.h>

namespace previct {

auto severity_name(Severity severity) -> std::string_view {
  switch (severity) {
    case Severity::info: return "info";
    case Severity::warning: return "warning";
    case Severity::error: return "error";
  }
  return "";
}

auto severity_of(std::string_view name) -> std::optional<Severity> {
  for (const Severity severity : {Severity::info, Severity::warning, Severity::error}) {
    if (severity_name(severity) == name) return severity;
  }
  return {};
}

auto described(const TextRange& place) -> std::string {
  if (place.line == 0) return place.file;
  if (place.column == 0) return fmt::format("{}:{}", place.file, place.line);
  return fmt::format("{}:{}:{}", place.file, place.line, place.column);
}

}  // namespace previct
