#pragma once

#include "lint/tree.h"
#include "report/finding.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace previct::lint {

/// Where a person edits output of Helm: in the templates that the output names.
class TemplatePlaces {
 public:
  explicit TemplatePlaces(const Tree& tree) : tree_(tree) {}

  /// The template, and its line if exactly one line equals the rendered line, or else has its key. Nullopt: the place
  /// is not in a rendered text, or the template is not in the input, such as one of a packed chart.
  [[nodiscard]] auto of(const TextRange& rendered) -> std::optional<TextRange>;

 private:
  auto text_of(const std::string& file) -> const SourceText*;

  const Tree& tree_;
  std::map<std::string, std::optional<SourceText>> read_;
};

}  // namespace previct::lint
