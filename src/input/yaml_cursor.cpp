#include "input/yaml_cursor.h"

#include <algorithm>
#include <cstring>

namespace previct {
// NOLINTBEGIN(misc-no-recursion): a line that is passed, then one that is not

using namespace yaml_text;

void YamlCursor::enter(const char* at, const char* end, bool whole, std::uint32_t line, int base) {
  end_ = end;
  whole_ = whole;
  base_ = base;
  why_ = FallbackReason::syntax;
  values_ = {};
  start_again();
  begin_item();
  key_texts_.clear();
  line_ = line;
  load(at);
}

void YamlCursor::load_end() {
  if (whole_ && line_begin_ == end_) {
    column_ = -1;
    dash_ = false;
    token_ = line_end_ = end_;
    colon_ = nullptr;
  } else if (stop_ == Stop::no) {
    stop_ = whole_ ? Stop::unknown : Stop::more;
  }
}

void YamlCursor::load_behind(const char* line_end) {
  // The characters of a comment are checked by clean().
  const char* at = line_end + 1;
  const bool comment = token_at(line_begin_) != line_end;
  if (comment && !clean(token_at(line_begin_), line_end, false)) return unknown();
  for (; at < end_; at = line_end + 1) {
    ++line_;
    line_end = find(at, end_, '\n');
    const char* const token = token_at(at);
    if (token != line_end && *token != '#') break;
    if (line_end == end_ || !clean(token, line_end, false)) return line_end == end_ ? out_of_text() : unknown();
  }
  if (at >= end_) ++line_;
  load(at);
  gap_ = true;
}

void YamlCursor::load_long(const char* at) {
  const auto* feed = static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(end_ - at)));
  if (feed == nullptr) {
    if (stop_ == Stop::no) stop_ = whole_ ? Stop::unknown : Stop::more;
    return;
  }
  line_end_ = feed;
  token_ = at;
  while (*token_ == ' ') ++token_;
  if (token_ == feed || *token_ == '#') return load_behind(feed);
  column_ = static_cast<int>(std::min<std::ptrdiff_t>(token_ - at, kMaxColumn + 1));
  if (column_ > kMaxColumn) return unknown();
  colon_ = nullptr;
  colons_ = odd_ = false;
  for (const char* part = at; part < feed; part += 64) {
    const Marks marks = marks_at(part);
    const std::ptrdiff_t left = feed - part;
    const std::uint64_t within = left >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << left) - 1;
    const std::uint64_t behind = part[64] == ' ' || part[64] == '\n' ? std::uint64_t{1} << 63U : 0;
    const std::uint64_t colons = marks.colons & ((marks.blanks | marks.ends) >> 1U | behind) & within;
    odd_ = odd_ || (marks.odd & within) != 0;
    if (colons == 0) continue;
    colons_ = colons_ || colon_ != nullptr || (colons & (colons - 1)) != 0;
    if (colon_ == nullptr) colon_ = part + std::countr_zero(colons);
  }
  dash_ = token_[0] == '-' && token_[1] == ' ';
}

// --- Values.

auto YamlCursor::is_nested() -> bool {
  const char* start = line_end_ + 1;
  const char* at = nullptr;
  for (;; start = at + 1) {
    at = start;
    while (at < end_ && *at == ' ') ++at;
    if (at < end_ && *at == '#') at = find(at, end_, '\n');
    if (at >= end_ || *at != '\n') break;
  }
  if (at + 1 >= end_ && !(whole_ && start == end_)) {
    if (stop_ == Stop::no) stop_ = whole_ ? Stop::unknown : Stop::more;
    return false;
  }
  const std::ptrdiff_t column = at - start;
  return at < end_ && (column > parent_ || (column == parent_ && under_key_ && at[0] == '-' && at[1] == ' '));
}

auto YamlCursor::is_null() -> bool {
  if (alone_) return false;
  if (is_recorded_) {
    const Tape::Entry& entry = recorded_[recorded_at_];
    return entry.type == EventType::scalar && entry.scalar == ScalarType::null;
  }
  if (value_ == line_end_) return !is_nested();
  if (*value_ != 'n' && *value_ != 'N' && *value_ != '~') return false;
  const std::string_view text(value_, static_cast<std::size_t>(line_end_ - value_));
  if (text != "~" && text != "null" && text != "Null" && text != "NULL") return false;
  // On the next line, it may continue as a plain scalar.
  if (is_nested()) unknown();
  return true;
}

auto YamlCursor::present() -> bool {
  if (alone_) {
    unknown();
    return false;
  }
  if (is_recorded_) {
    const Tape::Entry& entry = recorded_[recorded_at_];
    const bool nothing = is_null() || (entry.type == EventType::begin_list && entry.next == recorded_at_ + 1);
    skip_recorded();
    return !nothing;
  }
  const bool empty = line_end_ - value_ == 2 && value_[0] == '[' && value_[1] == ']';
  const bool nothing = empty || is_null();
  skip();
  return !nothing;
}

auto YamlCursor::enter_map() -> bool {
  if (alone_) {
    unknown();
    return false;
  }
  if (value_ != line_end_) {
    if (line_end_ - value_ == 2 && value_[0] == '{' && value_[1] == '}') {
      next();
      if (column_ > parent_) unknown();
      return false;
    }
    if (under_key_ || dash_ || !at_key()) unknown();
    return !stopped();
  }
  next();
  if (dash_) unknown();
  return !stopped();
}

auto YamlCursor::enter_list() -> bool {
  if (alone_) {
    unknown();
    return false;
  }
  if (value_ != line_end_) {
    if (line_end_ - value_ == 2 && value_[0] == '[' && value_[1] == ']') {
      next();
      if (column_ > parent_) unknown();
      return false;
    }
    if (under_key_ || !dash_) unknown();
    return !stopped();
  }
  next();
  if (!dash_) unknown();
  return !stopped();
}

auto YamlCursor::repeated(const Mark& mark) const -> RepeatedText {
  if (stopped() || column_ < 0 || line_begin_ <= mark.begin) return {};
  return {{mark.begin, static_cast<std::size_t>(line_begin_ - mark.begin)}, line_ - mark.line, mark.parent};
}

auto YamlCursor::pass_same(const RepeatedText& last) -> bool {
  const char* const begin = line_end_ + 1;
  const std::size_t size = last.text.size();
  if (last.context != parent_ || static_cast<std::size_t>(end_ - begin) <= size ||
      std::memcmp(begin, last.text.data(), size) != 0) {
    return false;
  }
  // The value may continue in a different way.
  const char* const next = begin + size;
  const char* at = next;
  while (*at == ' ') ++at;
  if (at - next > parent_ || (at - next == parent_ && at[0] == '-') || *at == '\n' || *at == '#') return false;
  line_ += last.lines;
  load(next);
  return true;
}

void YamlCursor::enter_object(const Here& here) {
  start_again();
  begin_item();
  values_ = {};
  line_ = here.line;
  load(here.at);
  if (!dash_) return unknown();
  enter_element();
}

// An item ends at the next line that is not indented further than its first line.
auto YamlCursor::shape() -> std::uint32_t {
  const auto is_last = [](const char* line) { return *line != ' ' && *line != '\n'; };
  const auto is_left = [this](const char* line) {
    const char* const token = token_at(line);
    return token - line <= base_ && *token != '\n';
  };
  const LastLine last{static_cast<std::size_t>(base_), ' '};
  const std::uint32_t shape = base_ == 0 ? shape_of_lines(line_begin_, end_, ':', last, is_last)
                                         : shape_of_lines(line_begin_, end_, ':', last, is_left);
  // Something always follows the last item of a list.
  if (shape == 0 && !whole_) out_of_text();
  return shape;
}

auto YamlCursor::key_at(std::string_view key, const Here& origin) const -> Part {
  Part part;
  part.begin = static_cast<std::uint32_t>(line_begin_ - origin.at);
  part.value = static_cast<std::uint32_t>(value_ - origin.at);
  part.begin_lines = line_ - origin.line;
  part.column = column_;
  if (key.data() >= origin.at && key.data() < end_) {
    part.key = static_cast<std::uint32_t>(key.data() - origin.at);
    part.key_size = static_cast<std::uint32_t>(key.size());
  }
  return part;
}

auto YamlCursor::resume(const Part& part, const Here& here) -> std::string_view {
  line_ = here.line;
  load(here.at);
  while (!stopped() && dash_ && column_ < part.column) enter_element();
  if (stopped() || dash_ || column_ != part.column) {
    unknown();
    return {};
  }
  return wanted_key();
}

// The value ends with its line. The next line is the same as in the pattern, so the value does not continue.
auto YamlCursor::simple_end(const char* value, bool text) const -> const char* {
  const std::uint8_t kind = class_of(*value);
  if (*value == '"') {
    const char* const close = value + 1 + plain_run(value + 1, '"', '\\');
    return *close == '"' && close[1] == '\n' && close + 1 < end_ ? close + 2 : nullptr;
  }
  if ((kind & kKey) == 0) return nullptr;
  const char* at = value;
  for (;; ++at) {
    at += plain_run(at, ':', '#');
    if (*at == '\n') break;
    const bool alone = *at == ':' ? at[1] != ' ' && at[1] != '\n' : *at == '#' || *at == ' ';
    if (!alone || (*at == ' ' && (at[1] == ' ' || at[1] == '#' || at[1] == '\n'))) return nullptr;
  }
  if (at >= end_) return nullptr;
  const std::string_view scalar(value, static_cast<std::size_t>(at - value));
  return text && may_mean(scalar) ? nullptr : at + 1;
}

auto YamlCursor::enter_scalar(const char* value, const char* behind) -> bool {
  const std::string_view text(value, static_cast<std::size_t>(behind - 1 - value));
  alone_ = true;
  // Assign member by member: one large load right after several small stores would stall.
  scalar_.scalar = true;
  const bool quoted = *value == '"';
  if (quoted || !may_mean(text)) {
    scalar_.type = ScalarType::string;
    scalar_.text = quoted ? text.substr(1, text.size() - 2) : text;
    return true;
  }
  const Scalar scalar = resolved(text);
  scalar_.type = scalar.type;
  scalar_.text = scalar.text;
  return scalar.type != ScalarType::null;
}

auto YamlCursor::finish(const Here& here, const Here& /*begin*/) -> bool {
  start_again();
  line_ = here.line;
  load(here.at);
  return !stopped() && item_ended();
}

// NOLINTEND(misc-no-recursion)
}  // namespace previct
