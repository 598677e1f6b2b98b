#include "lint/replacements.h"

#include <fmt/format.h>

#include <string>
#include <vector>

namespace previct::lint {
// NOLINTBEGIN(misc-no-recursion): as deep as the path has steps
namespace {

/// Steps of a path: dots part them, but not within brackets or behind a backslash.
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

/// Is the element of a list, at this position, one that a step may lead to: `*`, `0`, `[name=a]`, `[=a]`? The values in
/// brackets are regular expressions: an element that has the field may be meant.
auto leads_to(std::string_view step, const Node& element, std::size_t position) -> bool {
  if (step == "*" || step == fmt::format("{}", position)) return true;
  const std::size_t equal = step.find('=');
  if (!step.starts_with('[') || !step.ends_with(']') || equal == std::string_view::npos) return false;
  return equal == 1 || element.find(step.substr(1, equal - 1)) != nullptr;
}

/// `[a.b/c]` is a key with dots.
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
