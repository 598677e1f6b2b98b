#include "lint/replacements.h"

#include <fmt/format.h>

#include <string>
#include <vector>

namespace previct::lint {
// NOLINTBEGIN(misc-no-recursion): bounded by the steps of the path
namespace {

/// Splits a path into steps at dots, except within brackets or after a backslash.
auto steps_of(std::string_view path) -> std::vector<std::string> {
  std::vector<std::string> steps(1);
  bool inside = false;
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (path[i] == '.' && !inside) {
      steps.emplace_back();
      continue;
    }
    if (path[i] == '\\' && i + 1 < path.size() && path[i + 1] == '.') ++i;
    inside = path[i] == '[' || (inside && path[i] != ']');
    steps.back() += path[i];
  }
  return steps;
}

/// Returns true if a step may select the list element at this position: `*`, `0`, `[name=a]`, `[=a]`. The values in
/// brackets are regular expressions, so any element with the field may match.
auto leads_to(std::string_view step, const Node& element, std::size_t position) -> bool {
  if (step == "*" || step == fmt::format("{}", position)) return true;
  const std::size_t equal = step.find('=');
  if (!step.starts_with('[') || !step.ends_with(']') || equal == std::string_view::npos) return false;
  return equal == 1 || element.find(step.substr(1, equal - 1)) != nullptr;
}

/// `[a.b/c]` is a key that contains dots.
auto key_of(std::string_view step) -> std::string_view {
  return step.starts_with('[') && step.ends_with(']') ? step.substr(1, step.size() - 2) : step;
}

void mark(Node& node, const std::vector<std::string>& steps, std::size_t at) {
  if (at == steps.size()) {
    node = Node{.scalar = ScalarType::string, .text = "$(replacements)", .origin = node.origin};
    return;
  }
  if (node.is_list()) {
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      if (leads_to(steps[at], node.items[i], i)) mark(node.items[i], steps, at + 1);
    }
  } else if (Node* value = node.find(key_of(steps[at]))) {
    mark(*value, steps, at + 1);
  }
}

}  // namespace

void mark_replaced(Node& node, std::string_view path) {
  mark(node, steps_of(path), 0);
}

// NOLINTEND(misc-no-recursion)
}  // namespace previct::lint
