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
    if (const char* const end = simple_quoted_end(value)) {
      next();
      return {ScalarType::string, {value + 1, static_cast<std::size_t>(end - value - 2)}};
    }
    const char* const behind = pass_quoted(value, parent_, &scratch_);
    if (behind == nullptr || !ends_line(behind)) unknown();
    if (!stopped()) next();
    return {ScalarType::string, scratch_};
  }
  if (first == '|' || first == '>') {
    pass_block_text(value, parent_, &scratch_);
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
  if (first != '"' && first != '\'' && first != '|' && first != '>') {
    const Scalar scalar = peek();
    if (!scalar.scalar || scalar.type != ScalarType::string) unknown();
    return;
  }
  skip();
}

void YamlCursor::pass_special(const char* value, int column) {
  const char first = *value;
  if (first == '"' || first == '\'') {
    const char* behind = simple_quoted_end(value);
    if (behind == nullptr) behind = pass_quoted(value, column, nullptr);
    if (behind == nullptr || !ends_line(behind)) return unknown();
  } else if (first == '|' || first == '>') {
    return pass_block_text(value, column, nullptr);
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

auto YamlCursor::simple_quoted_end(const char* value) const -> const char* {
  const char* const close = find(value + 1, line_end_, *value);
  const bool simple = close + 1 == line_end_ && !odd_ && (*value == '\'' || find(value + 1, close, '\\') == close);
  return simple ? line_end_ : nullptr;
}

// Returns the position after the closing quote, possibly on a later line; null if the cursor stopped.
auto YamlCursor::pass_quoted(const char* value, int column, std::string* out) -> const char* {
  Lines lines{line_begin_, line_end_, end_, whole_};
  const bool allowed = !odd_ || clean(value + 1, line_end_, false);
  const char* const behind = allowed ? yaml_text::pass_quoted(value, lines, column, out) : nullptr;
  move_to(lines);
  if (behind == nullptr) unknown();
  return behind;
}

void YamlCursor::pass_block_text(const char* value, int column, std::string* out) {
  Lines lines{line_begin_, line_end_, end_, whole_};
  const bool passed = yaml_text::pass_block_text(value, lines, column, out);
  move_to(lines);
  passed ? next() : unknown();
}

void YamlCursor::move_to(const Lines& lines) {
  line_end_ = lines.line_end;
  line_ += lines.passed;
  if (lines.cut) out_of_text();
}

}  // namespace previct
