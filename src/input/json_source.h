#pragma once

#include "input/events.h"

#include <memory>
#include <string_view>

namespace previct {

/// The events of JSON values, each as one document: a single value, values in sequence, or JSON lines. `text` is UTF-8
/// without a byte order mark and must outlive the source.
///
/// The grammar is RFC 8259 without extensions. Numbers are returned as written; integers of any size stay integers, so
/// that the reader of a field can report its range.
/// Errors: invalid syntax or encoding, nesting beyond kMaxDepth, each with line and column.
///
/// simdjson is the reference in the tests, but it is not used for reading: it reports no lines, loses its place between
/// values in sequence, and indexes the whole text (4 bytes for each token).
[[nodiscard]] auto json_source(std::string_view text, FileId file) -> std::unique_ptr<EventSource>;

}  // namespace previct
