#include "input/quick_yaml.h"

#include "input/line_scan.h"
#include "input/yaml_scalar.h"
#include "input/yaml_text.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace previct {

using namespace yaml_text;

namespace {

auto marks_within(const char* at, const char* end) -> Marks {
  constexpr std::size_t kSize = 64;
  const auto left = static_cast<std::size_t>(end - at);
  if (left >= kSize) return marks_at(at);
  std::array<char, kSize> rest{};
  std::memcpy(rest.data(), at, left);
  return marks_at(rest.data());
}

/// Returns true if a value in flow style ends here. If a colon follows, the value is a key; if anything else follows,
/// it may be one.
auto ends_value(const char* at) -> bool {
  return std::string_view(",]}#\n").find(*token_at(at)) != std::string_view::npos;
}

}  // namespace

QuickYaml::QuickYaml(std::string_view text, ScalarText texts)
    : begin_(text.data()), end_(text.data() + text.size()), texts_(texts) {
  if (!text.ends_with('\n')) step_ = Step::over;
}

auto QuickYaml::next(Event& event) -> bool {
  event = {};
  switch (step_) {
    case Step::document: return document(event);
    case Step::line: return line(event);
    case Step::key: return key(event);
    case Step::value: return value(event);
    case Step::flow: return flow(event);
    case Step::over: return false;
  }
  return false;
}

// --- Lines.

auto QuickYaml::load(const char* at) -> bool {
  constexpr std::ptrdiff_t kPart = 64;
  gap_ = false;
  for (;; at = line_end_ + 1, ++line_, gap_ = true) {
    line_begin_ = at;
    last_colon_ = nullptr;
    odd_ = false;
    column_ = -1;
    token_ = line_end_ = end_;
    if (at == end_) return true;
    bool more = true;
    for (const char* part = at; more; part += kPart) {
      const Marks marks = marks_within(part, end_);
      const int size = std::countr_zero(marks.ends);
      more = size == kPart;
      const std::uint64_t within = more ? ~std::uint64_t{0} : (std::uint64_t{1} << static_cast<unsigned>(size)) - 1;
      const bool behind = more && (part[kPart] == ' ' || part[kPart] == '\n');
      const std::uint64_t stops = (marks.blanks | marks.ends) >> 1U | (behind ? std::uint64_t{1} << 63U : 0);
      const std::uint64_t colons = marks.colons & stops & within;
      if (colons != 0) last_colon_ = part + 63 - std::countl_zero(colons);
      odd_ = odd_ || (marks.odd & within) != 0;
      if (part == at) token_ = at + std::countr_zero(~marks.blanks);
      if (!more) line_end_ = part + size;
    }
    if (token_ - at == kPart) token_ = token_at(token_);
    if (token_ == line_end_) continue;
    // Check the characters before the column is used: some characters end a line or are ignored by YAML.
    if (odd_ && !clean(token_, line_end_, false)) return false;
    if (*token_ == '#') continue;
    if (token_ - at > kMaxColumn || (token_ == at && is_marker(at, '.'))) return false;
    if (token_ == at && is_marker(at, '-')) return ends_line(at + 3);
    column_ = static_cast<int>(token_ - at);
    return true;
  }
}

auto QuickYaml::load_text(const char* at) -> bool {
  if (at == end_ || is_marker(at, '-') || is_marker(at, '.')) return false;
  line_begin_ = at;
  line_end_ = find(at, end_, '\n');
  odd_ = false;
  return clean(at, line_end_, false);
}

auto QuickYaml::ends_line(const char* at) const -> bool {
  const char* const token = token_at(at);
  if (*token == '\n') return true;
  return *token == '#' && token > at;
}

auto QuickYaml::is_key() -> bool {
  key_is_plain_ = *token_ != '"' && *token_ != '\'';
  if (last_colon_ == nullptr || last_colon_ < token_) return false;
  if (!key_is_plain_) {
    const std::uint32_t line = line_;
    const char* close = token_ + 1;
    // A key ends on the line on which it begins.
    for (; close < line_end_ && *close != *token_; ++close) {
      if (*close == '\\' && *token_ == '"') ++close;
    }
    while (close < line_end_ && *token_ == '\'' && close[1] == '\'') close = find(close + 2, line_end_, '\'');
    if (close >= line_end_ || close[1] != ':' || (close[2] != ' ' && close[2] != '\n')) return false;
    colon_ = quoted(token_);
    key_ = text_;
    return colon_ == close + 1 && line_ == line && close - token_ < kMaxKey;
  }
  if ((class_of(*token_) & kPlain) == 0 && !is_plain_mark(token_)) return false;
  colon_ = find(token_, line_end_, ':');
  while (colon_[1] != ' ' && colon_[1] != '\n') colon_ = find(colon_ + 1, line_end_, ':');
  key_ = {token_, static_cast<std::size_t>(colon_ - token_)};
  return colon_[-1] != ' ' && colon_ - token_ < kMaxKey && (!odd_ || comment_in(token_, colon_) == colon_);
}

// --- Steps.

auto QuickYaml::document(Event& event) -> bool {
  if (!began_ && !load(begin_)) return false;
  if (token_ == end_ && began_) {
    place(event, end_);
    step_ = Step::over;
    return true;
  }
  if (token_ == end_ || (column_ >= 0 ? began_ : !next_line() || column_ < 0)) return false;
  began_ = true;
  return node(event, -1);
}

auto QuickYaml::line(Event& event) -> bool {
  if (levels_.empty()) {
    event.type = EventType::end_document;
    step_ = Step::document;
    return column_ < 0;
  }
  const Level& top = levels_.back();
  const bool map = top.kind == Kind::map;
  if (column_ == top.column && is_dash() != map) {
    if (map) return is_key() && key(event);
    at_ = token_ + 1;
    under_key_ = false;
    return value(event);
  }
  if (column_ > top.column || (column_ == top.column && top.kind != Kind::list_of_key)) return false;
  close(event, token_);
  return true;
}

auto QuickYaml::key(Event& event) -> bool {
  event.type = EventType::scalar;
  place(event, token_);
  if (!set_key(event)) return false;
  at_ = colon_ + 1;
  under_key_ = true;
  step_ = Step::value;
  return true;
}

auto QuickYaml::set_key(Event& event) -> bool {
  if (key_is_plain_) {
    resolve(event, key_);
    if (event.scalar == ScalarType::null || key_ == "<<") return false;
  } else {
    event.text = key_;
  }
  event.scalar = ScalarType::string;
  return true;
}

auto QuickYaml::value(Event& event) -> bool {
  const int parent = levels_.back().column;
  const char* const first = token_at(at_);
  if (*first != '\n' && *first != '#') {
    token_ = first;
    column_ = static_cast<int>(std::min<std::ptrdiff_t>(first - line_begin_, kMaxColumn + 1));
    if (column_ > kMaxColumn || (under_key_ && is_dash())) return false;
    if (!under_key_ || *first == '{' || *first == '[') return node(event, parent);
    return scalar(event, parent);
  }
  place(event, at_);
  if (!ends_line(at_) || !next_line()) return false;
  if (column_ > parent) return node(event, parent);
  if (under_key_ && column_ == parent && is_dash()) return open(event, Kind::list_of_key, column_);
  // In the same column, libyaml takes some scalars as the value. (In column -1 there is no token.)
  if (column_ == parent) {
    const bool dash = !under_key_ && is_dash();
    const bool key = (under_key_ || levels_.back().kind == Kind::list_of_key) && is_key();
    if (!dash && !key) return false;
  }
  event.type = EventType::scalar;
  event.scalar = ScalarType::null;
  event.text = texts_ == ScalarText::written ? "" : "null";
  step_ = Step::line;
  return true;
}

auto QuickYaml::node(Event& event, int parent) -> bool {
  if (is_dash()) return open(event, Kind::list, column_);
  if (*token_ == '{' || *token_ == '[') {
    if (!brackets_match(token_, ',')) return false;
    return open(event, *token_ == '{' ? Kind::flow_map : Kind::flow_list, column_);
  }
  if (is_key()) return open(event, Kind::map, column_);
  return parent >= 0 && scalar(event, parent);
}

auto QuickYaml::open(Event& event, Kind kind, int column) -> bool {
  if (levels_.size() == kMostLevels) return false;
  levels_.push_back({kind, Expect::first, column});
  event.type = kind == Kind::map || kind == Kind::flow_map ? EventType::begin_map : EventType::begin_list;
  event.block = kind != Kind::flow_map && kind != Kind::flow_list;
  place(event, token_);
  at_ = token_ + 1;
  under_key_ = false;
  step_ = !event.block ? Step::flow : kind == Kind::map ? Step::key : Step::value;
  return true;
}

void QuickYaml::close(Event& event, const char* at) {
  event.type = EventType::end;
  place(event, at);
  levels_.pop_back();
}

void QuickYaml::resolve(Event& event, std::string_view text) {
  event.scalar = ScalarType::string;
  event.text = text;
  if (!may_mean(text)) return;
  const ResolvedScalar scalar = resolve_plain(text, resolved_);
  event.scalar = scalar.type;
  if (texts_ == ScalarText::resolved) event.text = scalar.text;
}

// --- Scalars.

auto QuickYaml::scalar(Event& event, int parent) -> bool {
  event.type = EventType::scalar;
  place(event, token_);
  step_ = Step::line;
  const char first = *token_;
  if (first != '"' && first != '\'' && first != '|' && first != '>') return plain(event, parent);
  if (first == '"' || first == '\'') {
    const char* const behind = quoted(token_);
    if (behind == nullptr || !ends_line(behind)) return false;
  } else if (!block_text(parent)) {
    return false;
  }
  event.scalar = ScalarType::string;
  event.text = text_;
  return next_line();
}

// A comment ends a plain scalar; then no continuation may follow.
auto QuickYaml::plain(Event& event, int parent) -> bool {
  if ((class_of(*token_) & kPlain) == 0 && !is_plain_mark(token_)) return false;
  bool comment = false;
  bool more = false;
  do {
    if (comment || (more && gap_)) return false;
    const char* end = odd_ ? comment_in(token_, line_end_) : line_end_;
    comment = end != line_end_;
    while (end[-1] == ' ') --end;
    if (last_colon_ != nullptr && last_colon_ >= token_ && has_separator(token_, end)) return false;
    take({token_, static_cast<std::size_t>(end - token_)}, more);
    if (text_.size() > kMaxText || !next_line()) return false;
    more = true;
  } while (column_ > parent);
  resolve(event, text_);
  return true;
}

void QuickYaml::take(std::string_view part, bool more) {
  if (more) {
    if (text_.data() != scratch_.data()) scratch_ = text_;
    scratch_ += ' ';
    scratch_ += part;
  }
  text_ = more ? std::string_view(scratch_) : part;
}

// Returns the position after the closing quote, possibly on a later line; `text_` becomes the content.
auto QuickYaml::quoted(const char* at) -> const char* {
  const char quote = *at;
  const char* const close = find(at + 1, line_end_, quote);
  if (close != line_end_ && (quote == '"' ? find(at, close, '\\') == close : close[1] != '\'')) {
    text_ = {at + 1, static_cast<std::size_t>(close - at - 1)};
    return close + 1;
  }
  Lines lines{line_begin_, line_end_, end_};
  scratch_.clear();
  const char* const behind = pass_quoted(at, lines, -1, &scratch_);
  move_to(lines);
  text_ = scratch_;
  return behind;
}

auto QuickYaml::block_text(int parent) -> bool {
  Lines lines{line_begin_, line_end_, end_};
  scratch_.clear();
  if (!pass_block_text(token_, lines, parent, &scratch_)) return false;
  move_to(lines);
  text_ = scratch_;
  return true;
}

void QuickYaml::move_to(const Lines& lines) {
  line_begin_ = lines.begin;
  line_end_ = lines.line_end;
  line_ += lines.passed;
  if (lines.passed > 0) odd_ = false;
}

// --- Flow style.

// Literal brackets can be recognized locally: a quote opens a text only at the beginning of a value.
// NOLINTNEXTLINE(readability-function-cognitive-complexity): characters, each in its place
auto QuickYaml::brackets_match(const char* at, char before) const -> bool {
  std::string open;
  for (const Level& level : levels_) {
    if (level.kind == Kind::flow_map || level.kind == Kind::flow_list) open += level.kind == Kind::flow_map ? '}' : ']';
  }
  const char* quoted_end = nullptr;
  for (; at != line_end_; ++at) {
    const char c = *at;
    if (c == ' ') continue;
    if (c == '#' && at[-1] == ' ') break;
    if (c == '"' || c == '\'') {
      const bool adjacent = at[-1] == ':' && before == ':';
      if (adjacent && at - 1 != quoted_end) return false;
      if (std::string_view(",[{:").find(before) != std::string_view::npos) {
        for (++at; at < line_end_ && (*at != c || (c == '\'' && at[1] == c)); ++at) {
          if (*at == c || (*at == '\\' && c == '"')) ++at;
        }
        if (at >= line_end_) break;
        quoted_end = at + 1;
      }
    } else if (c == '{' || c == '[') {
      open += c == '{' ? '}' : ']';
    } else if (c == '}' || c == ']') {
      if (open.empty() || open.back() != c || !ends_value(at + 1)) return false;
      open.pop_back();
      if (open.empty()) return ends_line(at + 1);
    }
    before = c;
  }
  return true;
}

auto QuickYaml::flow_blanks() -> bool {
  for (;;) {
    at_ = token_at(at_);
    if (*at_ == '#' && (at_ == line_begin_ || at_[-1] == ' ')) at_ = line_end_;
    if (at_ != line_end_) return *at_ != '#';
    ++line_;
    if (!load_text(line_end_ + 1) || *line_begin_ == '%' || !brackets_match(line_begin_, ',')) return false;
    at_ = line_begin_;
  }
}

auto QuickYaml::flow(Event& event) -> bool {
  if (!flow_blanks()) return false;
  Level& top = levels_.back();
  const bool map = top.kind == Kind::flow_map;
  const char last = map ? '}' : ']';
  if (top.expect == Expect::value) return flow_node(event);
  if (*at_ == last) {
    close(event, at_++);
    const bool within = !levels_.empty() && levels_.back().expect != Expect::first;
    if (within) return true;
    step_ = Step::line;
    return ends_line(at_) && next_line();
  }
  if (top.expect == Expect::more) {
    if (*at_++ != ',' || !flow_blanks()) return false;
  }
  return map ? flow_key(event) : flow_node(event);
}

auto QuickYaml::flow_key(Event& event) -> bool {
  event.type = EventType::scalar;
  place(event, at_);
  const std::uint32_t line = line_;
  key_is_plain_ = *at_ != '"' && *at_ != '\'';
  const char* const behind = key_is_plain_ ? flow_plain() : quoted(at_);
  // The key must end on the same line; its brackets are known to match.
  if (behind == nullptr || line_ != line || behind - at_ > kMaxKey) return false;
  at_ = token_at(behind);
  key_ = text_;
  if (*at_++ != ':') return false;
  levels_.back().expect = Expect::value;
  return set_key(event);
}

auto QuickYaml::flow_node(Event& event) -> bool {
  levels_.back().expect = Expect::more;
  if (*at_ == '{' || *at_ == '[') {
    token_ = at_;
    return open(event, *at_ == '{' ? Kind::flow_map : Kind::flow_list, 0);
  }
  event.type = EventType::scalar;
  place(event, at_);
  if (*at_ == '"' || *at_ == '\'') {
    at_ = quoted(at_);
    if (at_ == nullptr || (line_ != event.line && !brackets_match(at_, 'x'))) return false;
    event.scalar = ScalarType::string;
    event.text = text_;
  } else {
    at_ = flow_plain();
    if (at_ != nullptr) resolve(event, text_);
  }
  return at_ != nullptr && ends_value(at_);
}

// Reads a plain text that begins at `at_`; returns the position after it.
auto QuickYaml::flow_plain() -> const char* {
  const char* at = at_;
  const bool dash = *at == '-' && ((class_of(at[1]) & kKey) != 0 || at[1] == '-');
  if ((class_of(*at) & kPlain) == 0 && !dash) return nullptr;
  const char* begin = at;
  const char* end = at;  // position after the last character that is not blank
  bool more = false;
  const auto take_part = [&] { take({begin, static_cast<std::size_t>(end - begin)}, more); };
  for (;; ++at) {
    switch (*at) {
      case ' ': continue;
      case '#':
        if (at[-1] != ' ') break;
        take_part();
        return at;
      case ':':
        if (std::string_view(",?[]{}").find(at[1]) != std::string_view::npos) return nullptr;
        if (at[1] != ' ' && at[1] != '\n') break;
        take_part();
        return at;
      case ',':
      case ']':
      case '}': take_part(); return at;
      case '[':
      case '{':
      case '?': return nullptr;
      case '\n':
        take_part();
        more = true;
        ++line_;
        if (text_.size() > kMaxText || !load_text(line_end_ + 1) || !brackets_match(line_begin_, 'x')) return nullptr;
        begin = end = at = token_at(line_begin_);
        if (*at == ',' || *at == ']' || *at == '}') return at;
        if (*at == '\n' || *at == '#' || *at == ':' || *line_begin_ == '%') return nullptr;
        --at;
        continue;
      default: break;
    }
    end = at + 1;
  }
}

}  // namespace previct
