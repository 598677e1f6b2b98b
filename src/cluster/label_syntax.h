#pragma once

#include "api/meta.h"
#include "base/symbols.h"

#include <string_view>

/// What may be a label, and what makes a selector of nodes one that cannot be read.
/// Source: kubernetes/apimachinery: pkg/util/validation/validation.go; pkg/labels/selector.go NewRequirement;
/// kubernetes/component-helpers: scheduling/corev1/nodeaffinity/nodeaffinity.go; v0.35.
namespace previct {

/// At most 63 bytes: empty, or letters and digits with `-`, `_` and `.` inside.
[[nodiscard]] auto is_label_value(std::string_view text) -> bool;

/// `name` or `dns.domain/name`.
[[nodiscard]] auto is_qualified_name(std::string_view text) -> bool;

/// Why upstream cannot read this term, which then matches nothing; empty if it can. One bad requirement spoils the
/// term, never the others.
[[nodiscard]] auto fault_of(const NodeSelectorTerm& term, const Symbols& symbols) -> std::string_view;

/// The same of a selector of labels, which then matches nothing and no one.
/// Source: kubernetes/apimachinery: pkg/apis/meta/v1/helpers.go LabelSelectorAsSelector; v0.35.
[[nodiscard]] auto fault_of(const LabelSelector& selector, const Symbols& symbols) -> std::string_view;

}  // namespace previct
