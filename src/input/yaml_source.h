#pragma once

#include "input/events.h"

#include <memory>
#include <string_view>

namespace previct {

/// Events of a YAML stream, read as Kubernetes' own loader reads it: YAML 1.1 scalars (yaml_scalar.h),
/// anchors, aliases and merge keys resolved, non-string keys as strings. `text` is UTF-8 without a byte
/// order mark and must outlive the source.
///
/// Errors: broken syntax or encoding, nesting beyond kMaxDepth, a scalar beyond 16 MiB, tags outside the
/// core schema, aliases to nothing or to themselves, and aliases that make up more of a document than
/// upstream allows.
/// Source: go.yaml.in/yaml/v2 v2.4.3 decode.go (`allowedAliasRatio`, `merge`), as used by kubectl v1.35.
[[nodiscard]] auto yaml_source(std::string_view text, FileId file) -> std::unique_ptr<EventSource>;

}  // namespace previct
