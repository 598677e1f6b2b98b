#pragma once

#include "input/events.h"

#include <memory>
#include <string_view>

namespace previct {

/// Events of JSON values, one document each: a single value, values behind each other, or one a line.
/// `text` is UTF-8 without a byte order mark and must outlive the source.
///
/// The grammar is RFC 8259 without extensions. Numbers come as they are written; integers of any size stay
/// integers, so that the reader of a field can say what its range is.
/// Errors: broken syntax or encoding, nesting beyond kMaxDepth, each with line and column.
///
/// Differs: simdjson is the reference in the tests, but does not read: it gives no line, loses its place between
/// values behind each other, and indexes the whole text (4 bytes a token).
[[nodiscard]] auto json_source(std::string_view text, FileId file) -> std::unique_ptr<EventSource>;

}  // namespace previct
