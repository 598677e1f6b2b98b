#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace previct {

/// `text` fit for a terminal, a log or a table cell: valid UTF-8 on one line, without a character that
/// a terminal would act on or that would hide. Controls (C0, DEL, C1), bidirectional controls and
/// zero-width characters are written as escapes (`\n`, `\x1b`, `\u202e`), broken UTF-8 as `\xff`.
/// Every string from an input passes through here, or through the escape of its format, exactly once.
[[nodiscard]] auto escaped(std::string_view text) -> std::string;

/// Columns that valid UTF-8 takes on a terminal; wide East Asian characters and emoji take two.
[[nodiscard]] auto display_width(std::string_view text) -> std::size_t;

/// The lines of `text` broken at blanks so that none is wider than `width`, unless one word is. 0: no limit.
[[nodiscard]] auto wrapped(std::string_view text, std::size_t width) -> std::vector<std::string>;

/// The candidate nearest to `word`, if within two edits: for "did you mean".
[[nodiscard]] auto nearest(std::string_view word, const std::vector<std::string>& candidates)
    -> std::optional<std::string>;

/// `2 pods`, `1 pod`.
[[nodiscard]] auto counted(std::size_t n, std::string_view one, std::string_view many) -> std::string;

/// Joined with `separator`.
[[nodiscard]] auto joined(const std::vector<std::string>& parts, std::string_view separator) -> std::string;

/// `a, b and 3 more`: those behind the first `most` are only counted.
[[nodiscard]] auto joined_up_to(std::size_t most, std::vector<std::string> parts) -> std::string;

/// Decodes one character of UTF-8 at the front of `text`; length 0 if it is broken (also overlong forms,
/// surrogates, beyond U+10FFFF).
struct DecodedCharacter {
  char32_t value = 0;
  std::size_t length = 0;
};
[[nodiscard]] auto decode_utf8(std::string_view text) -> DecodedCharacter;

/// Bytes of `text` before the first that is not valid UTF-8; its size if there is none.
[[nodiscard]] auto valid_utf8_size(std::string_view text) -> std::size_t;

/// Appends `character`, up to U+10FFFF, as UTF-8.
void append_utf8(std::string& out, char32_t character);

}  // namespace previct
