#pragma once

#include "lint/tree.h"
#include "report/finding.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace previct::lint {

/// Where a person changes what Helm rendered: in the templates that its output names.
class TemplatePlaces {
 public:
  explicit TemplatePlaces(const Tree& tree) : tree_(tree) {}

  /// The file, and the line if exactly one of it reads like the one that was rendered, or else has its key. None: the
  /// place is of no rendered text, or of a template that is not here, such as one of a packed chart.
  [[nodiscard]] auto of(const TextRange& rendered) -> std::optional<TextRange>;

 private:
  auto text_of(const std::string& file) -> const SourceText*;

  const Tree& tree_;
  std::map<std::string, std::optional<SourceText>> read_;
};

}  // namespace previct::lint
