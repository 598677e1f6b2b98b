#pragma once

#include "api/meta.h"
#include "base/symbols.h"

#include <string_view>

/// The syntax of labels, and the errors that make a node selector or label selector invalid.
/// Source: kubernetes/apimachinery: pkg/util/validation/validation.go; pkg/labels/selector.go NewRequirement;
/// kubernetes/component-helpers: scheduling/corev1/nodeaffinity/nodeaffinity.go; v0.35.
namespace previct {

/// At most 63 bytes: empty, or letters and digits with `-`, `_` and `.` allowed inside.
[[nodiscard]] auto is_label_value(std::string_view text) -> bool;

/// `name` or `dns.domain/name`.
[[nodiscard]] auto is_qualified_name(std::string_view text) -> bool;

/// The reason why upstream refuses this term, which then matches nothing; empty if it is valid. One invalid requirement
/// invalidates its term, but not the other terms.
[[nodiscard]] auto fault_of(const NodeSelectorTerm& term, const Symbols& symbols) -> std::string_view;

/// As above, for a label selector, which then matches nothing.
/// Source: kubernetes/apimachinery: pkg/apis/meta/v1/helpers.go LabelSelectorAsSelector; v0.35.
[[nodiscard]] auto fault_of(const LabelSelector& selector, const Symbols& symbols) -> std::string_view;

}  // namespace previct
