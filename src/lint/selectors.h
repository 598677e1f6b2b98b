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

/// The namespace that two manifests without one share.
[[nodiscard]] inline auto same_namespace(const std::string& a, const std::string& b) -> bool {
  const auto named = [](const std::string& ns) { return ns.empty() ? std::string("default") : ns; };
  return named(a) == named(b);
}

}  // namespace previct::lint
