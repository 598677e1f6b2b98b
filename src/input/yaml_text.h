#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

/// Knowledge about characters that all readers of YAML share.
/// Source: libyaml 0.2.5 scanner.c, reader.c.
namespace previct::yaml_text {

/// Classes of the first character of a scalar.
enum : std::uint8_t {
  kPlain = 1,  ///< a plain scalar: not a quote or an indicator
  kKey = 2,    ///< a plain key
  kWord = 4,   ///< words that YAML 1.1 reads as booleans or null
  kNumber = 8  ///< numbers
};

constexpr auto classes() -> std::array<std::uint8_t, 256> {
  std::array<std::uint8_t, 256> table{};
  for (unsigned c = 0; c < 256; ++c) {
    const bool digit = c >= '0' && c <= '9';
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (digit || letter || c == '.' || c == '_' || c == '/' || c == '$' || c == '(' || c == '+' || c >= 0x80) {
      table[c] |= kPlain | kKey;
    }
    if (c == '~' || c == '=' || c == '<' || c == ')' || c == '^' || c == ';' || c == '\\') table[c] |= kPlain;
    if (digit || c == '.' || c == '+' || c == '-') table[c] |= kNumber;
  }
  for (const char c : {'y', 'Y', 'n', 'N', 't', 'T', 'f', 'F', 'o', 'O', '~'})
    table[static_cast<unsigned char>(c)] |= kWord;
  return table;
}

inline constexpr std::array<std::uint8_t, 256> kClasses = classes();

inline auto class_of(char c) -> std::uint8_t {
  return kClasses[static_cast<unsigned char>(c)];
}

/// The first `c` in [begin, end); `end` if there is none.
inline auto find(const char* begin, const char* end, char c) -> const char* {
  const auto* found = static_cast<const char*>(std::memchr(begin, c, static_cast<std::size_t>(end - begin)));
  return found == nullptr ? end : found;
}

/// The first character from `at` on that is not a blank. The text must have one.
inline auto token_at(const char* at) -> const char* {
  while (*at == ' ') ++at;
  return at;
}

/// Returns true if all characters of [begin, end) are allowed on one line of YAML; with `plain`, also if there is no
/// comment.
[[nodiscard]] auto clean(const char* begin, const char* end, bool plain) -> bool;

/// Returns true for an indicator before a non-blank, where it has no special meaning.
inline auto is_plain_mark(const char* at) -> bool {
  return (*at == '-' || *at == ':' || *at == '?') && at[1] != ' ' && at[1] != '\n';
}

/// Returns true if a line of three `c` begins at `at`, which begins or ends a document.
inline auto is_marker(const char* at, char c) -> bool {
  return at[0] == c && at[1] == c && at[2] == c && (at[3] == ' ' || at[3] == '\n');
}

/// Returns true if [begin, end) contains a colon that separates.
[[nodiscard]] auto has_separator(const char* begin, const char* end) -> bool;

/// The beginning of a comment in [begin, end): its `#`, after a blank; `end` if there is none.
[[nodiscard]] auto comment_in(const char* begin, const char* end) -> const char*;

/// Decodes the escape of a double-quoted text after the backslash at `at`; null if it is invalid.
[[nodiscard]] auto escape(const char* at, const char* end, std::string* out) -> const char*;

/// Returns true if a plain scalar may be something other than a string in YAML 1.1; false positives are possible.
[[nodiscard]] auto may_mean(std::string_view text) -> bool;

}  // namespace previct::yaml_text
