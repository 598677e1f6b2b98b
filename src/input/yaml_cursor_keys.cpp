// Keys of maps.

#include "input/yaml_cursor.h"
#include "input/yaml_scalar.h"
#include "input/yaml_source.h"

#include <algorithm>

namespace previct {

using namespace yaml_text;

auto YamlCursor::other_key() -> std::string_view {
  if (*token_ == '?' && (token_[1] == ' ' || token_[1] == '\n')) return long_key();
  const bool plain = is_plain_mark(token_) || ((class_of(*token_) & kPlain) != 0);
  if (!plain) return quoted_key();
  const std::string_view text = plain_key();
  if (text == "<<") unknown();  // merges another map
  return text;
}

// Reads `? key`, with the value on a separate line that begins with a colon.
auto YamlCursor::long_key() -> std::string_view {
  const Value key{line_begin_, token_ + 2, line_, column_, false, false};
  const char* const end = token_[1] == ' ' ? end_of(key) : nullptr;
  if (end == nullptr) {
    unknown();
    return {};
  }
  const bool colon = end + column_ < end_ && token_at(end) == end + column_ && end[column_] == ':' &&
                     (end[column_ + 1] == ' ' || end[column_ + 1] == '\n');
  if (!colon || !record_value(key, end) || recorded_[0].scalar != ScalarType::string) {
    unknown();
    return {};
  }
  leave(key, end);
  if (stopped()) return {};
  begin_value(token_);
  // The compact form `: a: b` is not supported here.
  if (value_colons_ || (value_ != line_end_ && value_[0] == '-' && value_[1] == ' ')) unknown();
  return key_texts_.emplace_back(recorded_.text(recorded_[0]));
}

auto YamlCursor::quoted_key() -> std::string_view {
  const char quote = *token_;
  const char* const close = quote == '"' || quote == '\'' ? find(token_ + 1, line_end_, quote) : line_end_;
  const bool simple = close + 1 < line_end_ && close[1] == ':' && (close[2] == ' ' || close[2] == '\n') &&
                      close - token_ < kMaxKey && find(token_, close, '\\') == close &&
                      (!odd_ || clean(token_, close, false));
  if (!simple) return escaped_key();
  begin_value(close + 1);
  return {token_ + 1, static_cast<std::size_t>(close - token_ - 1)};
}

// Moves to the value, from the colon after a key.
void YamlCursor::begin_value(const char* colon) {
  value_ = colon + 1;
  if (value_ != line_end_) pass_blanks();
  value_colons_ = has_separator(value_, line_end_);
}

void YamlCursor::pass_blanks() {
  value_ = token_at(value_);
  if (*value_ != '#') return;
  if (!ends_line(value_ - 1)) return unknown();
  value_ = line_end_;
}

void YamlCursor::pass_blanks_of_element() {
  const char* const token = token_at(token_);
  column_ = static_cast<int>(std::min<std::ptrdiff_t>(column_ + (token - token_), kMaxColumn + 1));
  token_ = token;
  // An element on the lines after its dash is not supported here.
  if (*token == '\n' || *token == '#' || column_ > kMaxColumn) unknown();
}

auto YamlCursor::ends_line(const char* at) const -> bool {
  const char* const token = token_at(at);
  if (token == line_end_) return true;
  return *token == '#' && token > at && clean(token, line_end_, false);
}

auto YamlCursor::plain_text(const char* value, int column) -> std::string_view {
  const char* end = comment_in(value, line_end_);
  const bool comment = end != line_end_;
  while (end[-1] == ' ') --end;
  bool good = !has_separator(value, end) && (!odd_ || clean(value, line_end_, false));
  if (good && comment) {
    // A comment ends the scalar; a continuation after it is not supported here.
    const char* const next = line_end_ + 1;
    good = next < end_ && token_at(next) - next <= column && *token_at(next) != '\n';
    if (next >= end_) out_of_text();
  }
  if (!good) unknown();
  return stopped() ? std::string_view() : std::string_view(value, static_cast<std::size_t>(end - value));
}

auto YamlCursor::escaped_key() -> std::string_view {
  if (*token_ != '"' && *token_ != '\'') {
    unknown();
    return {};
  }
  const std::uint32_t line = line_;
  std::string& text = key_texts_.emplace_back();
  const char* const colon = pass_quoted(token_, column_, &text);
  const bool simple = !stopped() && line_ == line && colon[0] == ':' && (colon[1] == ' ' || colon[1] == '\n') &&
                      colon - token_ < kMaxKey;
  if (!simple) {
    unknown();
    return {};
  }
  begin_value(colon);
  return text;
}

// A quoted text is a key if a colon follows it.
auto YamlCursor::at_key() -> bool {
  if (colon_ == nullptr) return false;
  if (*token_ != '"' && *token_ != '\'') return !odd_ || comment_in(token_, colon_) == colon_;
  // A key ends on the line on which it begins.
  for (const char* at = token_ + 1; at < line_end_; ++at) {
    if (*at == '\\' && *token_ == '"') {
      ++at;
    } else if (*at == *token_ && *at == '\'' && at[1] == '\'') {
      ++at;
    } else if (*at == *token_) {
      return at[1] == ':' && (at[2] == ' ' || at[2] == '\n');
    }
  }
  return false;
}

auto YamlCursor::wanted_key() -> std::string_view {
  const bool plain = *token_ != '"' && *token_ != '\'' && *token_ != '?';
  const std::string_view text = key();
  if (stopped()) return {};
  parent_ = column_;
  under_key_ = true;
  const bool other = plain && !text.empty() && may_mean(text);
  if (other && resolve_plain(text, resolved_).type != ScalarType::string) unknown();
  return text;
}

}  // namespace previct
