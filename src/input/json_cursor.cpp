#include "input/json_cursor.h"

#include "base/ascii.h"
#include "base/text.h"
#include "input/line_scan.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace previct {
namespace {

/// The number of bytes before the next quote, backslash, control character or non-ASCII character.
auto plain_size(const char* at) -> std::size_t {
  std::size_t size = 0;
#if defined(PREVICT_SIXTEEN_BYTES)
  const auto quote = SixteenBytes::all('"');
  const auto backslash = SixteenBytes::all('\\');
  const auto blank = SixteenBytes::all(' ');
  for (;; size += 16) {
    const auto bytes = SixteenBytes::at(at + size);
    const std::uint32_t found = ((bytes == quote) | (bytes == backslash) | (bytes < blank)).bits();
    if (found != 0) return size + static_cast<unsigned>(std::countr_zero(found));
  }
#else
  for (;; ++size) {
    const auto byte = static_cast<unsigned char>(at[size]);
    if (byte == '"' || byte == '\\' || byte < 0x20 || byte >= 0x80) return size;
  }
#endif
}

auto hex_value(const char* at) -> std::uint32_t {
  std::uint32_t value = 0;
  for (int i = 0; i < 4; ++i) {
    const char c = at[i];
    const int digit = is_digit(c) ? c - '0' : (c | 0x20) >= 'a' && (c | 0x20) <= 'f' ? (c | 0x20) - 'a' + 10 : -1;
    if (digit < 0) return UINT32_MAX;
    value = value << 4U | static_cast<std::uint32_t>(digit);
  }
  return value;
}

}  // namespace

void JsonCursor::enter(const char* at, const char* end, bool whole, std::uint32_t lines, std::size_t column) {
  at_ = at;
  end_ = end;
  whole_ = whole;
  stop_ = Stop::no;
  why_ = FallbackReason::syntax;
  lines_ = lines;
  column_ = column;
  line_begin_ = nullptr;
  key_ = {};
  begin_item();
  skip_blanks();
}

void JsonCursor::skip_more_blanks() {
  for (;;) {
    if (*at_ == '\n') {
      ++lines_;
      line_begin_ = at_ + 1;
    } else if (*at_ != ' ' && *at_ != '\t' && *at_ != '\r') {
      return;
    }
    ++at_;
    while (std::memcmp(at_, "        ", 8) == 0) at_ += 8;
  }
}

auto JsonCursor::take(char c) -> bool {
  skip_blanks();
  if (*at_ != c) return false;
  ++at_;
  value_end_ = at_;
  return true;
}

auto JsonCursor::enter_container(char open) -> bool {
  if (*at_ != open) return false;
  ++at_;
  return true;
}

// The text is followed by zero bytes, which end every run like a control character.
auto JsonCursor::pass_text() -> bool {
  const char* const begin = ++at_;
  bool escapes = false;
  bool ascii = true;
  for (;;) {
    at_ += plain_size(at_);
    const char c = *at_;
    if (c == '"') break;
    if (c == '\\') {
      escapes = true;
      const char letter = at_[1];
      if (letter == 'u') {
        if (hex_value(at_ + 2) == UINT32_MAX) {
          if (end_ - at_ < 6) at_ = end_;
          unknown();
          return escapes;
        }
        at_ += 6;
      } else if (letter == '"' || letter == '\\' || letter == '/' || letter == 'b' || letter == 'f' || letter == 'n' ||
                 letter == 'r' || letter == 't') {
        at_ += 2;
      } else {
        if (end_ - at_ < 2) at_ = end_;
        unknown();
        return escapes;
      }
    } else if (static_cast<unsigned char>(c) >= 0x80) {
      ascii = false;
      ++at_;
    } else {
      unknown();
      return escapes;
    }
  }
  if (at_ >= end_) {
    unknown();
  } else if (!ascii &&
             valid_utf8_size({begin, static_cast<std::size_t>(at_ - begin)}) != static_cast<std::size_t>(at_ - begin)) {
    if (stop_ == Stop::no) stop_ = Stop::unknown;
  }
  ++at_;
  value_end_ = at_;
  return escapes;
}

auto JsonCursor::simple_text() -> std::string_view {
  if (*at_ != '"') {
    unknown();
    return {};
  }
  const char* const begin = at_ + 1;
  if (pass_text()) unknown();
  return {begin, static_cast<std::size_t>(at_ - 1 - begin)};
}

void JsonCursor::pass_rest_of_map() {
  while (!stopped() && take(',')) {
    skip_blanks();
    if (*at_ != '"') return unknown();
    pass_text();
    if (stopped() || !take(':')) return unknown();
    skip_blanks();
    skip();
  }
  if (!stopped() && !take('}')) unknown();
}

void JsonCursor::pass_number() {
  const char* at = at_;
  if (*at == '-') ++at;
  const bool zero = *at == '0';
  const char* digits = at;
  while (is_digit(*at)) ++at;
  bool good = at > digits && (!zero || at == digits + 1);
  if (*at == '.') {
    digits = ++at;
    while (is_digit(*at)) ++at;
    good = good && at > digits;
  }
  if (*at == 'e' || *at == 'E') {
    ++at;
    if (*at == '+' || *at == '-') ++at;
    digits = at;
    while (is_digit(*at)) ++at;
    good = good && at > digits;
  }
  at_ = at;
  value_end_ = at;
  // At the end of the available text, the number may continue.
  if (!good || at >= end_) unknown();
}

void JsonCursor::pass_word() {
  const std::string_view word = *at_ == 't' ? "true" : *at_ == 'f' ? "false" : "null";
  if (static_cast<std::size_t>(end_ - at_) <= word.size()) {
    at_ = end_;
    return unknown();
  }
  if (std::memcmp(at_, word.data(), word.size()) != 0) return unknown();
  at_ += word.size();
  value_end_ = at_;
  const char next = *at_;
  const bool ends =
      next == ',' || next == '}' || next == ']' || next == ' ' || next == '\n' || next == '\r' || next == '\t';
  if (!ends) unknown();
}

void JsonCursor::skip() {
  const char first = *at_;
  if (first == '"') {
    pass_text();
  } else if (first == '{' || first == '[') {
    const auto key =
        key_.empty() ? 0U : static_cast<unsigned>(key_.size()) * 7 + static_cast<unsigned char>(key_.back());
    skip_repeated(key, [this] { pass_container(); });
  } else if (first == '-' || is_digit(first)) {
    pass_number();
  } else {
    pass_word();
  }
}

// NOLINTNEXTLINE(readability-function-cognitive-complexity): characters, each in its place
void JsonCursor::pass_container() {
  std::array<bool, kMaxDepth> maps{};
  std::size_t depth = 0;
  for (;;) {
    // The cursor is at a value.
    const char first = *at_;
    if (first == '{' || first == '[') {
      if (depth == kMaxDepth) return unknown();
      const bool map = first == '{';
      maps[depth++] = map;
      ++at_;
      skip_blanks();
      if (*at_ == (map ? '}' : ']')) {
        ++at_;
        --depth;
      } else if (!map) {
        continue;
      } else {
        if (*at_ != '"') return unknown();
        pass_text();
        if (stopped() || !take(':')) return unknown();
        skip_blanks();
        continue;
      }
    } else if (first == '"') {
      pass_text();
    } else if (first == '-' || is_digit(first)) {
      pass_number();
    } else {
      pass_word();
    }
    // The cursor is after a value.
    for (;;) {
      if (stopped()) return;
      if (depth == 0) {
        value_end_ = at_;
        return;
      }
      skip_blanks();
      const bool map = maps[depth - 1];
      if (*at_ == ',') {
        ++at_;
        skip_blanks();
        if (!map) break;
        if (*at_ != '"') return unknown();
        pass_text();
        if (stopped() || !take(':')) return unknown();
        skip_blanks();
        break;
      }
      if (*at_ != (map ? '}' : ']')) return unknown();
      ++at_;
      --depth;
    }
  }
}

void JsonCursor::skip_string() {
  *at_ == '"' ? static_cast<void>(pass_text()) : unknown();
}

auto JsonCursor::peek() -> Scalar {
  const char* const begin = at_;
  const auto text = [&] { return std::string_view(begin, static_cast<std::size_t>(at_ - begin)); };
  switch (*begin) {
    case '{':
    case '[': return {ScalarType::null, {}, false};
    case '"': {
      const bool escapes = pass_text();
      const std::string_view inside = text().size() < 2 ? std::string_view() : text().substr(1, text().size() - 2);
      return {ScalarType::string, escapes && !stopped() ? unescaped(inside) : inside};
    }
    case 't':
    case 'f': pass_word(); return {ScalarType::boolean, text()};
    case 'n': pass_word(); return {ScalarType::null, text()};
    default: break;
  }
  pass_number();
  const bool integer = text().find_first_of(".eE") == std::string_view::npos;
  return {integer ? ScalarType::integer : ScalarType::floating, text()};
}

// Half of a surrogate pair is never written by an API server: stop, and let the general reader report it.
auto JsonCursor::unescaped(std::string_view text) -> std::string_view {
  constexpr std::string_view kLetters = "\"\\/bfnrt";
  constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
  scratch_.clear();
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] != '\\') {
      scratch_ += text[i++];
      continue;
    }
    if (text[i + 1] != 'u') {
      scratch_ += kMeanings[kLetters.find(text[i + 1])];
      i += 2;
      continue;
    }
    char32_t value = hex_value(text.data() + i + 2);
    i += 6;
    if (value >= 0xd800 && value < 0xdc00 && text.substr(i, 2) == "\\u") {
      const char32_t low = hex_value(text.data() + i + 2);
      if (low >= 0xdc00 && low < 0xe000) {
        value = 0x10000 + ((value - 0xd800) << 10U) + (low - 0xdc00);
        i += 6;
      }
    }
    if (value >= 0xd800 && value < 0xe000) unknown();
    append_utf8(scratch_, value);
  }
  return scratch_;
}

auto JsonCursor::present() -> bool {
  const bool list = *at_ == '[';
  bool nothing = *at_ == 'n';
  if (list) {
    const char* at = at_ + 1;
    while (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t') ++at;
    nothing = *at == ']';
  }
  skip();
  return !nothing;
}

auto JsonCursor::repeated(const Mark& mark) const -> RepeatedText {
  if (stopped()) return {};
  return {{mark.begin, static_cast<std::size_t>(value_end_ - mark.begin)}, lines_ - mark.lines, 0};
}

void JsonCursor::enter_object(const Here& here) {
  stop_ = Stop::no;
  begin_item();
  at_ = here.at;
  lines_ = here.line;
  line_begin_ = nullptr;
}

auto JsonCursor::key_at(std::string_view key, const Here& origin) const -> Part {
  Part part;
  part.begin = static_cast<std::uint32_t>(key.data() - 1 - origin.at);
  part.value = static_cast<std::uint32_t>(at_ - origin.at);
  part.key = part.begin + 1;
  part.key_size = static_cast<std::uint32_t>(key.size());
  part.begin_lines = lines_ - origin.line - static_cast<std::uint32_t>(std::count(key.data() + key.size(), at_, '\n'));
  return part;
}

auto JsonCursor::element_at(const Here& origin) const -> Part {
  Part part;
  part.begin = part.value = static_cast<std::uint32_t>(at_ - origin.at);
  part.begin_lines = lines_ - origin.line;
  return part;
}

auto JsonCursor::resume(const Part& /*part*/, const Here& here) -> std::string_view {
  at_ = here.at;
  lines_ = here.line;
  const std::string_view key = simple_text();
  if (stopped() || !take(':')) {
    unknown();
    return {};
  }
  skip_blanks();
  return key;
}

auto JsonCursor::simple_end(const char* value, bool /*text*/) const -> const char* {
  if (*value != '"') return nullptr;
  const char* const close = value + 1 + plain_size(value + 1);
  return close < end_ && *close == '"' ? close + 1 : nullptr;
}

// An object ends with the first line that is indented less than its first key.
auto JsonCursor::shape() -> std::uint32_t {
  if (at_[0] != '{' || at_[1] != '\n') return 0;
  const char* key = at_ + 2;
  while (*key == ' ' || *key == '\t') ++key;
  const std::ptrdiff_t indent = key - at_ - 2;
  if (indent == 0 || indent > static_cast<std::ptrdiff_t>(kScanPadding)) return 0;
  const char* const blanks = at_ + 2;
  const auto is_last = [&](const char* line) {
    return std::memcmp(line, blanks, static_cast<std::size_t>(indent)) != 0;
  };
  // Larger objects are not kept as patterns, and an object with unusual indentation may appear to have no end.
  const char* const limit = at_ + std::min<std::ptrdiff_t>(end_ - at_, Pattern::kMaxText);
  // The closing brace is in the column of the opening one.
  const LastLine last{std::min(column_, static_cast<std::size_t>(indent) - 1), blanks[0]};
  const std::uint32_t shape = shape_of_lines(blanks, limit, '{', last, is_last);
  if (shape == 0 && limit == end_) out_of_text();
  return shape;
}

auto JsonCursor::finish(const Here& here, const Here& begin) -> bool {
  at_ = value_end_ = here.at;
  lines_ = here.line;
  line_begin_ = nullptr;
  if (here.line == begin.line) return true;
  line_begin_ = at_;
  while (line_begin_[-1] != '\n') --line_begin_;
  return true;
}

auto JsonCursor::pass_same(const RepeatedText& last) -> bool {
  const std::size_t size = last.text.size();
  if (static_cast<std::size_t>(end_ - at_) <= size || std::memcmp(at_, last.text.data(), size) != 0) return false;
  at_ += size;
  value_end_ = at_;
  if (last.lines > 0) {
    lines_ += last.lines;
    line_begin_ = at_ - (last.text.size() - 1 - last.text.rfind('\n'));
  }
  return true;
}

}  // namespace previct
