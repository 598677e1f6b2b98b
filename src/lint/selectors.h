#pragma once

#include "lint/repository.h"

#include <optional>
#include <string>

namespace previct::lint {

/// Does a metav1.LabelSelector match these labels? A selector that is not there matches nothing, an empty one all.
[[nodiscard]] auto selects(const Value& selector, const Value& labels) -> bool;

/// `{}`: there, without a requirement.
[[nodiscard]] auto is_empty_selector(const Value& selector) -> bool;

/// What validation refuses in a selector. Source: kubernetes apimachinery pkg/apis/meta/v1/validation.
struct SelectorFault {
  Value at;
  std::string message;
};
[[nodiscard]] auto fault_of_selector(const Value& selector) -> std::optional<SelectorFault>;

/// A manifest without a namespace shares that of others without one, and `default`.
[[nodiscard]] inline auto namespace_of(const std::string& ns) -> std::string_view {
  return ns.empty() ? std::string_view("default") : std::string_view(ns);
}
[[nodiscard]] inline auto same_namespace(const std::string& a, const std::string& b) -> bool {
  return namespace_of(a) == namespace_of(b);
}

}  // namespace previct::lint
