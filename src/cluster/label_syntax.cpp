#include "cluster/label_syntax.h"

#include "base/go.h"

#include <algorithm>

namespace previct {
namespace {

constexpr std::size_t kLongestName = 63;
constexpr std::size_t kLongestDomain = 253;

auto is_lower_or_digit(char c) -> bool {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}
auto is_alphanumeric(char c) -> bool {
  return is_lower_or_digit(c) || (c >= 'A' && c <= 'Z');
}

// Returns true for letters and digits, with `-`, `_` and `.` allowed inside.
auto is_name(std::string_view text) -> bool {
  return !text.empty() && is_alphanumeric(text.front()) && is_alphanumeric(text.back()) &&
         std::all_of(text.begin(), text.end(),
                     [](char c) { return is_alphanumeric(c) || c == '-' || c == '_' || c == '.'; });
}

auto is_domain(std::string_view text) -> bool {
  if (text.empty() || text.size() > kLongestDomain) return false;
  for (std::string_view rest = text;;) {
    const std::size_t dot = rest.find('.');
    const std::string_view part = rest.substr(0, dot);
    const bool good = !part.empty() && is_lower_or_digit(part.front()) && is_lower_or_digit(part.back()) &&
                      std::all_of(part.begin(), part.end(), [](char c) { return is_lower_or_digit(c) || c == '-'; });
    if (!good) return false;
    if (dot == std::string_view::npos) return true;
    rest.remove_prefix(dot + 1);
  }
}

auto fault_of_label(const Requirement& requirement, const Symbols& symbols) -> std::string_view {
  const std::size_t count = requirement.values.size();
  switch (requirement.op) {
    case SelectorOperator::unknown: return "the operator is not supported";
    case SelectorOperator::in:
    case SelectorOperator::not_in:
      if (count == 0) return "for 'in', 'notin' operators, values set can't be empty";
      break;
    case SelectorOperator::exists:
    case SelectorOperator::does_not_exist:
      if (count != 0) return "values set must be empty for exists and does not exist";
      break;
    case SelectorOperator::greater:
    case SelectorOperator::less:
      if (count != 1) return "for 'Gt', 'Lt' operators, exactly one value is required";
      if (!go::parse_int(symbols.text(requirement.values[0]), 64))
        return "for 'Gt', 'Lt' operators, the value must be an integer";
      break;
  }
  if (!is_qualified_name(symbols.text(requirement.key))) return "the key is no label key";
  const bool values_fit = std::all_of(requirement.values.begin(), requirement.values.end(),
                                      [&](Symbol value) { return is_label_value(symbols.text(value)); });
  return values_fit ? std::string_view() : "a value is no label value";
}

auto fault_of_field(const Requirement& requirement) -> std::string_view {
  if (requirement.op != SelectorOperator::in && requirement.op != SelectorOperator::not_in)
    return "the operator is not supported for fields";
  return requirement.values.size() == 1 ? std::string_view() : "must have one element";
}

}  // namespace

auto is_label_value(std::string_view text) -> bool {
  return text.empty() || (text.size() <= kLongestName && is_name(text));
}

auto is_qualified_name(std::string_view text) -> bool {
  const std::size_t slash = text.find('/');
  if (slash != std::string_view::npos) {
    if (!is_domain(text.substr(0, slash))) return false;
    text.remove_prefix(slash + 1);
  }
  return text.size() <= kLongestName && is_name(text);
}

auto fault_of(const NodeSelectorTerm& term, const Symbols& symbols) -> std::string_view {
  for (const Requirement& expression : term.match_expressions) {
    if (const std::string_view fault = fault_of_label(expression, symbols); !fault.empty()) return fault;
  }
  for (const Requirement& field : term.match_fields) {
    if (const std::string_view fault = fault_of_field(field); !fault.empty()) return fault;
  }
  return {};
}

auto fault_of(const LabelSelector& selector, const Symbols& symbols) -> std::string_view {
  for (const auto& [key, value] : selector.match_labels) {
    if (!is_qualified_name(symbols.text(key))) return "the key is no label key";
    if (!is_label_value(symbols.text(value))) return "a value is no label value";
  }
  for (const Requirement& expression : selector.match_expressions) {
    const bool of_nodes = expression.op == SelectorOperator::greater || expression.op == SelectorOperator::less;
    if (of_nodes) return "the operator is not supported";
    if (const std::string_view fault = fault_of_label(expression, symbols); !fault.empty()) return fault;
  }
  return {};
}

}  // namespace previct
