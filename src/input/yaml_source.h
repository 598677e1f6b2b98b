#pragma once

#include "input/events.h"

#include <cstdint>
#include <memory>
#include <string_view>

namespace previct {

/// What Event::text is of a plain scalar that is no string.
enum class ScalarText : std::uint8_t {
  resolved,  ///< as JSON prints it: `y` is `true`
  written    ///< as it stands there, for readers that want a string of whatever is written (yaml.v3, YuniKorn)
};

/// Events of a YAML stream, read as Kubernetes' own loader reads it: YAML 1.1 scalars (yaml_scalar.h),
/// anchors, aliases and merge keys resolved, non-string keys as strings. `text` is UTF-8 without a byte
/// order mark and must outlive the source.
///
/// Errors: broken syntax or encoding, nesting beyond kMaxDepth, a scalar beyond 16 MiB, tags outside the
/// core schema, aliases to nothing or to themselves, and aliases that make up more of a document than
/// upstream allows.
/// Source: go.yaml.in/yaml/v2 v2.4.3 decode.go (`allowedAliasRatio`, `merge`), as used by kubectl v1.35.
[[nodiscard]] auto yaml_source(std::string_view text, FileId file, ScalarText texts = ScalarText::resolved)
    -> std::unique_ptr<EventSource>;

/// The same by libyaml alone, which yaml_source() asks only where the text is unusual (quick_yaml.h): to compare.
[[nodiscard]] auto libyaml_source(std::string_view text, FileId file, ScalarText texts = ScalarText::resolved)
    -> std::unique_ptr<EventSource>;

}  // namespace previct
