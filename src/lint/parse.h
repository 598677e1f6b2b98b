#pragma once

#include "base/diagnostics.h"
#include "lint/value.h"

#include <deque>
#include <string_view>

namespace previct::lint {

/// Appends every object of `text` to `manifests`, leniently: what stands before a fault stays. `text` is that of
/// `source`, or of a value within it. A map without a kind is kept if it is a scheduler's configuration or a
/// kustomization (by `file`, a path), or holds one as a text (values of a chart); else it is not ours. A list of
/// operations (RFC 6902) is a manifest of kind kOperations.
///
/// Errors: broken syntax, a document that is no object.
[[nodiscard]] auto parse(const SourceText& source, std::string_view text, std::string_view file,
                         std::deque<Manifest>& manifests) -> Result<void>;

/// The same for a text within an object; what is found knows its holder.
[[nodiscard]] auto parse_within(const Value& value, std::deque<Manifest>& manifests) -> Result<void>;

/// A list of operations (RFC 6902) as a text within an object; null: it is none.
[[nodiscard]] auto parse_operations(const Value& value, std::deque<Manifest>& manifests) -> const Manifest*;

/// Fills in what a manifest says it is.
void name_manifest(Manifest& manifest);

/// Could a text hold anything that is looked at? By the words that it must hold.
[[nodiscard]] auto may_hold_manifests(std::string_view text, std::string_view file) -> bool;

/// Does a broken text look as if it were meant for Kubernetes or a scheduler?
[[nodiscard]] auto means_manifests(std::string_view text, std::string_view file) -> bool;

/// `kustomization.yaml`, in all its spellings.
[[nodiscard]] auto is_kustomization_file(std::string_view file) -> bool;

/// Offsets at which lines begin.
[[nodiscard]] auto line_starts_of(std::string_view text) -> std::vector<std::size_t>;

}  // namespace previct::lint
