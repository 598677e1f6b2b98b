// Selectors on the command line, and label syntax. The input before the first line break is the selector, the rest is a
// label.

#include "cluster/label_query.h"
#include "cluster/label_syntax.h"
#include "fuzz/fuzz.h"

#include <algorithm>

namespace previct::fuzz {

void selector(std::string_view input) {
  const std::size_t end = std::min(input.find('\n'), input.size());
  const auto query = LabelQuery::parse(input.substr(0, end));
  const std::string_view label = input.substr(std::min(end + 1, input.size()));
  const std::string_view key = label.substr(0, label.find('='));
  const std::string_view value = label.substr(std::min(key.size() + 1, label.size()));
  insist(!is_label_value(value) || value.size() <= 63, "a label that is too long");
  static_cast<void>(is_qualified_name(key));
  if (!query) return insist(!query.error().message.empty(), "a failure without a word");
  Symbols symbols;
  SymbolMap labels;
  labels.set(symbols.intern(key), symbols.intern(value));
  static_cast<void>(query->matches(labels, symbols));
  insist(!query->matches(labels, symbols) || LabelQuery::parse(input.substr(0, end)).has_value(), "not the same twice");
}

}  // namespace previct::fuzz
