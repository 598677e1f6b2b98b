#pragma once

#include "lint/value.h"
#include "report/finding.h"

#include <optional>

namespace previct::lint {

/// The part of a value that a finding marks.
enum class Part : std::uint8_t {
  key,    ///< the key; for an element of a list, the value
  value,  ///< a scalar as written, quotes included; for a map or list, the key, else its first character
  field   ///< from the key to the end of a scalar
};

/// The value as it was read, for a generated value; otherwise the value itself.
[[nodiscard]] auto as_written(const Value& value) -> Value;

/// The exact range of a part of a value.
[[nodiscard]] auto range_of(const Value& value, Part part) -> TextRange;

/// The range [begin, end) of a text, in bytes.
[[nodiscard]] auto range_between(const SourceText& source, std::size_t begin, std::size_t end) -> TextRange;

/// The offset of a line and a column counted in characters; npos if there is no such place.
[[nodiscard]] auto offset_at(const SourceText& source, std::uint32_t line, std::uint32_t column) -> std::size_t;

/// Returns true if the value may hold a secret: values of Secrets and ConfigMaps, of environment variables, arguments
/// and commands, and of annotations that no scheduler reads. Their text is not shown.
[[nodiscard]] auto is_private(const Value& value) -> bool;

/// The line of the value with the part marked. Of a private value, and if the key is marked, only the key is shown.
/// Other fields on the line are not shown, except for the blanks and dashes before this one.
[[nodiscard]] auto excerpt_of(const Value& value, Part part) -> Excerpt;

/// The length in bytes of a scalar that starts at `begin` and whose parsed value is `meaning`.
[[nodiscard]] auto scalar_length(std::string_view text, std::size_t begin, std::string_view meaning, bool is_key,
                                 bool json) -> std::size_t;

/// The number of UTF-8 characters (bytes that are not continuation bytes).
[[nodiscard]] auto character_count(std::string_view text) -> std::uint32_t;

}  // namespace previct::lint
