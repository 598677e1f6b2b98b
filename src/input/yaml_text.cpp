#include "input/yaml_text.h"

#include "base/text.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace previct {
namespace {

/// Returns true if the text may be a number in YAML 1.1; false positives are possible.
auto may_be_number(std::string_view text) -> bool {
  const bool digit = text.front() >= '0' && text.front() <= '9';
  std::size_t at = text.front() == '+' || text.front() == '-' ? 1 : 0;
  if (at < text.size() && text[at] == '0' && at + 1 < text.size() && text[at + 1] >= 'A') return true;  // 0x, 0b, 0o
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if ((c >= '0' && c <= '9') || c == '.' || c == '_') continue;
    if (c != 'e' && c != 'E') return !digit && text.size() <= 5;  // .nan, +.inf
    if (at + 1 < text.size() && (text[at + 1] == '+' || text[at + 1] == '-')) ++at;
  }
  return true;
}

/// Returns true if the text may be a boolean or null in YAML 1.1; false positives are possible.
auto may_be_word(std::string_view text) -> bool {
  const char last = static_cast<char>(text.back() | 0x20);
  switch (text.size()) {
    case 1: return true;                                                     // y n ~
    case 2: return last == 'n' || last == 'o';                               // on no
    case 3: return last == 's' || last == 'f';                               // yes off
    case 4: return (last == 'e' && (text[2] | 0x20) == 'u') || last == 'l';  // true null
    case 5: return last == 'e' && (text[3] | 0x20) == 's';                   // false
    default: return false;
  }
}

auto is_hex(char c) -> bool {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

}  // namespace

auto yaml_text::has_separator(const char* begin, const char* end) -> bool {
  for (const char* at = find(begin, end, ':'); at != end; at = find(at + 1, end, ':')) {
    if (at[1] == ' ' || at[1] == '\n') return true;
  }
  return false;
}

auto yaml_text::comment_in(const char* begin, const char* end) -> const char* {
  for (const char* at = find(begin, end, '#'); at != end; at = find(at + 1, end, '#')) {
    if (at[-1] == ' ') return at;
  }
  return end;
}

auto yaml_text::may_mean(std::string_view text) -> bool {
  const std::uint8_t kind = class_of(text.front());
  return ((kind & kWord) != 0 && may_be_word(text)) || ((kind & kNumber) != 0 && may_be_number(text));
}

auto yaml_text::escape(const char* at, const char* end, std::string* out) -> const char* {
  constexpr std::string_view kLetters = "0abt\tnvfre \"\\/N_LP";
  constexpr std::array<std::string_view, 18> kMeanings = {std::string_view("\0", 1),
                                                          "\a",
                                                          "\b",
                                                          "\t",
                                                          "\t",
                                                          "\n",
                                                          "\v",
                                                          "\f",
                                                          "\r",
                                                          "\x1b",
                                                          " ",
                                                          "\"",
                                                          "\\",
                                                          "/",
                                                          "\xc2\x85",
                                                          "\xc2\xa0",
                                                          "\xe2\x80\xa8",
                                                          "\xe2\x80\xa9"};
  const char letter = at[1];
  const std::size_t known = letter == '\t' ? std::string_view::npos : kLetters.find(letter);
  if (known != std::string_view::npos) {
    if (out != nullptr) *out += kMeanings[known];
    return at + 2;
  }
  const int digits = letter == 'x' ? 2 : letter == 'u' ? 4 : letter == 'U' ? 8 : 0;
  if (digits == 0 || end - at < digits + 2 || !std::all_of(at + 2, at + 2 + digits, is_hex)) return nullptr;
  std::uint32_t value = 0;
  for (int i = 0; i < digits; ++i) {
    const char c = at[2 + i];
    value = value << 4U | static_cast<std::uint32_t>(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
  }
  if ((value >= 0xd800 && value <= 0xdfff) || value > 0x10ffff) return nullptr;
  if (out != nullptr) append_utf8(*out, value);
  return at + 2 + digits;
}

// U+0085, U+2028 and U+2029 end a line in YAML 1.1; C1 controls, U+FEFF and U+FFFE are not allowed.
auto yaml_text::clean(const char* begin, const char* end, bool plain) -> bool {
  for (const char* at = begin; at < end;) {
    const auto byte = static_cast<unsigned char>(*at);
    if (byte >= 0x20 && byte < 0x7f) {
      if (byte == '#' && plain && at[-1] == ' ') return false;
      ++at;
      continue;
    }
    if (byte < 0x80) return false;
    const DecodedCharacter c = decode_utf8({at, static_cast<std::size_t>(end - at)});
    const bool never = c.length == 0 || c.value < 0xa0 || c.value == 0x2028 || c.value == 0x2029 || c.value == 0xfeff ||
                       c.value == 0xfffe || c.value == 0xffff;
    if (never) return false;
    at += c.length;
  }
  return true;
}

}  // namespace previct
