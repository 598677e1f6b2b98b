#pragma once

#include "base/diagnostics.h"
#include "lint/value.h"

#include <deque>
#include <string_view>

namespace previct::lint {

/// Appends every object of `text` to `manifests`, leniently: objects before a fault are kept. `text` is the text of
/// `source`, or of a value within it. A map without a kind is kept if it is a scheduler configuration or a
/// kustomization (recognized by `file`, a path), or if it contains a scheduler configuration as text (values of a
/// chart). A list of operations (RFC 6902) is a manifest of kind kOperations.
///
/// Errors: broken syntax, or a document that is not an object.
[[nodiscard]] auto parse(const SourceText& source, std::string_view text, std::string_view file,
                         std::deque<Manifest>& manifests) -> Result<void>;

/// Parses a text within an object; the resulting manifests refer to that value.
[[nodiscard]] auto parse_within(const Value& value, std::deque<Manifest>& manifests) -> Result<void>;

/// Parses a list of operations (RFC 6902) within an object; null: it is no such list.
[[nodiscard]] auto parse_operations(const Value& value, std::deque<Manifest>& manifests) -> const Manifest*;

/// Sets the identity of a manifest from its content: group, version, kind, name, namespace.
void name_manifest(Manifest& manifest);

/// Returns true if the text could contain a relevant object, judged by words that it must contain.
[[nodiscard]] auto may_hold_manifests(std::string_view text, std::string_view file) -> bool;

/// Returns true if a broken text was probably meant for Kubernetes or a scheduler.
[[nodiscard]] auto means_manifests(std::string_view text, std::string_view file) -> bool;

/// Returns true for `kustomization.yaml` in all its spellings.
[[nodiscard]] auto is_kustomization_file(std::string_view file) -> bool;

/// Offsets of the starts of lines.
[[nodiscard]] auto line_starts_of(std::string_view text) -> std::vector<std::size_t>;

}  // namespace previct::lint
