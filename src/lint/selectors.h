#pragma once

#include "lint/repository.h"

#include <optional>
#include <string>

namespace previct::lint {

/// Returns true if a metav1.LabelSelector matches these labels. An absent selector matches nothing, an empty one
/// everything.
[[nodiscard]] auto selects(const Value& selector, const Value& labels) -> bool;

/// Returns true for `{}`: present, but without requirements.
[[nodiscard]] auto is_empty_selector(const Value& selector) -> bool;

/// A validation error of a selector. Source: kubernetes apimachinery pkg/apis/meta/v1/validation.
struct SelectorFault {
  Value at;
  std::string message;
};
[[nodiscard]] auto fault_of_selector(const Value& selector) -> std::optional<SelectorFault>;

/// The namespace for comparisons: manifests without a namespace are in `default`.
[[nodiscard]] inline auto namespace_of(const std::string& ns) -> std::string_view {
  return ns.empty() ? std::string_view("default") : std::string_view(ns);
}
[[nodiscard]] inline auto same_namespace(const std::string& a, const std::string& b) -> bool {
  return namespace_of(a) == namespace_of(b);
}

}  // namespace previct::lint
