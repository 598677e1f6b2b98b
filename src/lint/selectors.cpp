#include "lint/selectors.h"

#include "cluster/label_syntax.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct::lint {
namespace {

auto holds(const Value& requirement, const Value& labels) -> bool {
  const Value label = labels[requirement["key"].text()];
  const std::string_view op = requirement["operator"].text();
  const Value values = requirement["values"];
  const bool listed = label && std::any_of(values.begin(), values.end(),
                                           [&](const Value& value) { return value.text() == label.text(); });
  if (op == "In") return listed;
  if (op == "NotIn") return !listed;
  if (op == "Exists") return static_cast<bool>(label);
  if (op == "DoesNotExist") return !label;
  return false;
}

auto fault_of_requirement(const Value& requirement) -> std::optional<SelectorFault> {
  const Value key = requirement["key"];
  const Value op = requirement["operator"];
  const Value values = requirement["values"];
  if (!is_qualified_name(key.text()))
    return SelectorFault{key ? key : requirement, fmt::format("\"{}\" is not a valid label key", key.text())};
  if (op.is("In") || op.is("NotIn")) {
    if (values.size() == 0) return SelectorFault{op, fmt::format("operator {} without values", op.text())};
    for (const Value& value : values) {
      if (!is_label_value(value.text()))
        return SelectorFault{value, fmt::format("\"{}\" is not a valid label value", value.text())};
    }
  } else if (op.is("Exists") || op.is("DoesNotExist")) {
    if (values.size() > 0) return SelectorFault{op, fmt::format("operator {} takes no values", op.text())};
  } else {
    return SelectorFault{op ? op : requirement,
                         fmt::format("operator \"{}\" is not one of In, NotIn, Exists, DoesNotExist", op.text())};
  }
  return {};
}

}  // namespace

auto selects(const Value& selector, const Value& labels) -> bool {
  if (!selector) return false;
  for (const Value& wanted : selector["matchLabels"]) {
    const Value label = labels[wanted.key()];
    if (!label || label.text() != wanted.text()) return false;
  }
  const Value expressions = selector["matchExpressions"];
  return std::all_of(expressions.begin(), expressions.end(),
                     [&](const Value& requirement) { return holds(requirement, labels); });
}

auto is_empty_selector(const Value& selector) -> bool {
  return selector.is_map() && selector["matchLabels"].size() == 0 && selector["matchExpressions"].size() == 0;
}

auto fault_of_selector(const Value& selector) -> std::optional<SelectorFault> {
  for (const Value& wanted : selector["matchLabels"]) {
    if (!is_qualified_name(wanted.key()))
      return SelectorFault{wanted, fmt::format("\"{}\" is not a valid label key", wanted.key())};
    if (!is_label_value(wanted.text()))
      return SelectorFault{wanted, fmt::format("\"{}\" is not a valid label value", wanted.text())};
  }
  for (const Value& requirement : selector["matchExpressions"]) {
    if (auto fault = fault_of_requirement(requirement)) return fault;
  }
  return {};
}

}  // namespace previct::lint
