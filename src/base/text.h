#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace previct {

/// Returns `text` fit for a terminal, a log or a table cell: valid UTF-8 on one line, without characters that a
/// terminal would act on or that would be hidden. Controls (C0, DEL, C1), bidirectional controls and zero-width
/// characters are written as escapes (`\n`, `\x1b`, `\u202e`), invalid UTF-8 as `\xff`. Every string from an input is
/// escaped exactly once, by this function or by the escape of its output format.
[[nodiscard]] auto escaped(std::string_view text) -> std::string;

/// The number of terminal columns of valid UTF-8; wide East Asian characters and emoji count as two.
[[nodiscard]] auto display_width(std::string_view text) -> std::size_t;

/// Breaks `text` at blanks into lines of at most `width` columns; only a longer word exceeds that. 0: no limit.
[[nodiscard]] auto wrapped(std::string_view text, std::size_t width) -> std::vector<std::string>;

/// The candidate nearest to `word`, if within two edits; for "did you mean".
[[nodiscard]] auto nearest(std::string_view word, const std::vector<std::string>& candidates)
    -> std::optional<std::string>;

/// The number with its noun: `2 pods`, `1 pod`.
[[nodiscard]] auto counted(std::size_t n, std::string_view one, std::string_view many) -> std::string;

/// Joins the parts with `separator`.
[[nodiscard]] auto joined(const std::vector<std::string>& parts, std::string_view separator) -> std::string;

/// `a, b and 3 more`: the parts after the first `most` are only counted.
[[nodiscard]] auto joined_up_to(std::size_t most, std::vector<std::string> parts) -> std::string;

/// The first character of a UTF-8 text. The length is 0 if it is invalid (including overlong forms, surrogates and
/// values above U+10FFFF).
struct DecodedCharacter {
  char32_t value = 0;
  std::size_t length = 0;
};
[[nodiscard]] auto decode_utf8(std::string_view text) -> DecodedCharacter;

/// The number of bytes before the first that is not valid UTF-8; the size of `text` if all of it is valid.
[[nodiscard]] auto valid_utf8_size(std::string_view text) -> std::size_t;

/// Appends `character`, up to U+10FFFF, as UTF-8.
void append_utf8(std::string& out, char32_t character);

}  // namespace previct
