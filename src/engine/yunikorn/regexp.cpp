#include "engine/yunikorn/regexp.h"

#include "base/ascii.h"
#include "base/text.h"

#include <algorithm>
#include <array>
#include <optional>

namespace previct::yunikorn {
namespace {

auto is_word(char c) -> bool {
  return is_letter(c) || is_digit(c) || c == '_';
}
auto is_octal(char c) -> bool {
  return c >= '0' && c <= '7';
}
auto hex_value(char c) -> int {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/// Reads an expression from left to right, as Go does, and keeps only what a refusal may depend on.
class Expression {
 public:
  explicit Expression(std::string_view text) : rest_(text) {}

  auto fault() -> std::string {
    while (!rest_.empty() && fault_.empty()) {
      const bool after_repeat = repeated_;
      repeated_ = false;
      item(after_repeat);
    }
    if (fault_.empty() && open_ > 0) refuse("missing closing )");
    return fault_;
  }

 private:
  void refuse(std::string_view why) {
    fault_ = why;
    rest_ = {};
  }
  [[nodiscard]] auto at(std::size_t i) const -> char { return i < rest_.size() ? rest_[i] : '\0'; }
  auto starts(std::string_view with) -> bool {
    if (!rest_.starts_with(with)) return false;
    rest_.remove_prefix(with.size());
    return true;
  }
  auto take() -> char32_t {
    const DecodedCharacter character = decode_utf8(rest_);
    rest_.remove_prefix(std::max<std::size_t>(character.length, 1));
    return character.value;
  }

  void item(bool after_repeat) {
    switch (rest_.front()) {
      case '(': rest_.substr(1).starts_with('?') ? group_with_flags() : open(); break;
      case '|':
        rest_.remove_prefix(1);
        repeatable_ = false;
        break;
      case ')': close(); break;
      case '[': set(); break;
      case '*':
      case '+':
      case '?':
        rest_.remove_prefix(1);
        repeat(after_repeat);
        break;
      case '{': counted(after_repeat); break;
      case '\\': escape(); break;
      default: take(); repeatable_ = true;
    }
  }

  void open() {
    rest_.remove_prefix(1);
    ++open_;
    repeatable_ = false;
  }
  void close() {
    rest_.remove_prefix(1);
    if (open_ == 0) return refuse("unexpected )");
    --open_;
    repeatable_ = true;
  }

  // parsePerlFlags: names, flags, and groups that capture nothing.
  void group_with_flags() {
    constexpr std::string_view kBad = "invalid or unsupported Perl syntax";
    if (rest_.starts_with("(?P<") || rest_.starts_with("(?<")) {
      rest_.remove_prefix(rest_.find('<') + 1);
      const std::size_t end = rest_.find('>');
      const std::string_view name = rest_.substr(0, end);
      if (end == std::string_view::npos || name.empty() || !std::all_of(name.begin(), name.end(), is_word))
        return refuse("invalid named capture");
      rest_.remove_prefix(end);  // `>` stands for the parenthesis
      return open();
    }
    rest_.remove_prefix(2);
    bool negative = false;
    bool flag = false;
    while (!rest_.empty()) {
      const char c = rest_.front();
      if (c == ':' && !(negative && !flag)) return open();
      rest_.remove_prefix(1);
      if (c == ')' && !(negative && !flag)) return;
      if (c == '-' && !negative) {
        negative = true;
        flag = false;
      } else if (std::string_view("imsU").find(c) != std::string_view::npos) {
        flag = true;
      } else {
        return refuse(kBad);
      }
    }
    refuse(kBad);
  }

  void repeat(bool after_repeat) {
    starts("?");  // as few as possible
    if (after_repeat) return refuse("invalid nested repetition operator");
    if (!repeatable_) return refuse("missing argument to repetition operator");
    repeated_ = true;
  }

  /// parseInt: no leading zeros; numbers of more digits are too large all the same.
  auto number() -> std::optional<int> {
    constexpr std::size_t kMostDigits = 7;
    const std::size_t digits = std::min(rest_.find_first_not_of("0123456789"), rest_.size());
    if (digits == 0 || (digits > 1 && rest_.front() == '0')) return {};
    int value = 0;
    for (const char c : rest_.substr(0, std::min(digits, kMostDigits))) value = value * 10 + (c - '0');
    rest_.remove_prefix(digits);
    return value;
  }

  // `{2,3}`; any other brace is a character.
  void counted(bool after_repeat) {
    constexpr int kMost = 1000;
    const std::string_view before = rest_;
    const auto is_character = [&] {
      rest_ = before.substr(1);
      repeatable_ = true;
    };
    rest_.remove_prefix(1);
    const std::optional<int> least = number();
    if (!least) return is_character();
    std::optional<int> most = least;
    if (starts(",")) most = at(0) == '}' ? std::optional<int>(kMost) : number();
    if (!most || !starts("}")) return is_character();
    if (*least > kMost || *most > kMost || *least > *most) return refuse("invalid repeat count");
    repeat(after_repeat);
  }

  void escape() {
    const char c = at(1);
    repeatable_ = c == 'Q' ? repeatable_ : true;
    if (c == 'Q') {
      rest_.remove_prefix(2);
      const std::size_t end = rest_.find("\\E");
      if (end != 0 && !rest_.empty()) repeatable_ = true;
      rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 2);
    } else if (rest_.size() > 1 && std::string_view("AbBz").find(c) != std::string_view::npos) {
      rest_.remove_prefix(2);
    } else if (!class_escape()) {
      character();
    }
  }

  /// `\d`, `\pL`, `\p{Greek}`.
  auto class_escape() -> bool {
    if (rest_.size() < 2 || rest_.front() != '\\') return false;
    const char c = rest_[1];
    if (std::string_view("dDsSwW").find(c) != std::string_view::npos) {
      rest_.remove_prefix(2);
      return true;
    }
    if (c != 'p' && c != 'P') return false;
    rest_.remove_prefix(2);
    if (rest_.empty()) return refuse("invalid character class range"), true;
    if (take() != U'{') return true;
    const std::size_t end = rest_.find('}');
    if (end == std::string_view::npos) return refuse("invalid character class range"), true;
    rest_.remove_prefix(end + 1);
    return true;
  }

  /// One character, escaped or not.
  auto character() -> char32_t {
    if (rest_.front() != '\\') return take();
    rest_.remove_prefix(1);
    if (rest_.empty()) return refuse("trailing backslash at end of expression"), U'\0';
    const char32_t c = take();
    constexpr std::string_view kNames = "afnrtv";
    constexpr std::array<char32_t, 6> kValues = {U'\a', U'\f', U'\n', U'\r', U'\t', U'\v'};
    constexpr char32_t kAscii = 0x80;
    if (c < kAscii) {
      const char ascii = static_cast<char>(c);
      if (ascii == '0' || (is_octal(ascii) && is_octal(at(0)))) return octal(c - U'0');
      if (ascii == 'x') return hexadecimal();
      if (const std::size_t i = kNames.find(ascii); i != std::string_view::npos) return kValues[i];
      if (!is_word(ascii) || ascii == '_') return c;
    }
    return refuse("invalid escape sequence"), U'\0';
  }
  auto octal(char32_t value) -> char32_t {
    for (int i = 1; i < 3 && is_octal(at(0)); ++i) value = value * 8 + (take() - U'0');
    return value;
  }
  auto hexadecimal() -> char32_t {
    constexpr char32_t kHighest = 0x10FFFF;
    const bool braces = starts("{");
    char32_t value = 0;
    std::size_t digits = 0;
    while (hex_value(at(0)) >= 0 && (braces || digits < 2) && value <= kHighest) {
      value = value * 16 + static_cast<char32_t>(hex_value(at(0)));
      rest_.remove_prefix(1);
      ++digits;
    }
    const bool good = braces ? digits > 0 && starts("}") && value <= kHighest : digits == 2;
    if (!good) refuse("invalid escape sequence");
    return value;
  }

  // `[^]a-z\d[:alpha:]]`
  void set() {
    rest_.remove_prefix(1);
    starts("^");
    repeatable_ = true;
    for (bool first = true; first || at(0) != ']'; first = false) {
      if (rest_.empty()) return refuse("missing closing ]");
      if (named_class() || class_escape()) {
        if (!fault_.empty()) return;
        continue;
      }
      const char32_t low = character();
      char32_t high = low;
      if (at(0) == '-' && rest_.size() > 1 && rest_[1] != ']') {
        rest_.remove_prefix(1);
        high = character();
      }
      if (!fault_.empty()) return;
      if (high < low) return refuse("invalid character class range");
    }
    rest_.remove_prefix(1);
  }

  /// `[:alpha:]`
  auto named_class() -> bool {
    constexpr std::array<std::string_view, 14> kNames = {"alnum", "alpha", "ascii", "blank", "cntrl",
                                                         "digit", "graph", "lower", "print", "punct",
                                                         "space", "upper", "word",  "xdigit"};
    const std::size_t end = rest_.starts_with("[:") ? rest_.find(":]", 2) : std::string_view::npos;
    if (end == std::string_view::npos) return false;
    std::string_view name = rest_.substr(2, end - 2);
    if (name.starts_with('^')) name.remove_prefix(1);
    rest_.remove_prefix(end + 2);
    if (std::find(kNames.begin(), kNames.end(), name) == kNames.end()) refuse("invalid character class range");
    return true;
  }

  std::string_view rest_;
  std::string fault_;
  std::size_t open_ = 0;     // groups
  bool repeatable_ = false;  // something stands before
  bool repeated_ = false;    // and it is repeated already
};

}  // namespace

auto regexp_fault(std::string_view expression) -> std::string {
  return Expression(expression).fault();
}

}  // namespace previct::yunikorn
