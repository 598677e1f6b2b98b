#pragma once

#include "lint/value.h"
#include "report/finding.h"

#include <optional>

namespace previct::lint {

/// What of a value is meant.
enum class Part : std::uint8_t {
  key,    ///< its key; of an element of a list, the value
  value,  ///< a scalar as it is written, quotes included; of a map or list, the key, else its first character
  field   ///< the key up to the end of a scalar
};

/// The value as it was read, of one that was put together: itself, where it was not.
[[nodiscard]] auto as_written(const Value& value) -> Value;

/// Where it stands, to the character.
[[nodiscard]] auto range_of(const Value& value, Part part) -> TextRange;

/// The stretch [begin, end) of a text, in bytes.
[[nodiscard]] auto range_between(const SourceText& source, std::size_t begin, std::size_t end) -> TextRange;

/// The offset of a line and a column that counts characters; npos if there is no such place.
[[nodiscard]] auto offset_at(const SourceText& source, std::uint32_t line, std::uint32_t column) -> std::size_t;

/// The line of it with the part marked; nothing of the line that is not of this field, but for the blanks and dashes
/// before it.
[[nodiscard]] auto excerpt_of(const Value& value, Part part) -> Excerpt;

/// Bytes from `begin`, where a scalar of meaning `meaning` starts, to its end.
[[nodiscard]] auto scalar_length(std::string_view text, std::size_t begin, std::string_view meaning, bool is_key,
                                 bool json) -> std::size_t;

/// Characters of UTF-8 (bytes that do not continue one).
[[nodiscard]] auto character_count(std::string_view text) -> std::uint32_t;

}  // namespace previct::lint
