#pragma once

#include "input/events.h"

#include <cstdint>
#include <memory>
#include <string_view>

namespace previct {

/// What Event::text holds for a plain scalar that is not a string.
enum class ScalarText : std::uint8_t {
  resolved,  ///< the value as JSON prints it: `y` is `true`
  written    ///< the text as written, for readers that want any scalar as a string (yaml.v3, YuniKorn)
};

/// The events of a YAML stream, with the semantics of Kubernetes' own loader: YAML 1.1 scalars (yaml_scalar.h),
/// anchors, aliases and merge keys resolved, non-string keys converted to strings. `text` is UTF-8 without a byte order
/// mark and must outlive the source.
///
/// Errors: invalid syntax or encoding, nesting beyond kMaxDepth, a scalar beyond 16 MiB, tags outside the core schema,
/// aliases to unknown anchors or to themselves, and aliases that make up a larger part of a document than upstream
/// allows.
/// Source: go.yaml.in/yaml/v2 v2.4.3 decode.go (`allowedAliasRatio`, `merge`), as used by kubectl v1.35.
[[nodiscard]] auto yaml_source(std::string_view text, FileId file, ScalarText texts = ScalarText::resolved)
    -> std::unique_ptr<EventSource>;

/// As yaml_source(), but with libyaml alone, which yaml_source() uses only if the text is unusual (quick_yaml.h). For
/// comparison.
[[nodiscard]] auto libyaml_source(std::string_view text, FileId file, ScalarText texts = ScalarText::resolved)
    -> std::unique_ptr<EventSource>;

}  // namespace previct
