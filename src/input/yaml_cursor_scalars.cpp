// Reads and skips scalars in the styles that people and tools use.

#include "input/yaml_cursor.h"
#include "input/yaml_scalar.h"

#include <algorithm>

namespace previct {

using namespace yaml_text;

namespace {

/// Returns true for an integer in its usual decimal form.
auto is_plain_number(std::string_view text) -> bool {
  constexpr std::size_t kMostDigits = 18;
  return text.size() <= kMostDigits && (text.front() != '0' || text.size() == 1) &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

auto YamlCursor::resolved(std::string_view text) -> Scalar {
  if (!may_mean(text)) return {ScalarType::string, text};
  if (is_plain_number(text)) return {ScalarType::integer, text};
  const ResolvedScalar scalar = resolve_plain(text, resolved_);
  return {scalar.type, scalar.text};
}

auto YamlCursor::peek() -> Scalar {
  if (alone_) return scalar_;
  if (is_recorded_) {
    const Tape::Entry& entry = recorded_[recorded_at_];
    const bool scalar = entry.type == EventType::scalar;
    if (scalar) skip_recorded();
    return {entry.scalar, recorded_.text(entry), scalar};
  }
  const Value value = value_at_hand();
  const Scalar scalar = usual_scalar();
  return stop_ == Stop::unknown && !value.nested ? read_generally(value) : scalar;
}

auto YamlCursor::usual_scalar() -> Scalar {
  if (value_ == line_end_ || dash_ || (!under_key_ && at_key())) return {ScalarType::null, {}, false};
  if ((class_of(*value_) & kPlain) == 0) return special_scalar(value_);
  const std::string_view text = is_plain(value_)
                                    ? std::string_view(value_, static_cast<std::size_t>(line_end_ - value_))
                                    : plain_text(value_, parent_);
  if (stopped()) return {};
  next();
  if (stopped()) return {};
  if (column_ <= parent_) return resolved(text);
  scratch_ = text;
  pass_continued(parent_, &scratch_);
  return stopped() ? Scalar{} : resolved(scratch_);
}

auto YamlCursor::special_scalar(const char* value) -> Scalar {
  scratch_.clear();
  const char first = *value;
  if (first == '"' || first == '\'') {
    const char* const close = find(value + 1, line_end_, first);
    if (close + 1 == line_end_ && !odd_ && (first == '\'' || find(value + 1, close, '\\') == close)) {
      next();
      return {ScalarType::string, {value + 1, static_cast<std::size_t>(close - value - 1)}};
    }
    const char* const behind = pass_quoted(value, parent_, &scratch_);
    if (behind == nullptr || !ends_line(behind)) unknown();
    if (!stopped()) next();
    return {ScalarType::string, scratch_};
  }
  if (first == '|') {
    pass_literal(value, parent_, &scratch_);
    return {ScalarType::string, scratch_};
  }
  if (is_plain_mark(value)) {
    if (!is_plain(value)) unknown();
    scratch_.assign(value, line_end_);
    if (stopped()) return {};
    next();
    if (column_ > parent_) pass_continued(parent_, &scratch_);
    return stopped() ? Scalar{} : resolved(scratch_);
  }
  if (first != '[' && first != '{') unknown();
  return {ScalarType::null, {}, false};
}

void YamlCursor::skip_string() {
  if (is_recorded_) {
    const Tape::Entry& entry = recorded_[recorded_at_];
    if (entry.type != EventType::scalar || entry.scalar != ScalarType::string)
      return unknown(FallbackReason::other_type);
    return skip_recorded();
  }
  if (alone_ || value_ == line_end_) return unknown();
  const char first = *value_;
  if (first != '"' && first != '\'' && first != '|') {
    const Scalar scalar = peek();
    if (!scalar.scalar || scalar.type != ScalarType::string) unknown();
    return;
  }
  skip();
}

void YamlCursor::pass_special(const char* value, int column) {
  const char first = *value;
  if (first == '"' || first == '\'') {
    const char* const close = find(value + 1, line_end_, first);
    const bool simple = close + 1 == line_end_ && !odd_ && (first == '\'' || find(value + 1, close, '\\') == close);
    const char* const behind = simple ? line_end_ : pass_quoted(value, column, nullptr);
    if (behind == nullptr || !ends_line(behind)) return unknown();
  } else if (first == '|') {
    return pass_literal(value, column, nullptr);
  } else if (is_plain_mark(value)) {
    return pass_plain(value, column);
  } else {
    const bool empty =
        value + 2 == line_end_ && ((first == '{' && value[1] == '}') || (first == '[' && value[1] == ']'));
    if (!empty) return unknown();
  }
  if (!stopped()) next();
}

// Skips the continuation lines of a plain scalar. Appends each of them to `out`, after a blank.
void YamlCursor::pass_continued(int column, std::string* out) {
  const char* const begin = line_begin_;
  while (!stopped() && column_ > column) {
    // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): as it has not stopped, there is a token
    const bool text = !gap_ && colon_ == nullptr && *token_ != '#' && line_end_[-1] != ' ' &&
                      (!odd_ || clean(token_, line_end_, true));
    if (!text || static_cast<std::size_t>(line_end_ - begin) > kMaxText) return unknown();
    if (out != nullptr) {
      *out += ' ';
      out->append(token_, line_end_);
    }
    next();
  }
}

// Returns the position after the closing quote, on the current line.
// NOLINTNEXTLINE(readability-function-cognitive-complexity): each character in its place
// NOLINTNEXTLINE(readability-function-cognitive-complexity): characters, each in its place
auto YamlCursor::pass_quoted(const char* value, int column, std::string* out) -> const char* {
  const char quote = *value;
  const char* const begin = value;
  const char* at = value + 1;
  if (odd_ && !clean(at, line_end_, false)) unknown();
  bool joined = false;  // the line break is escaped
  while (!stopped()) {
    if (at == line_end_) {
      if (!joined && at[-1] == ' ') unknown();
      next();
      if (gap_ || column_ <= column || static_cast<std::size_t>(line_end_ - begin) > kMaxText) unknown();
      if (stopped() || (odd_ && !clean(token_, line_end_, false))) break;
      if (!joined && out != nullptr) *out += ' ';
      joined = false;
      at = token_;
      continue;
    }
    const char c = *at;
    if (c == quote) {
      if (quote == '"' || at[1] != '\'') return at + 1;
      if (out != nullptr) *out += '\'';
      at += 2;
    } else if (c == '\\' && quote == '"') {
      if (at + 1 == line_end_) {
        joined = true;
        ++at;
        continue;
      }
      at = escape(at, line_end_, out);
      if (at == nullptr) break;
    } else {
      if (out != nullptr) *out += c;
      ++at;
    }
  }
  unknown();
  return nullptr;
}

// NOLINTNEXTLINE(readability-function-cognitive-complexity): characters, each in its place
void YamlCursor::pass_literal(const char* value, int column, std::string* out) {
  // The header: how to treat the final line ends, and the indentation if the text begins with a blank or an empty line.
  char keep = ' ';
  int indent = 0;
  const char* at = value + 1;
  for (; at != line_end_; ++at) {
    if ((*at == '-' || *at == '+') && keep == ' ') {
      keep = *at;
    } else if (*at >= '1' && *at <= '9' && indent == 0) {
      indent = std::max(column, 0) + (*at - '0');
    } else {
      return unknown();
    }
  }
  const char* const begin = line_end_;
  std::size_t empty = 0;  // number of empty lines before a line with text
  bool any = false;
  for (;;) {
    const char* const start = line_end_ + 1;
    const char* const feed = start >= end_ ? end_ : find(start, end_, '\n');
    if (feed == end_ && !(whole_ && start == end_)) {
      if (stop_ == Stop::no) stop_ = whole_ ? Stop::unknown : Stop::more;
      return;
    }
    if (static_cast<std::size_t>(feed - begin) > kMaxText) return unknown();
    const char* text = start;
    while (text != feed && *text == ' ') ++text;
    if (start != end_ && text == feed) {
      // Lines of blanks are ambiguous.
      if (text != start) return unknown();
      ++empty;
    } else {
      const auto blanks = static_cast<int>(std::min<std::ptrdiff_t>(text - start, kMaxColumn + 1));
      if (indent == 0 && start != end_ && blanks > column) indent = blanks;
      if (indent == 0 || indent > kMaxColumn) return unknown();
      if (start == end_ || blanks < indent) break;
      if (!clean(start, feed, false)) return unknown();
      if (out != nullptr) {
        out->append(empty, '\n');
        out->append(start + indent, feed + 1);
      }
      empty = 0;
      any = true;
    }
    line_end_ = feed;
    ++line_;
  }
  if (out != nullptr && keep == '+') out->append(empty, '\n');
  if (out != nullptr && keep == '-' && any) out->pop_back();
  if (!any) return unknown();
  next();
}

}  // namespace previct
