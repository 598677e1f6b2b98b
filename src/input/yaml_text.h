#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

/// What all readers of YAML text need to know of its characters.
/// Source: libyaml 0.2.5 scanner.c, reader.c.
namespace previct::yaml_text {

/// What a scalar may begin with.
enum : std::uint8_t {
  kPlain = 1,  ///< no quotes and nothing that means something
  kKey = 2,    ///< the same for a key
  kWord = 4,   ///< words that YAML 1.1 takes for booleans and null
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

/// The first character from `at` on that is no blank. The text must hold one.
inline auto token_at(const char* at) -> const char* {
  while (*at == ' ') ++at;
  return at;
}

/// True if all of [begin, end) are characters that YAML text can hold on one line; with `plain`, also no comment.
[[nodiscard]] auto clean(const char* begin, const char* end, bool plain) -> bool;

/// A mark that means something before a blank, and nothing before anything else.
inline auto is_plain_mark(const char* at) -> bool {
  return (*at == '-' || *at == ':' || *at == '?') && at[1] != ' ' && at[1] != '\n';
}

/// Does a colon that separates stand in [begin, end)?
[[nodiscard]] auto has_separator(const char* begin, const char* end) -> bool;

/// Where a comment begins in [begin, end): its `#`, behind a blank; `end` if there is none.
[[nodiscard]] auto comment_in(const char* begin, const char* end) -> const char*;

/// Reads the escape of a double-quoted text behind the backslash at `at`; null if it is none.
[[nodiscard]] auto escape(const char* at, const char* end, std::string* out) -> const char*;

/// May the plain scalar be anything but a string, to YAML 1.1? Wrong only in saying yes.
[[nodiscard]] auto may_mean(std::string_view text) -> bool;

}  // namespace previct::yaml_text
