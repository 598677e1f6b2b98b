#include "input/yaml_cursor.h"

#include "base/text.h"
#include "input/yaml_scalar.h"
#include "input/yaml_source.h"

#include <algorithm>
#include <cstring>

namespace previct {

using namespace yaml_text;

namespace {

/// A whole number as it is printed.
auto is_plain_number(std::string_view text) -> bool {
  constexpr std::size_t kMostDigits = 18;
  return text.size() <= kMostDigits && (text.front() != '0' || text.size() == 1) &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

void YamlCursor::enter(const char* at, const char* end, bool whole, std::uint32_t line, int base) {
  end_ = end;
  whole_ = whole;
  base_ = base;
  why_ = Handover::syntax;
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
  // What a comment may hold is asked of others.
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

// --- Keys.

auto YamlCursor::other_key() -> std::string_view {
  if (*token_ == '?' && (token_[1] == ' ' || token_[1] == '\n')) return long_key();
  const bool plain = is_plain_mark(token_) || ((class_of(*token_) & kPlain) != 0);
  if (!plain) return quoted_key();
  const std::string_view text = plain_key();
  if (text == "<<") unknown();  // merges another map
  return text;
}

// `? key`, and the value in a line of its own that begins with a colon.
auto YamlCursor::long_key() -> std::string_view {
  const char* const begin = line_begin_;
  const char* const token = token_;
  const int column = column_;
  std::uint32_t lines = 0;
  for (const char* line_end = line_end_;;) {
    const char* const line = line_end + 1;
    line_end = line >= end_ ? end_ : find(line, end_, '\n');
    if (line_end == end_) {
      out_of_text();
      return {};
    }
    ++lines;
    const char* const at = token_at(line);
    if (at == line_end || at - line > column) continue;
    const bool colon = at - line == column && at[0] == ':' && (at[1] == ' ' || at[1] == '\n');
    std::string text(static_cast<std::size_t>(column), ' ');
    text.append(token, line);
    const auto source = yaml_source(text, FileId{});
    const auto map = source->next();
    const auto key = map && map->type == EventType::begin_map ? source->next() : map;
    if (!colon || !key || key->type != EventType::scalar) {
      unknown();
      return {};
    }
    const std::string& kept = key_texts_.emplace_back(key->text);
    for (const EventType type : {EventType::scalar, EventType::end, EventType::end_document, EventType::end_stream}) {
      const auto event = source->next();
      if (!event || event->type != type || event->scalar != ScalarType::null) {
        unknown();
        return {};
      }
    }
    line_ += lines;
    load(line);
    if (stopped()) return {};
    begin_value(token_);
    // What is compact, as `: a: b`, is not told apart here.
    if (value_colons_ || (value_ != line_end_ && value_[0] == '-' && value_[1] == ' ') || line_begin_ == begin)
      unknown();
    return kept;
  }
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

// From the colon behind a key on.
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
  // An element in the lines behind its dash is not read here.
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
    // It ends the text; more of it behind is not told apart here.
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
  // A key ends in the line that it begins in.
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

// --- Scalars.

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
    if (entry.type != EventType::scalar || entry.scalar != ScalarType::string) return unknown(Handover::other_type);
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

// The lines of a plain text behind its first. `out` gets them, each behind a blank.
void YamlCursor::pass_continued(int column, std::string* out) {
  const char* const begin = line_begin_;
  while (!stopped() && column_ > column) {
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

// Returns what stands behind the closing quote, on the line at hand.
auto YamlCursor::pass_quoted(const char* value, int column, std::string* out) -> const char* {
  const char quote = *value;
  const char* const begin = value;
  const char* at = value + 1;
  if (odd_ && !clean(at, line_end_, false)) unknown();
  bool joined = false;  // the line break was escaped
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

void YamlCursor::pass_literal(const char* value, int column, std::string* out) {
  // The header: how the end is kept, and the indentation if the text begins with a blank or an empty line.
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
  std::size_t empty = 0;  // lines, before a line that has text
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
      // Blanks alone mean too many things.
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

// --- Values.

auto YamlCursor::is_nested() -> bool {
  const char* start = line_end_ + 1;
  const char* at = start;
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
  // On the next line it may go on as a plain text.
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
  // The value may go on, differently from then.
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

// An item ends where a line begins with no more blanks than it did.
auto YamlCursor::shape() -> std::uint32_t {
  const auto is_last = [](const char* line) { return *line != ' ' && *line != '\n'; };
  const auto is_left = [this](const char* line) {
    const char* const token = token_at(line);
    return token - line <= base_ && *token != '\n';
  };
  const LastLine last{static_cast<std::size_t>(base_), ' '};
  const std::uint32_t shape = base_ == 0 ? shape_of_lines(line_begin_, end_, ':', last, is_last)
                                         : shape_of_lines(line_begin_, end_, ':', last, is_left);
  // Behind the last item of a list something follows.
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

// The line that the value is in ends with it; the next one is that of the pattern, so that the value does not go on.
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

auto YamlCursor::stand_on(const char* value, const char* behind) -> bool {
  const std::string_view text(value, static_cast<std::size_t>(behind - 1 - value));
  alone_ = true;
  // Member by member: what is written in small pieces is not read as a whole at once.
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

// --- Values that the cursor does not know.

auto YamlCursor::end_of(const Value& value) -> const char* {
  const auto column = static_cast<std::ptrdiff_t>(value.parent);
  const char* line_end = find(value.begin, end_, '\n');
  bool first = true;
  for (;;) {
    const char* const line = line_end + 1;
    if (line >= end_) {
      if (whole_ && line == end_) return end_;
      out_of_text();
      return nullptr;
    }
    const char* const token = token_at(line);
    line_end = find(token, end_, '\n');
    if (line_end == end_) {
      out_of_text();
      return nullptr;
    }
    if (token == line_end) continue;  // a line of blanks may belong to it
    const bool dash = token[0] == '-' && (token[1] == ' ' || token[1] == '\n');
    // A list may stand in the column of its key; then its elements do, all of them.
    const bool element = value.nested && value.under_key && token - line == column && dash;
    if (token - line <= column && !element && !(first && *token == '#')) return line;
    if (static_cast<std::size_t>(line_end - value.line_begin) > kMaxText) {
      unknown();
      return nullptr;
    }
    first = first && *token == '#';
  }
}

// Empty if what it means may depend on the rest of the document.
auto YamlCursor::text_of(const Value& value, const char* end) -> std::string {
  constexpr std::array<std::string_view, 4> kNever = {" &", " *", "<<", "\n%"};
  const std::string_view bytes(value.begin, static_cast<std::size_t>(end - value.begin));
  const bool alone = std::none_of(kNever.begin(), kNever.end(),
                                  [&](std::string_view never) { return bytes.find(never) != std::string_view::npos; });
  if (!alone || bytes.starts_with('&') || bytes.starts_with('*')) return {};
  std::string text(static_cast<std::size_t>(value.parent), ' ');
  text += value.under_key ? (value.nested ? "k:" : "k: ") : "- ";
  text.append(value.begin, end);
  return text;
}

void YamlCursor::leave(const Value& value, const char* end) {
  stop_ = Stop::no;
  line_ = value.line + static_cast<std::uint32_t>(std::count(value.line_begin, end, '\n'));
  load(end);
  if (column_ > value.parent) unknown();
}

// The value alone: in the only collection of a text, perhaps behind a key.
auto YamlCursor::record_value(const Value& value, const char* end) -> bool {
  const std::string text = text_of(value, end);
  const auto source = yaml_source(text, FileId{});
  for (std::size_t before = value.under_key ? 2 : 1; before > 0; --before) {
    if (text.empty() || !source->next()) return false;
  }
  const auto first = source->next();
  recorded_.clear();
  recorded_at_ = 0;
  if (!first || !previct::record(*source, *first, recorded_)) return false;
  for (const EventType type : {EventType::end, EventType::end_document, EventType::end_stream}) {
    const auto event = source->next();
    if (!event || event->type != type) return false;
  }
  return true;
}

void YamlCursor::skip_generally(const Value& value) {
  stop_ = Stop::no;
  const char* const end = end_of(value);
  if (end == nullptr) return;
  const std::string text = text_of(value, end);
  if (text.empty()) return unknown();
  const auto source = yaml_source(text, FileId{});
  std::size_t depth = 0;
  std::size_t values = 0;  // of the collection around
  for (;;) {
    const auto event = source->next();
    if (!event) return unknown();
    if (event->type == EventType::end_document) break;
    if (event->type == EventType::end_stream) return unknown();
    if (depth == 1 && event->type != EventType::end) ++values;
    if (event->type == EventType::begin_list || event->type == EventType::begin_map) ++depth;
    if (depth == kMaxDepth / 2) return unknown();
    if (event->type == EventType::end) --depth;
  }
  const auto after = source->next();
  const bool one = values == (value.under_key ? 2 : 1) && after && after->type == EventType::end_stream;
  const bool flow = *value.begin == '{' || *value.begin == '[';
  ++(flow ? values_.flow : value.nested ? values_.others : values_.scalars);
  one ? leave(value, end) : unknown();
}

auto YamlCursor::read_generally(const Value& value) -> Scalar {
  stop_ = Stop::no;
  const char* const end = end_of(value);
  if (end == nullptr) return {};
  const std::string text = text_of(value, end);
  const auto source = yaml_source(text, FileId{});
  ScalarType type = ScalarType::null;
  // The events of a collection that holds this one scalar, perhaps behind a key.
  const std::size_t before = value.under_key ? 2 : 1;
  for (std::size_t i = 0; i < before + 4; ++i) {
    const auto event = text.empty() ? Result<Event>(fail({})) : source->next();
    const bool expected = event && (i < before       ? true
                                    : i == before    ? event->type == EventType::scalar
                                    : i < before + 2 ? event->type == EventType::end
                                    : i < before + 3 ? event->type == EventType::end_document
                                                     : event->type == EventType::end_stream);
    if (!expected) {
      unknown();
      return {};
    }
    if (i == before) {
      type = event->scalar;
      scratch_ = event->text;
    }
  }
  ++values_.scalars;
  leave(value, end);
  return stopped() ? Scalar{} : Scalar{type, scratch_};
}

// Which columns have a map or a list open is all that has to be known of a value that nobody wants.
void YamlCursor::skip_block(bool nested) {
  const int base = parent_;
  const bool under_key = under_key_;
  std::uint64_t maps = 0;
  std::uint64_t lists = 0;
  int opened = nested ? base : -1;  // column of a key whose value is still to come
  bool inside = !nested;            // at the value of an element
  if (nested) next();
  while (!stopped()) {
    int column = column_;
    const bool mine = inside || column > base || (column == base && under_key && dash_ && nested);
    if (!mine) return;
    std::uint64_t bit = std::uint64_t{1} << static_cast<unsigned>(column);
    maps &= bit * 2 - 1;
    lists &= bit * 2 - 1;
    if (dash_) {
      if (!inside && (lists & bit) == 0 && (opened < 0 || column < opened)) return unknown();
      lists |= bit;
      while (dash_) {
        lists |= bit;
        enter_element();
        if (stopped() || column_ > kMaxColumn) return unknown();
        bit = std::uint64_t{1} << static_cast<unsigned>(column_);
      }
      column = column_;
      inside = true;
    }
    if (inside) {
      if (!at_key()) {
        opened = -1;
        inside = false;
        const int parent = parent_;
        pass_scalar(token_, parent);
        if (column_ > parent) return unknown();
        continue;
      }
      maps |= bit;
      inside = false;
    } else if ((maps & bit) != 0) {
      lists &= ~bit;
    } else if (opened >= 0 && column > opened) {
      maps |= bit;
    } else {
      return unknown();
    }
    const std::string_view text = key();
    const bool null_key = (text == "~" || (text.size() == 4 && (text == "null" || text == "Null" || text == "NULL"))) &&
                          *token_ != '"' && *token_ != '\'';
    if (stopped() || null_key) return unknown();
    if (value_ == line_end_) {
      opened = column;
      next();
    } else {
      opened = -1;
      pass_scalar(value_, column);
      if (column_ > column) return unknown();
    }
  }
}

}  // namespace previct
